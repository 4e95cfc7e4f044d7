/** Turns a recording into a run that opens like any other: timeline, pipeline, and details, without its page. */
import { ChangedNames } from '../../../../debugging/recording/changed-names.ts';
import { RecordingWalk, type WalkedStep, type WalkVisitor } from '../../../../debugging/replay/walk.ts';
import type { LateChanges, RecordedError, Recording } from '../../../../debugging/recording/format.ts';
import { readValue, type RecordedValue } from '../../../../debugging/recording/values.ts';
import type { Context } from '../../../../pipeline/index.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { toJson } from '../../shared/value-json.ts';
import type { RunRecord } from '../history/run-store.ts';
import type { Trace } from '../trace.ts';
import {
  type LocalRun,
  type LocalRunFacts,
  type RunOrigin,
  loopsOf,
  nodesOfPipeline,
  payloadOf,
  pipelineOf,
  recordOf,
  startOf,
} from './local-run.ts';
import { LocalValues } from './local-values.ts';
import { RecordedLines } from './recorded-lines.ts';
import { TraceWriter } from './trace-writer.ts';
import { createPauses } from '../../shared/pauses.ts';

/** In these, all functions have recorded outcomes, so that saying it at each step says nothing. */
const REPLAYED: ReadonlySet<RunOrigin> = new Set(['replay', 'what-if', 'smallest', 'v3']);

/** Steps between two looks at the clock. */
const STEPS = 20;

export interface RecordedRun {
  record: RunRecord;
  trace: Trace;
  local: LocalRun;
}

/**
 * Yields to the panel, so that it stays responsive. Rejects once it’s canceled.
 * @param onEvents receives the events to store
 */
export async function runOfRecording(
  recording: Recording,
  facts: LocalRunFacts,
  onEvents?: (events: readonly AgentEvent[]) => void,
  signal?: AbortSignal,
): Promise<RecordedRun> {
  const values = new LocalValues();
  const changed = new ChangedNames();
  const nodes = nodesOfPipeline(pipelineOf(recording));
  const writer = new TraceWriter({
    runId: facts.id,
    startedAt: startOf(recording),
    payload: payloadOf(recording),
    isOurEngine: recording.engine === 'ours',
    values,
    changed,
    loopAt: loopsOf(nodes),
    onEvents,
  });
  const lines = new RecordedLines(recording, values);
  const isReplayed = facts.origin !== undefined && REPLAYED.has(facts.origin);
  const visitor: WalkVisitor = {
    started: (step, context) => start(writer, lines, step, context),
    changed: (step, late, context) => change(writer, step, late, context),
    ended: (step) => end(writer, recording, step, isReplayed),
  };
  const walk = new RecordingWalk(recording, visitor, changed);
  const pauses = createPauses();
  while (walk.advance(STEPS)) {
    await pauses.pauseIfDue();
    signal?.throwIfAborted();
  }
  lines.writeOf(-1, writer, 0);
  const trace = finish(writer, recording);
  const payload = toJson(trace.payload, 2);
  return { record: recordOf(recording, trace, payload, facts), trace, local: { recording, values, nodes } };
}

function start(writer: TraceWriter, lines: RecordedLines, step: WalkedStep, context: Context): void {
  const { path, iteration = [], kind, name = kind, at } = step.recorded;
  writer.time = at;
  writer.started(step, { path, iteration, kind, name, context, step: step.definition });
  lines.writeOf(step.index, writer, 0);
  if (!step.recorded.late?.some(({ by, attempt }) => by ?? attempt)) retry(writer, step, Infinity);
}

/** What the user edited during a pause, and what attempts changed that failed. */
function change(writer: TraceWriter, step: WalkedStep, late: LateChanges, context: Context): void {
  const { by, attempt } = late;
  if (attempt !== undefined) retry(writer, step, attempt - 1);
  writer.changed(by === 'edit' ? 'context-edited' : 'context-changed', attempt, context);
  if (step.recorded.late?.at(-1) === late) retry(writer, step, Infinity);
}

/** The attempts up to this one, as far as they aren’t written yet. */
function retry(writer: TraceWriter, { recorded: { attempts = [] } }: WalkedStep, to: number): void {
  for (let next = writer.attempts; next < Math.min(to, attempts.length); next++)
    writer.retried(next + 1, errorOf(attempts[next]!));
}

function end(writer: TraceWriter, recording: Recording, step: WalkedStep, isReplayed: boolean): void {
  const { at, milliseconds, state, value, iterations, branch, replaced } = step.recorded;
  // How a step ended that ran when the recording ended is unknown.
  if (state === 'stopped' && recording.end.state === 'interrupted') return;
  writer.time = at + milliseconds;
  writer.ended(step, {
    state,
    value: value === undefined ? undefined : shown(value),
    error: state === 'failed' ? stepError(recording, step) : undefined,
    iterations,
    branch,
    replaced: isReplayed && replaced === 'recording' ? undefined : replaced,
  });
}

function finish(writer: TraceWriter, recording: Recording): Trace {
  const { end: ended, milliseconds } = recording;
  writer.time = milliseconds;
  if (ended.state === 'completed') return writer.finish('completed', { value: shown(ended.result) });
  if (ended.state === 'failed') return writer.finish('failed', { error: runError(recording, ended.error) });
  return ended.state === 'stopped' ? writer.finish('stopped', {}) : writer.interrupt(milliseconds);
}

/** All steps that fail with a run have the run's error, whose cause is what the innermost function threw. */
function stepError(recording: Recording, { recorded: { error } }: WalkedStep): unknown {
  const ended = recording.end;
  if (ended.state === 'failed') return runError(recording, ended.error);
  return error ? errorOf(error) : new Error('');
}

function runError(recording: Recording, error: RecordedError): unknown {
  const thrown = errorOf(error);
  if (!(thrown instanceof Error) || error.code !== 'STEP_FAILED') return thrown;
  const cause = causeOf(recording, error);
  return Object.assign(thrown, { cause: cause && errorOf(cause) });
}

const causes = new WeakMap<RecordedError, RecordedError | undefined>();

/** Found once, because each failed step needs it. */
function causeOf({ steps }: Recording, error: RecordedError): RecordedError | undefined {
  if (!causes.has(error)) {
    const at = String(error.iteration ?? '');
    const failed = steps.findLast(
      (step) => step.path === error.path && String(step.iteration ?? '') === at && step.error,
    );
    causes.set(error, failed?.error);
  }
  return causes.get(error);
}

/** The stack would be the panel's. */
function errorOf({ name, message, thrown, ...fields }: RecordedError): unknown {
  if (thrown !== undefined) return shown(thrown);
  return Object.assign(new Error(message), { name, stack: '', ...fields });
}

/** A value to be shown. If it's lost itself, what the recording has instead of it. */
function shown(recorded: RecordedValue): unknown {
  try {
    return readValue(recorded);
  } catch (thrown) {
    return Object.assign(thrown as Error, { stack: '' });
  }
}
