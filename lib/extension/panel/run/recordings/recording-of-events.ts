/** Turns a run of the history, which has no recording, into one. Values that were cut are lost. */
import type { RecordedChange } from '../../../../debugging/recording/context-changes.ts';
import {
  type LateChanges,
  type RecordedEnd,
  type RecordedError,
  type RecordedStep,
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
} from '../../../../debugging/recording/format.ts';
import { addEdits } from '../../../../debugging/recording/recorder.ts';
import { lost, writeValue } from '../../../../debugging/recording/values.ts';
import type { AgentEvent, Change, RemoteError } from '../../../inspector/contract.ts';
import type { RunRecord } from '../history/run-store.ts';
import { missingEvents } from '../history/stored-run.ts';
import { RemoteRecorder } from './recorded-remote.ts';

type EventOf<Kind extends AgentEvent['kind']> = Extract<AgentEvent, { kind: Kind }>;

/**
 * Null if the run’s steps weren’t traced, or if its start isn’t stored.
 * @param pipeline what the run has executed, if it’s known: histories don’t have it, and without it a replay is unknown
 */
export function recordingOfEvents(
  record: RunRecord,
  events: readonly AgentEvent[],
  pipeline?: unknown,
): Recording | null {
  const start = events.find((event) => event.kind === 'run-started');
  return start?.tracing === 'observed' ? new EventRecorder(record, start, pipeline).recording(events) : null;
}

const LOOP_NAMES = new Set(['/currentItem', '/currentIndex']);

class EventRecorder {
  readonly #record: RunRecord;
  readonly #start: EventOf<'run-started'>;
  readonly #pipeline: unknown;
  readonly #values = new RemoteRecorder();
  readonly #steps: RecordedStep[] = [];
  readonly #indexes = new Map<number, number>();
  readonly #parents = new Set<number>();
  /** Top-level properties of the context. */
  readonly #names = new Set<string>();
  /** What has changed since the innermost step failed, while it can still be retried. */
  readonly #afterFailure: LateChanges[] = [];
  /** Changes that the next step finds. */
  #late: LateChanges[] = [];
  #end: RecordedEnd = { state: 'interrupted' };
  #milliseconds: number;
  #isPartial = false;

  constructor(record: RunRecord, start: EventOf<'run-started'>, pipeline: unknown) {
    this.#record = record;
    this.#start = start;
    this.#pipeline = pipeline;
    this.#milliseconds = record.milliseconds;
  }

  recording(events: readonly AgentEvent[]): Recording {
    const { engine = 'platform', startedAt } = this.#start;
    const payload = this.#payload();
    const { cut, thinned = false } = this.#record;
    this.#isPartial = cut || thinned || missingEvents(this.#record, events) > 0;
    for (const event of events) this.#add(event);
    const budget = { left: Infinity, lost: 0 };
    const pipeline = this.#pipeline === undefined ? lost('unreadable') : writeValue(this.#pipeline, budget);
    return {
      format: RECORDING_FORMAT,
      version: RECORDING_VERSION,
      startedAt: new Date(startedAt).toISOString(),
      milliseconds: this.#milliseconds,
      engine,
      action: { name: this.#record.title },
      pipeline,
      payload,
      steps: this.#steps,
      end: this.#end,
      lost: this.#values.lost + budget.lost + (this.#pipeline === undefined ? 1 : 0),
    };
  }

  /** The record has it as a whole, unlike the event. */
  #payload(): Recording['payload'] {
    try {
      const payload: unknown = JSON.parse(this.#record.payload);
      if (typeof payload === 'object' && payload !== null) return this.#named(this.#values.json(payload, ''));
    } catch {
      // It was typed as something else than JSON, or its text was cut.
    }
    return this.#named(this.#values.value(this.#start.payload, ''));
  }

  #named(payload: Recording['payload']): Recording['payload'] {
    for (const name of Object.keys(Object(payload) as object)) this.#names.add(`/${name}`);
    return payload;
  }

  #add(event: AgentEvent): void {
    if (event.kind === 'step-started') this.#started(event);
    else if (event.kind === 'step-ended') this.#ended(event);
    else if (event.kind === 'context-edited' || event.kind === 'context-changed') this.#changed(event);
    else if (event.kind === 'step-retried') this.#retried(event);
    else if (event.kind === 'run-ended') this.#ranToEnd(event);
  }

  #started({ step: id, parent, path, iteration, stepKind, name, at, changes = [] }: EventOf<'step-started'>): void {
    if (path === null || this.#indexes.has(id)) return;
    if (parent !== null) this.#parents.add(parent);
    // A step within another one that had failed: that one got another outcome.
    const outer = this.#steps[this.#indexes.get(parent ?? -1) ?? -1];
    if (outer) this.#keepChanges(outer);
    const own = this.#changes(changes);
    const late = [...this.#late.splice(0), ...(own.length > 0 ? [{ changes: own }] : [])];
    this.#indexes.set(id, this.#steps.length);
    this.#steps.push({
      kind: stepKind,
      path,
      ...(iteration.length > 0 && { iteration }),
      ...(stepKind === 'function' && { name }),
      at,
      milliseconds: 0,
      state: 'stopped',
      ...(late.length > 0 && { late }),
    });
  }

  #ended({ step: id, state, at, value, error, iterations, branch, replaced, ...rest }: EventOf<'step-ended'>): void {
    const step = this.#steps[this.#indexes.get(id) ?? -1];
    if (!step) return;
    step.milliseconds = Math.max(0, at - step.at);
    step.state = state;
    if (value && value.t !== 'undefined') step.value = this.#values.value(value);
    if (error && (step.kind === 'function' || replaced !== undefined)) step.error = this.#thrown(error, step);
    if (iterations !== undefined) step.iterations = iterations;
    if (branch !== undefined) step.branch = branch;
    const changes = this.#changes(rest.changes);
    if (rest.shallow) for (const change of this.#unseen()) changes.push(change);
    if (replaced !== undefined) step.replaced = replaced;
    // A recording has what a function changes before its nested steps.
    this.#addChanges(step, changes, step.kind === 'function' && !this.#parents.has(id));
  }

  #addChanges(step: RecordedStep, changes: RecordedChange[], areOwn: boolean): void {
    // An outcome that was chosen instead of the failure follows what was edited.
    if (step.replaced !== undefined) this.#keepChanges(step);
    const afterFailure = this.#afterFailure.splice(0);
    if (!areOwn) {
      // The attempt was another step’s.
      for (const { attempt: _attempt, ...late } of [...afterFailure, { changes }])
        if (late.changes.length > 0) this.#late.push(late);
      return;
    }
    if (changes.length > 0) step.changes = changes;
    addEdits(step, afterFailure);
  }

  #changed({ kind, step: id, attempt, changes: given }: EventOf<'context-edited' | 'context-changed'>): void {
    const step = this.#steps[this.#indexes.get(id) ?? -1];
    if (!step) return;
    const changes = this.#changes(given);
    const isEdit = kind === 'context-edited';
    const late: LateChanges = { changes, ...(isEdit && { by: 'edit' }), ...(attempt !== undefined && { attempt }) };
    // After a failure, it counts only if the step has another outcome.
    if (attempt === undefined) (step.late ??= []).push(late);
    else this.#afterFailure.push(late);
  }

  #retried({ step: id, error }: EventOf<'step-retried'>): void {
    const step = this.#steps[this.#indexes.get(id) ?? -1];
    if (!step) return;
    this.#keepChanges(step);
    (step.attempts ??= []).push(step.kind === 'function' ? this.#thrown(error, step) : this.#errorOf(error));
  }

  #keepChanges(step: RecordedStep): void {
    const kept = this.#afterFailure.splice(0);
    if (kept.length > 0) (step.late ??= []).push(...kept);
  }

  #ranToEnd({ state, result, error, milliseconds }: EventOf<'run-ended'>): void {
    this.#milliseconds = milliseconds;
    // Steps are missing, so it’s unknown whether the run has ended.
    if (this.#isPartial) return;
    if (state === 'failed' && error) this.#end = { state, error: this.#errorOf(error) };
    else if (state === 'completed') this.#end = { state, result: this.#values.value(result ?? { t: 'undefined' }) };
    else this.#end = { state: 'stopped' };
  }

  #changes(changes: readonly Change[]): RecordedChange[] {
    return changes.flatMap(({ path, after }): RecordedChange[] => {
      // The whole context isn’t replaced in a run of our engine.
      if (path === '' || LOOP_NAMES.has(path) || this.#values.isInsideOfLost(path)) return [];
      this.#values.forget(path);
      if (path.lastIndexOf('/') === 0) this.#names.add(path);
      return [after === undefined ? [path] : [path, this.#values.value(after, path)]];
    });
  }

  /** The context was too large to compare, so that anything in it can have changed. */
  #unseen(): RecordedChange[] {
    const unseen = [...this.#names].map((path): RecordedChange => [path, this.#values.lose(path)]);
    // They stay lost until they’re set again.
    this.#names.clear();
    return unseen;
  }

  /** What a function threw. The event has the engine’s error, whose message quotes it. */
  #thrown(error: RemoteError, { name }: RecordedStep): RecordedError {
    const { errorType, errorMessage, thrown } = error;
    if (thrown) return { name: '', message: '', thrown: this.#values.value(thrown) };
    const prefix = `${name} failed: `;
    return {
      name: errorType,
      message: errorMessage.startsWith(prefix) ? errorMessage.slice(prefix.length) : errorMessage,
    };
  }

  #errorOf({ errorType, errorMessage, code, path, iteration, thrown }: RemoteError): RecordedError {
    return {
      name: errorType,
      message: errorMessage,
      ...(code !== null && { code }),
      ...(path !== null && { path, iteration }),
      ...(thrown && { thrown: this.#values.value(thrown) }),
    };
  }
}
