/**
 * Records runs, replays them offline, and mocks steps: the package’s entry point `@platform-devtools/pipeline/debugging`.
 * Pure: the same in a browser, in Node, and in tests.
 */
export type { ErrorValue, Result } from '../platform-api/coded-error.ts';
export type { RecordedChange } from './recording/context-changes.ts';
export type * from './recording/format.ts';
export { maskRecording } from './recording/mask.ts';
export { parseRecording, writeRecording } from './recording/file/parse.ts';
export { fileNameOf } from './recording/file/file-name.ts';
export { type RecordedRun, type RecordOptions, record } from './recording/record.ts';
export { type RecorderOptions, RunRecorder, type RunEnd } from './recording/recorder.ts';
export { type LossReason, LostValueError, readValue, type RecordedValue } from './recording/values.ts';
export { type Divergence, replay, type ReplayEnd, type ReplayOptions } from './replay/replay.ts';
export type { InputDifference } from './replay/inputs/recorded-inputs.ts';
export { replayWith, type WhatIf, type WhatIfEnd, type WhatIfOptions, type WhatIfRun } from './replay/what-if.ts';
export { checkMocks, type MockProblem } from './mocks/check-mocks.ts';
export { mockOf } from './mocks/mock-of.ts';
export { MockObserver, type MockOptions } from './mocks/mock-observer.ts';
export type { Mock, MockOutcome, MockSet, MockTarget } from './mocks/types.ts';
export { inputDigest } from './tests/input-digest.ts';
export { type RecordingTest, testOf } from './tests/test-of-recording.ts';
