/** Replays recordings offline, as they are or with changes. No function of an app is called. */
import { matchSteps } from '../../debugging/pipelines/match-steps.ts';
import type { Mock } from '../../debugging/mocks/types.ts';
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import type { RecordedValue } from '../../debugging/recording/values.ts';
import { type Divergence, replay, type ReplayEnd } from '../../debugging/replay/replay.ts';
import { type InputTexts, inputTexts } from '../../debugging/replay/inputs/input-texts.ts';
import { replayWith, type WhatIfEnd } from '../../debugging/replay/what-if.ts';
import type { Context } from '../../pipeline/index.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { type Branch, branchOf, endOf, failureOf, recordedValue, type RunEnd, type StepPlace } from './recordings.ts';

/** What a replay of a recording showed. */
export type Replayed =
  /** It did the same as the recorded run. */
  | { outcome: 'same'; steps: number; end: RunEnd }
  /** Where it first did something else. */
  | { outcome: 'different'; steps: number; divergence: ReplayDivergence }
  /** What happens next depends on a value that the recording doesn’t have. */
  | { outcome: 'unknown'; steps: number; place: StepPlace; reason: string };

export interface ReplayDivergence extends StepPlace {
  what: Divergence['what'];
  recorded: RecordedValue;
  replayed: RecordedValue;
}

export interface ReplayChange {
  payload?: Context | undefined;
  pipeline?: unknown;
  mocks?: readonly Mock[] | undefined;
}

/** What an `if` did. `failed`: one of its conditions. `unknown`: the run, or what is known of it, ended at it. */
export type IfOutcome = Branch | 'failed' | 'unknown';

/** An `if` that took another branch. A side is absent if the step didn’t run there. */
export interface ChangedBranch extends StepPlace {
  recorded?: IfOutcome;
  replayed?: IfOutcome;
}

/** How a replay with changes ended. */
export type ChangedEnd =
  | RunEnd
  /** The recorded run has no outcome for this call of a function. */
  | ({ state: 'no-outcome'; package: string } & StepPlace)
  /** The function would get other input than when it was recorded, so its outcome isn’t known. */
  | ({ state: 'other-input'; package: string; input: InputTexts } & StepPlace)
  /** What happens next depends on a value that the recording doesn’t have. */
  | ({ state: 'unknown'; reason: string } & StepPlace)
  /** A recorded change of the context needs an object that the context doesn’t have. */
  | ({ state: 'misfit'; pointer: string } & StepPlace);

/** What a replay with changes did. */
export interface ReplayedChange {
  recorded: { steps: number; end: RunEnd };
  replayed: { steps: number; end: ChangedEnd };
  /** In the order of the replay, and then those that only the recorded run has. */
  branches: ChangedBranch[];
  /** What the replay takes for granted, as sentences. */
  assumes: string[];
  /** Of the replayed run, as a recording. */
  recording: Recording;
}

/** Replays a recording as it is. Never throws for what a recording contains. @throws CodedError `ABORTED` */
export async function replayRecording(
  recording: Recording,
  { signal }: Pick<ReplayOptions, 'signal'> = {},
): Promise<Replayed> {
  const steps = recording.steps.length;
  const end: ReplayEnd = await replay(recording, { signal }).catch((error: unknown) => {
    throw signal?.aborted ? CANCELED : error;
  });
  if (end.state === 'diverged') return { outcome: 'different', steps, divergence: divergenceOf(end.divergence) };
  if (end.state !== 'unknown') return { outcome: 'same', steps, end: endOf(recording.end) };
  const { path, iteration, cause } = end;
  return { outcome: 'unknown', steps, place: { path, iteration }, reason: cause.message };
}

function divergenceOf({ what, path, iteration, recorded, replayed }: Divergence): ReplayDivergence {
  return { what, path, iteration, recorded: recordedValue(recorded), replayed: recordedValue(replayed) };
}

export interface ReplayOptions {
  signal?: AbortSignal | undefined;
  /** A changed pipeline could have an endless loop. Default: no limit. */
  maxSteps?: number | undefined;
  /** In milliseconds. Default: no limit. */
  maxTime?: number | undefined;
}

/** Replays a recording with another payload, pipeline, or mocks. @throws CodedError `ABORTED`, `REPLAY_TOO_LONG` */
export async function replayChanged(
  recording: Recording,
  { payload, pipeline, mocks }: ReplayChange,
  { signal, maxSteps = Infinity, maxTime = Infinity }: ReplayOptions = {},
): Promise<ReplayedChange> {
  const change = {
    ...(payload !== undefined && { payload }),
    ...(pipeline !== undefined && { pipeline }),
    ...(mocks !== undefined && { mocks }),
  };
  const limit = new AbortController();
  const deadline = performance.now() + maxTime;
  let steps = 0;
  const before = (): void => {
    if (++steps > maxSteps || performance.now() > deadline) limit.abort();
  };
  const run = await replayWith(recording, change, {
    signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
    ...((maxSteps < Infinity || maxTime < Infinity) && { observer: { before } }),
  });
  if (signal?.aborted) throw CANCELED;
  if (limit.signal.aborted) throw tooLong(steps);
  const replayed = run.recording;
  return {
    recorded: { steps: recording.steps.length, end: endOf(recording.end) },
    replayed: { steps: replayed.steps.length, end: changedEnd(run.end, replayed) },
    branches: changedBranches(recording, replayed, run.end),
    assumes: run.assumes,
    recording: replayed,
  };
}

export const CANCELED = new CodedError({ code: 'ABORTED', message: 'The replay was canceled.' });

const tooLong = (steps: number): CodedError =>
  new CodedError({
    code: 'REPLAY_TOO_LONG',
    message: `The replay was stopped after ${steps} steps: it takes too long.`,
    hint: 'Check the loops of the changed pipeline for one that doesn’t end.',
  });

function changedEnd(end: WhatIfEnd, replayed: Recording): ChangedEnd {
  switch (end.state) {
    case 'completed':
    case 'stopped':
      return endOf(replayed.end);
    case 'failed':
      return { state: 'failed', error: failureOf(end.error) };
    case 'other-input': {
      const { difference, ...place } = end;
      return { ...place, input: inputTexts(difference) };
    }
    case 'unknown':
      return { state: 'unknown', path: end.path, iteration: end.iteration, reason: end.cause.message };
    default:
      return end;
  }
}

const placeOf = ({ path, iteration = [] }: RecordedStep): StepPlace => ({ path, iteration });

const keyOf = (path: string, iteration: readonly number[] = []): string => `${path} ${iteration.join(',')}`;

/** An `if` of a run. */
interface If extends StepPlace {
  outcome: IfOutcome;
}

/** Branches of the same `if`, which can have moved in the pipeline. */
function changedBranches(recorded: Recording, replayed: Recording, end: WhatIfEnd): ChangedBranch[] {
  const oldPaths = recorded.pipeline === replayed.pipeline ? null : matchSteps(recorded.pipeline, replayed.pipeline);
  const before = new Map(ifsOf(recorded).map((step) => [keyOf(step.path, step.iteration), step]));
  const changed: ChangedBranch[] = [];
  for (const step of ifsOf(replayed)) {
    const path = oldPaths ? oldPaths.get(step.path) : step.path;
    const key = path === undefined ? '' : keyOf(path, step.iteration);
    const was = before.get(key);
    before.delete(key);
    const old = was ? was.outcome : recorded.end.state === 'interrupted' ? 'unknown' : undefined;
    if (old === step.outcome) continue;
    const { iteration, outcome } = step;
    changed.push({ path: step.path, iteration, ...(old !== undefined && { recorded: old }), replayed: outcome });
  }
  // A replay that ended early didn’t get to the rest.
  if (end.state !== 'completed' && end.state !== 'failed') return changed;
  for (const { path, iteration, outcome } of before.values()) changed.push({ path, iteration, recorded: outcome });
  return changed;
}

const ifsOf = ({ steps }: Recording): If[] =>
  steps.flatMap((step, index) => {
    if (step.kind !== 'if') return [];
    const outcome = branchOf(steps, index);
    return [{ ...placeOf(step), outcome: outcome === undefined ? endOfIf(step) : outcome }];
  });

const endOfIf = ({ state }: RecordedStep): IfOutcome => (state === 'failed' ? 'failed' : 'unknown');
