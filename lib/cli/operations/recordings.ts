/** Opens recordings of runs: from files, and from the log records of a platform. */
import { stat } from 'node:fs/promises';
import { recordingTooLarge } from '../../debugging/recording/file/recording-error.ts';
import type { RecordedAction, RecordedEnd, RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { parseRecording } from '../../debugging/recording/file/parse.ts';
import { type RecordedValue, writeValue } from '../../debugging/recording/values.ts';
import { branchTo } from '../../debugging/replay/recorded-steps.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { type CallOptions, type Connection, readRecording } from '../../rest/index.ts';
import { readText } from '../files.ts';

/** A step in one iteration of the loops around it. Iterations start at 0. */
export interface StepPlace {
  /** JSON Pointer into the pipeline. */
  path: string;
  iteration: readonly number[];
}

/** How a run ended. Values are written as in recordings, with marks for what JSON doesn’t have. */
export type RunEnd =
  | { state: 'completed'; result: RecordedValue }
  | { state: 'failed'; error: RunFailure }
  | { state: 'stopped' | 'interrupted' };

export interface RunFailure {
  name: string;
  message: string;
  code?: string;
  path?: string;
  iteration?: readonly number[];
}

/** What was recorded. */
export interface RecordingSummary {
  action?: RecordedAction;
  startedAt: string;
  milliseconds: number;
  engine: Recording['engine'];
  /** The number of steps. */
  steps: number;
  /** The number of values that the recording doesn’t have. */
  lost: number;
  end: RunEnd;
}

/** @throws CodedError `FILE_NOT_READ`, or the codes of `parseRecording` */
export async function recordingOfFile(file: string): Promise<Recording> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  const tooLarge = recordingTooLarge(size);
  if (tooLarge) throw new CodedError({ ...tooLarge, message: `${file}: ${tooLarge.message}` });
  return recordingOfText(await readText(file, { limit: Infinity }), file);
}

/** @param name precedes the message of an error. @throws CodedError with the codes of `parseRecording` */
export function recordingOfText(text: string, name?: string): Recording {
  const parsed = parseRecording(text);
  if (parsed.ok) return parsed.value;
  const { message } = parsed.error;
  throw new CodedError({ ...parsed.error, message: name === undefined ? message : `${name}: ${message}` });
}

/**
 * The recording of a log record’s run, with the platform’s base URL.
 * @throws CodedError with the codes of the REST client and of `parseRecording`
 */
export async function recordingOfLog(
  connection: Connection,
  log: { appId: number; logId: number },
  options: CallOptions = {},
): Promise<Recording> {
  const recording = recordingOfText(await readRecording(connection, log, options));
  return { ...recording, action: { baseUrl: connection.baseUrl, ...recording.action } };
}

export function summaryOf(recording: Recording): RecordingSummary {
  const { action, startedAt, milliseconds, engine, steps, lost, end } = recording;
  const count = steps.length;
  return { ...(action && { action }), startedAt, milliseconds, engine, steps: count, lost, end: endOf(end) };
}

/** An end without what was thrown, which is in its message. */
export function endOf(end: RecordedEnd): RunEnd {
  return end.state === 'failed' ? { state: 'failed', error: failureOf(end.error) } : end;
}

export function failureOf({ name, message, code, path, iteration }: RunFailure): RunFailure {
  return {
    name,
    message,
    ...(code !== undefined && { code }),
    ...(path !== undefined && { path }),
    ...(iteration !== undefined && { iteration }),
  };
}

/** The branch of an `if`: an index of its conditions, `else`, or null if none ran. */
export type Branch = number | 'else' | null;

/** The branch of a recorded `if`, also if the run ended inside of it. Undefined if a condition failed. */
export function branchOf(steps: readonly RecordedStep[], index: number): Branch | undefined {
  const { path, branch } = steps[index]!;
  const next = steps[index + 1];
  return branch === undefined && next?.path.startsWith(`${path}/`) ? branchTo(next.path, path) : branch;
}

/** A value as recordings have it. @param limit in characters; what is beyond it is lost */
export const recordedValue = (value: unknown, limit = 64 * 1024 * 1024): RecordedValue =>
  writeValue(value, { left: limit, lost: 0 });
