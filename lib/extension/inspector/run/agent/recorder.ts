/** Records the events of one run: when steps start and end, and what happens during each step. */
import { describe } from '../../agent/describe.ts';
import type { Budget } from '../../agent/describe-cursor.ts';
import type { Handles } from '../../agent/handles.ts';
import { floor, now } from '../../agent/pristine.ts';
import type { AgentEventBody, Change, PageState, RemoteValue, StepState } from '../../contract.ts';
import type { ConsoleLevel } from './console.ts';
import { ContextDiff } from './context-diff.ts';
import { integers, remoteError } from './remote-error.ts';
import type { RunLog } from './run-log.ts';

const SETTINGS: Budget = { nodes: 200, chars: 8_000, depth: 5 };
const CHANGE: Budget = { nodes: 60, chars: 2_000, depth: 4 };
const CONTEXT: Budget = { nodes: 2_000, chars: 100_000, depth: 12 };
const CONSOLE: Budget = { nodes: 100, chars: 8_000, depth: 4 };
const RESULT: Budget = { nodes: 2_000, chars: 60_000, depth: 10 };
const MAX_CONSOLE_ARGS = 50;

/** A step as reported by the engine or a wrapped call. All of its data is untrusted. */
export interface ReportedStep {
  path: unknown;
  iteration: unknown;
  kind: unknown;
  name: unknown;
  settings: unknown;
  context: unknown;
}
interface OpenStep {
  key: object;
  step: number;
  path: string | null;
  iteration: number[];
  name: string;
  context: unknown;
}
type StepEnding = { state: StepState; value?: unknown; error?: unknown; iterations?: unknown; branch?: unknown };

export interface RunEnding {
  value?: unknown;
  error?: unknown;
  bytes?: number | null;
  /** The result's complete JSON text. */
  text?: string;
  goesOn?: boolean;
}

export class Recorder {
  readonly #runId: string;
  readonly #payload: object;
  readonly #log: RunLog;
  readonly #handles: Handles;
  readonly #diff: ContextDiff;
  readonly #startedAt = now();
  readonly #open: OpenStep[] = [];
  #lastFailed: OpenStep | null = null;
  #steps = 0;
  #requests = 0;

  /** @param payload the parsed payload, which is the run's initial context */
  constructor(runId: string, payload: object, log: RunLog, handles: Handles) {
    this.#runId = runId;
    this.#payload = payload;
    this.#log = log;
    this.#handles = handles;
    this.#diff = new ContextDiff(payload, (value) => describe(value, CHANGE, handles));
  }

  runStarted(tracing: PageState['tracing'], startedAt: number): void {
    this.#handles.runStarted();
    const context = describe(this.#payload, CONTEXT, this.#handles);
    this.#add({ kind: 'run-started', tracing, payload: context, context, startedAt });
  }

  /** @param key identifies the step in the later call of `stepEnded` */
  stepStarted(key: object, reported: ReportedStep): void {
    const stepKind = reported.kind === 'loop' || reported.kind === 'if' ? reported.kind : 'function';
    const started: OpenStep = {
      key,
      step: ++this.#steps,
      path: typeof reported.path === 'string' ? reported.path : null,
      iteration: integers(reported.iteration),
      name: typeof reported.name === 'string' ? reported.name : stepKind,
      context: reported.context,
    };
    const { changes } = this.#compare(reported.context);
    this.#add({
      kind: 'step-started',
      step: started.step,
      parent: this.#currentStep(),
      path: started.path,
      iteration: started.iteration,
      stepKind,
      name: started.name,
      settings: describe(reported.settings, SETTINGS, this.#handles),
      changes: changes.length ? changes : undefined,
    });
    this.#open[this.#open.length] = started;
  }

  stepEnded(key: object, ending: StepEnding): void {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      if (this.#open[i]!.key !== key) continue;
      // Some runtimes don't report the end of every step, so nested steps that are still open end with this one.
      while (this.#open.length > i + 1) this.#closeLast({ state: ending.state, error: ending.error });
      this.#closeLast(ending);
      return;
    }
  }

  console(level: ConsoleLevel, given: unknown[]): void {
    const args: RemoteValue[] = [];
    for (let i = 0; i < given.length && i < MAX_CONSOLE_ARGS; i++) args[i] = describe(given[i], CONSOLE, this.#handles);
    this.#add({ kind: 'console', step: this.#currentStep(), level, args });
  }

  requestStarted(method: string, url: string): number {
    this.#add({ kind: 'request-started', step: this.#currentStep(), request: ++this.#requests, method, url });
    return this.#requests;
  }

  requestEnded(request: number, status: number | null, bytes: number | null, error?: string): void {
    this.#add({ kind: 'request-ended', request, status, bytes, error });
  }

  /** Also ends all steps that are still open. */
  runEnded(state: 'completed' | 'failed' | 'stopped', ending: RunEnding): void {
    const error = state === 'failed' ? this.#describeError(ending.error) : undefined;
    while (this.#open.length) this.#closeLast({ state, error: ending.error });
    const isCompleted = state === 'completed';
    this.#add({
      kind: 'run-ended',
      state,
      milliseconds: this.#elapsed(),
      error,
      result: isCompleted ? describe(ending.value, RESULT, this.#handles) : undefined,
      resultBytes: isCompleted ? (ending.bytes ?? null) : undefined,
      resultText: ending.text === undefined ? undefined : this.#handles.add(ending.text),
      goesOn: ending.goesOn || undefined,
    });
  }

  #add(body: AgentEventBody): void {
    this.#log.add(this.#runId, this.#elapsed(), body);
  }

  /** Milliseconds since the start, with microsecond precision. */
  #elapsed(): number {
    return floor((now() - this.#startedAt) * 1_000) / 1_000;
  }

  #compare(context: unknown): { changes: Change[]; shallow: boolean } {
    return typeof context === 'object' && context !== null
      ? this.#diff.compare(context)
      : { changes: [], shallow: false };
  }

  #currentStep(): number | null {
    return this.#open.length ? this.#open[this.#open.length - 1]!.step : null;
  }

  #closeLast(ending: StepEnding): void {
    const ended = this.#open[this.#open.length - 1]!;
    this.#open.length--;
    const { changes, shallow } = this.#compare(ended.context);
    if (ending.state === 'failed' && this.#lastFailed === null) this.#lastFailed = ended;
    const { value, iterations, branch } = ending;
    this.#add({
      kind: 'step-ended',
      step: ended.step,
      state: ending.state,
      value: value === undefined ? undefined : describe(value, SETTINGS, this.#handles),
      error: ending.state === 'failed' ? this.#describeError(ending.error) : undefined,
      iterations: typeof iterations === 'number' ? iterations : undefined,
      branch: typeof branch === 'number' || branch === 'else' || branch === null ? branch : undefined,
      changes,
      shallow: shallow || undefined,
    });
  }

  #describeError(thrown: unknown): ReturnType<typeof remoteError> {
    return remoteError(thrown, this.#handles, (path, iteration) => this.#nameAt(path, iteration));
  }

  /** The failing step's name, if the step is still open or was the first to fail. */
  #nameAt(path: string, iteration: number[]): string | null {
    for (let i = this.#open.length - 1; i >= 0; i--) {
      const step = this.#open[i]!;
      if (step.path === path && step.iteration.length === iteration.length) return step.name;
    }
    return this.#lastFailed?.path === path ? this.#lastFailed.name : null;
  }
}
