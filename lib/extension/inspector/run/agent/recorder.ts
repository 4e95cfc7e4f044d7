/** Records the events of one run: when steps start and end, and what happens during each step. */
import type { ChangedNames } from '../../../../debugging/recording/changed-names.ts';
import { describe, describeCompactly } from '../../agent/describe/describe.ts';
import { type Budget, cut } from '../../agent/describe/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { writtenLength } from '../../agent/json.ts';
import type { RequestDetails } from '../../agent/network/network.ts';
import { activeNow as now, startActiveTime } from '../../agent/page-status.ts';
import { floor } from '../../agent/pristine.ts';
import type { AgentEventBody, ConsoleLevel, RemoteError, RemoteValue, StepState } from '../../contract.ts';
import { type CompactChange, ENDED, STARTED, type StepRest } from '../event-format.ts';
import { ContextDiff } from './context-diff.ts';
import { integers, isSameList, remoteError } from './remote-error.ts';
import { type RunLog, sizeOfEnd, stateNumber, type StepEntry } from './run-log.ts';
import { type ReportedStep, Sites } from './sites.ts';

const VALUE: Budget = { nodes: 200, chars: 8_000, depth: 5 };
const CHANGE: Budget = { nodes: 60, chars: 2_000, depth: 4 };
const CONTEXT: Budget = { nodes: 2_000, chars: 100_000, depth: 12 };
const CONSOLE: Budget = { nodes: 100, chars: 8_000, depth: 4 };
const RESULT: Budget = { nodes: 2_000, chars: 60_000, depth: 10 };
const MAX_CONSOLE_ARGS = 50;
/** Tracing can take this many milliseconds plus this share of the run’s time. Beyond, contexts are compared in haste. */
const FREE_TIME = 50;
const TIME_SHARE = 0.5;
/** The size of a value that one comparison visits: normally, in haste, and when tracing takes even more time. */
const MAX_NODES = 20_000;
const MAX_NODES_IN_HASTE = 500;
const FEW_NODES = 30;
/** The length of a step without changes, in characters, more or less. */
const STEP_LENGTH = 50;
const NONE: CompactChange[] = [];
const TOP_LEVEL: readonly number[] = [];

interface OpenStep {
  key: object;
  path: string | null;
  iteration: readonly number[];
  name: string;
  context: unknown;
  entry: StepEntry;
}
interface StepEnding {
  state: StepState;
  value?: unknown;
  error?: unknown;
  iterations?: unknown;
  branch?: unknown;
  replaced?: unknown;
}

/** What `run-started` reports, apart from the payload. */
export type RunStart = Omit<Extract<AgentEventBody, { kind: 'run-started' }>, 'kind' | 'payload' | 'context'>;

export interface RunEnding {
  value?: unknown;
  error?: unknown;
  bytes?: number | null;
  /** The result's complete JSON text. */
  text?: string;
  goesOn?: boolean;
  stoppedBy?: 'page-left' | undefined;
}

/** A run that isn't happening now, such as a recorded one. */
export interface PastRun {
  /** Its clock, in milliseconds since the run started. */
  time: () => number;
  /** What has changed in the context since the last `clear`. */
  changed: ChangedNames & { clear: () => void };
}

export class Recorder {
  readonly #runId: string;
  readonly #payload: object;
  readonly #log: RunLog;
  readonly #handles: Handles;
  readonly #diff: ContextDiff;
  readonly #sites: Sites;
  readonly #past: PastRun | null;
  readonly #startedAt: number;
  readonly #open: OpenStep[] = [];
  #lastFailed: OpenStep | null = null;
  #lastIteration = TOP_LEVEL;
  #steps = 0;
  #requests = 0;
  /** Milliseconds that recording has taken so far. */
  #tracing = 0;

  /**
   * @param payload the parsed payload, which is the run's initial context
   * @param past by default, the run is happening in the page
   */
  constructor(runId: string, payload: object, log: RunLog, handles: Handles, past: PastRun | null = null) {
    this.#runId = runId;
    this.#past = past;
    this.#startedAt = past ? now() : startActiveTime();
    this.#payload = payload;
    this.#log = log;
    this.#handles = handles;
    this.#diff = new ContextDiff(payload, (value) => describeCompactly(value, CHANGE, handles));
    this.#sites = new Sites((settings) => describeCompactly(settings, VALUE, handles));
  }

  runStarted(start: RunStart): void {
    this.#handles.runStarted();
    this.#log.forgetRead();
    const context = describe(this.#payload, CONTEXT, this.#handles);
    this.add({ kind: 'run-started', payload: context, context, ...start });
  }

  /** @param key identifies the step in the later call of `stepEnded` */
  stepStarted(key: object, reported: ReportedStep): void {
    const from = now();
    const site = this.#sites.siteOf(reported);
    const path = site.definition[1];
    const name = site.definition[3];
    const iteration = this.#iterationOf(reported.iteration);
    const { context } = reported;
    const isObject = typeof context === 'object' && context !== null;
    const changes = isObject ? this.#diff.compareProperties(context, this.#maxNodes(from), this.#past?.changed) : NONE;
    const entry: StepEntry = {
      type: STARTED,
      n: 0,
      runId: this.#runId,
      size: STEP_LENGTH + (changes.length ? writtenLength(changes) : 0),
      step: ++this.#steps,
      at: 0,
      parent: this.currentStep() ?? 0,
      site,
      iteration,
      changes,
      end: 0,
      state: 0,
      endChanges: NONE,
      rest: undefined,
    };
    this.#log.add(entry);
    this.#open[this.#open.length] = { key, path, iteration, name, context, entry };
    // A step's time doesn't include the time that recording its start takes.
    const at = now();
    entry.at = this.#microseconds(at);
    this.#tracing += at - from;
  }

  stepEnded(key: object, ending: StepEnding): void {
    const from = now();
    for (let i = this.#open.length - 1; i >= 0; i--) {
      if (this.#open[i]!.key !== key) continue;
      // Some runtimes don't report the end of every step, so nested steps that are still open end with this one.
      while (this.#open.length > i + 1) this.#closeLast({ state: ending.state, error: ending.error }, from);
      this.#closeLast(ending, from);
      break;
    }
    this.#tracing += now() - from;
  }

  console(level: ConsoleLevel, given: unknown[]): void {
    const from = now();
    const args: RemoteValue[] = [];
    for (let i = 0; i < given.length && i < MAX_CONSOLE_ARGS; i++) args[i] = describe(given[i], CONSOLE, this.#handles);
    this.add({ kind: 'console', step: this.currentStep(), level, args });
    this.#tracing += now() - from;
  }

  requestStarted(method: string, url: string, { headers, body }: RequestDetails): number {
    const step = this.currentStep();
    this.add({ kind: 'request-started', step, request: ++this.#requests, method, url, headers, body });
    return this.#requests;
  }

  requestEnded(
    request: number,
    status: number | null,
    bytes: number | null,
    error: string | undefined,
    { headers, body }: RequestDetails,
  ): void {
    this.add({ kind: 'request-ended', request, status, bytes, error, headers, body });
  }

  /** Counts what reading the log during the run takes. */
  tookToRead(milliseconds: number): void {
    this.#tracing += milliseconds;
  }

  /** Also ends all steps that are still open. */
  runEnded(state: 'completed' | 'failed' | 'stopped', ending: RunEnding): void {
    const milliseconds = this.#elapsed();
    const error = state === 'failed' ? this.describeError(ending.error) : undefined;
    while (this.#open.length) this.#closeLast({ state, error: ending.error }, now());
    const isCompleted = state === 'completed';
    this.add({
      kind: 'run-ended',
      state,
      milliseconds,
      tracingMilliseconds: floor(this.#tracing * 1_000) / 1_000,
      error,
      result: isCompleted ? describe(ending.value, RESULT, this.#handles) : undefined,
      resultBytes: isCompleted ? (ending.bytes ?? null) : undefined,
      resultText: ending.text === undefined ? undefined : this.#handles.add(ending.text),
      goesOn: ending.goesOn || undefined,
      stoppedBy: ending.stoppedBy,
    });
  }

  /** Reports anything but a step. */
  add(body: Exclude<AgentEventBody, { kind: 'step-started' | 'step-ended' }>): void {
    const n = this.#log.lastSeq() + 1;
    const event = { n, runId: this.#runId, at: this.#elapsed(), ...body };
    this.#log.add({ type: null, n, runId: this.#runId, size: writtenLength(event), event });
  }

  /** Milliseconds since the start, with microsecond precision. */
  #elapsed(): number {
    return this.#microseconds(now()) / 1_000;
  }

  /** @param time when it happened, by the page's clock */
  #microseconds(time: number): number {
    return floor((this.#past ? this.#past.time() : time - this.#startedAt) * 1_000);
  }

  /** The size of values that the next comparison visits. Small contexts are always compared. */
  #maxNodes(time: number): number {
    const over = this.#tracing - FREE_TIME - TIME_SHARE * (time - this.#startedAt);
    return over <= 0 ? MAX_NODES : over <= FREE_TIME ? MAX_NODES_IN_HASTE : FEW_NODES;
  }

  #iterationOf(reported: unknown): readonly number[] {
    if (!isSameList(reported, this.#lastIteration)) this.#lastIteration = integers(reported);
    return this.#lastIteration;
  }

  /** What has changed in the context since the last step event. */
  changesOf(context: object): CompactChange[] {
    return this.#compare(context, MAX_NODES);
  }

  #compare(context: object, maxNodes: number): CompactChange[] {
    const changed = this.#past?.changed;
    const changes = this.#diff.compare(context, maxNodes, changed);
    changed?.clear();
    return changes;
  }

  /** The innermost open step. */
  currentStep(): number | null {
    return this.#open.length ? this.#open[this.#open.length - 1]!.entry.step : null;
  }

  #closeLast(ending: StepEnding, time: number): void {
    const ended = this.#open[this.#open.length - 1]!;
    this.#open.length--;
    const { entry, context } = ended;
    const isObject = typeof context === 'object' && context !== null;
    const changes = isObject ? this.#compare(context, this.#maxNodes(time)) : NONE;
    if (ending.state === 'failed' && this.#lastFailed === null) this.#lastFailed = ended;
    const rest = this.#restOf(ending, isObject && this.#diff.isShallow);
    const end = this.#microseconds(time);
    const state = stateNumber(ending.state);
    if (this.#log.addEnd(entry, end, state, changes, rest)) return;
    const { runId, step, at, parent, iteration } = entry;
    this.#log.add({
      type: ENDED,
      n: 0,
      runId,
      size: STEP_LENGTH + sizeOfEnd(changes, rest),
      step,
      at,
      parent,
      site: null,
      iteration,
      changes: NONE,
      end,
      state,
      endChanges: changes,
      rest,
    });
  }

  #restOf(ending: StepEnding, isShallow: boolean): StepRest | undefined {
    const { state, value, error, iterations, branch, replaced } = ending;
    const isFailed = state === 'failed';
    const hasBranch = typeof branch === 'number' || branch === 'else' || branch === null;
    const isReplaced = typeof replaced === 'string';
    if (value === undefined && !isFailed && typeof iterations !== 'number' && !hasBranch && !isReplaced && !isShallow)
      return undefined;
    const rest: StepRest = {};
    if (isReplaced) rest.replaced = cut(replaced, 100);
    if (value !== undefined) rest.value = describeCompactly(value, VALUE, this.#handles);
    if (isFailed) rest.error = this.describeError(error);
    if (typeof iterations === 'number') rest.iterations = iterations;
    if (hasBranch) rest.branch = branch;
    if (isShallow) rest.shallow = true;
    return rest;
  }

  describeError(thrown: unknown): RemoteError {
    return remoteError(thrown, this.#handles, (path, iteration) => this.#nameAt(path, iteration));
  }

  /** The failing step's name, if the step is still open or was the first to fail. */
  #nameAt(path: string, iteration: readonly number[]): string | null {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const step = this.#open[i]!;
      if (step.path === path && step.iteration.length === iteration.length) return step.name;
    }
    return this.#lastFailed?.path === path ? this.#lastFailed.name : null;
  }
}
