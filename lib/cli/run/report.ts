/** Reports a run as plain data, with secrets masked. */
import { maskRecording } from '../../debugging/recording/mask.ts';
import {
  type RecordedAction,
  type RecordedStep,
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
} from '../../debugging/recording/format.ts';
import { lost, type RecordedValue } from '../../debugging/recording/values.ts';
import type { Engine, PageState, RemoteError } from '../../extension/inspector/index.ts';
import { recordedOf } from '../../extension/inspector/run/recorded-of.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';
import { recordedValue } from '../operations/recordings.ts';
import type { Followed, FollowedStep } from './follow-run.ts';

export interface RunReport {
  action: RecordedAction;
  engine: Engine;
  /**
   * `observed`: every step is known. `wrapped`: only calls of functions. `bare`: only the start and the end. It’s what the
   * page’s runtime reports.
   */
  tracing: PageState['tracing'];
  /** The number of mocks. */
  mocks: number;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  /** `interrupted`: the page was left, crashed, or didn’t respond, so that it’s unknown what the run has done. */
  state: 'completed' | 'failed' | 'stopped' | 'interrupted';
  /** Written as in recordings, with marks for what JSON doesn’t have. Only if it completed. */
  result?: RecordedValue;
  failure?: RunFailure;
  /** In the order in which they started. */
  steps: RunStep[];
  /** Events of steps that are missing, because the page had to drop them. */
  missing: number;
  warnings: string[];
}

export interface RunFailure {
  code: string | null;
  name: string;
  message: string;
  hint?: string;
  path?: string;
  iteration?: readonly number[];
  /** Starts with the failing step. */
  trace: string[];
}

export interface RunStep {
  kind: 'function' | 'loop' | 'if';
  /** Absent if the runtime doesn’t report it. */
  path?: string;
  /** Starts at 0. Empty outside of loops. */
  iteration: readonly number[];
  /** Of a function: its package. */
  name?: string;
  state: FollowedStep['state'];
  at: number;
  milliseconds: number;
  /** What a function returned. Long values are left out: the recording has them. */
  value?: RecordedValue;
  error?: string;
  /** Of an `if`. */
  branch?: number | 'else' | null;
  /** Of a loop. */
  iterations?: number;
  /** What gave the outcome instead of the step itself, such as `mock`. */
  replaced?: string;
}

export interface RunFacts extends Pick<RunReport, 'action' | 'engine' | 'tracing' | 'mocks' | 'warnings'> {
  startedAt: Date;
  /** Masked in addition to what looks like a credential. */
  secrets: readonly string[];
}

/** Maximum size of a step’s value, in characters of JSON. */
const VALUE_LIMIT = 2_000;

/**
 * @param recording as the page has it; null if the run wasn’t recorded
 * @param text the result’s JSON; null if it isn’t known as a whole
 * @returns the report, and the masked recording
 */
export function reportOf(
  facts: RunFacts,
  run: Followed,
  recording: Recording | null,
  text: string | null,
): { run: RunReport; recording: Recording | null } {
  const { action, engine, tracing, mocks, startedAt, warnings, secrets } = facts;
  const { end, missing } = run;
  const known = recording ?? followedRecording(facts, run, text);
  const masked = maskRecording(known, secrets);
  const durationMs = end?.milliseconds ?? Date.now() - startedAt.getTime();
  const failure = failureOf(run, masked, secrets);
  return {
    run: {
      action,
      engine,
      tracing,
      mocks,
      startedAt: startedAt.toISOString(),
      durationMs: rounded(durationMs),
      state: end?.state ?? 'interrupted',
      ...(masked.end.state === 'completed' && { result: masked.end.result }),
      ...(failure && { failure }),
      steps: masked.steps.map((step, index) => shownStep(step, recording ? undefined : run.steps[index])),
      missing: recording ? 0 : missing,
      warnings,
    },
    recording: recording && masked,
  };
}

/** What is known of a run without a recording, in the same form, so that it’s masked in the same way. */
function followedRecording(facts: RunFacts, { end, steps }: Followed, text: string | null): Recording {
  return {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    startedAt: facts.startedAt.toISOString(),
    milliseconds: end?.milliseconds ?? 0,
    engine: facts.engine,
    action: facts.action,
    pipeline: null,
    payload: null,
    steps: steps.map(followedStep),
    end: followedEnd(end, text),
    lost: 0,
  };
}

function followedStep({ path = '', state, error, iteration, ...step }: FollowedStep): RecordedStep {
  return {
    ...step,
    path,
    state: state === 'interrupted' ? 'stopped' : state,
    ...(iteration && { iteration }),
    ...(error !== undefined && { error: { name: 'Error', message: error } }),
  };
}

function followedEnd(end: Followed['end'], text: string | null): Recording['end'] {
  if (!end) return { state: 'interrupted' };
  if (end.state === 'completed') return { state: 'completed', result: resultOf(end, text) };
  if (end.state === 'stopped' || !end.error) return { state: 'stopped' };
  const { errorType: name, errorMessage: message } = end.error;
  return { state: 'failed', error: { name, message } };
}

function resultOf({ result }: NonNullable<Followed['end']>, text: string | null): RecordedValue {
  if (text !== null) return recordedValue(JSON.parse(text));
  return result ? recordedOf(result) : { $: 'undefined' };
}

function failureOf(
  { end, reason }: Followed,
  { end: known }: Recording,
  secrets: readonly string[],
): RunFailure | null {
  if (reason) return reasonOf(reason);
  if (end?.state !== 'failed' || !end.error) return null;
  const { code, errorType, errorMessage, trace, path, iteration } = maskedError(end.error, secrets);
  return {
    code,
    name: errorType,
    message: known.state === 'failed' ? known.error.message : errorMessage,
    ...(path !== null && { path, iteration }),
    trace,
  };
}

const reasonOf = ({ code, message, hint }: ErrorValue): RunFailure => ({
  code,
  name: code,
  message,
  ...(hint !== undefined && { hint }),
  trace: [],
});

/** The lines are masked as console lines are. */
function maskedError(error: RemoteError, secrets: readonly string[]): RemoteError {
  const lines = [error.errorType, error.errorMessage, ...error.trace];
  const [errorType = '', errorMessage = '', ...trace] = maskTexts(lines, secrets);
  return { ...error, errorType, errorMessage, trace };
}

/** Masks texts that are only shown. */
export function maskTexts(texts: readonly string[], secrets: readonly string[]): string[] {
  const line = { at: 0, level: 'log' as const, args: [...texts] };
  const none: Recording = {
    format: RECORDING_FORMAT,
    version: RECORDING_VERSION,
    startedAt: '',
    milliseconds: 0,
    engine: 'ours',
    pipeline: null,
    payload: null,
    steps: [],
    end: { state: 'stopped' },
    console: [line],
    lost: 0,
  };
  return maskRecording(none, secrets).console![0]!.args.map(String);
}

/** @param followed of a run without a recording, which knows more about the path and the state */
function shownStep(step: RecordedStep, followed?: FollowedStep): RunStep {
  const {
    kind,
    path,
    iteration = [],
    name,
    state,
    at,
    milliseconds,
    value,
    error,
    branch,
    iterations,
    replaced,
  } = step;
  const shownPath = followed ? followed.path : path;
  return {
    kind,
    ...(shownPath !== undefined && { path: shownPath }),
    iteration,
    ...(name !== undefined && { name }),
    state: followed?.state ?? state,
    at: rounded(at),
    milliseconds: rounded(milliseconds),
    ...(value !== undefined && { value: shortValue(value) }),
    ...(error && { error: error.message }),
    ...(branch !== undefined && { branch }),
    ...(iterations !== undefined && { iterations }),
    ...(replaced !== undefined && { replaced }),
  };
}

/** A step of a run that hasn’t ended, without its value. */
export function progressStep(followed: FollowedStep, secrets: readonly string[]): RunStep {
  const { path, iteration = [], error, value: _, ...step } = followed;
  return {
    ...step,
    at: rounded(step.at),
    milliseconds: rounded(step.milliseconds),
    ...(path !== undefined && { path }),
    iteration,
    ...(error !== undefined && { error: maskTexts([error], secrets)[0]! }),
  };
}

/** As precise as browsers measure. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;

const shortValue = (value: RecordedValue): RecordedValue =>
  JSON.stringify(value).length <= VALUE_LIMIT ? value : lost('too-large');
