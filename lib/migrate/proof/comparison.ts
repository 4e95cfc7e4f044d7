/** Runs V3 code beside a recorded V2 run: at each step, both must be at the same place and see the same. */
import { contextDifferences } from '../../debugging/compare/context-differences.ts';
import type { RecordedChange } from '../../debugging/recording/context-changes.ts';
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../debugging/recording/values.ts';
import { applyChanges } from '../../debugging/replay/apply-changes.ts';
import { errorOf } from '../../debugging/replay/recorded-steps.ts';
import { RecordingWalk } from '../../debugging/replay/walk.ts';
import type { Context, PipelineStep } from '../../pipeline/types.ts';
import type { CodeEnd, CodeObserver } from './code-steps.ts';
import { ContextComparison } from './contexts/contexts.ts';
import { endText, errorText, isSameFailure, NOT_ENDING, whyIncomplete } from './ends.ts';
import { type Call, expectedCalls } from './expected-calls.ts';
import { GivenSettings } from './given-settings.ts';
import { never, PROBES, v3Globals } from './globals.ts';
import type { Comparison, Difference, LoadCode, WhenIdle } from './types.ts';

interface Current {
  recorded: RecordedStep;
  /** Absent for loops and `if` steps. */
  expected: Call[] | null;
  made: Call[];
  /** How many of them the code hasn’t waited for yet. */
  waiting: number;
  /** How many of the recorded times and random numbers its conditions have read. */
  read: { now: number; random: number };
  /** Whether it reads others. */
  readsClock: boolean;
}

/** Until then, code that doesn’t wait for a call has ended, or is at its next step. */
const TURNS = 12;

/** Ends the code’s run. The code can catch it. */
const ended = (): Error => new Error('The run has ended.');

export class RunComparison {
  readonly #recording: Recording;
  readonly #dataSources: ReadonlyMap<string, number> | undefined;
  readonly #walk: RecordingWalk;
  readonly #comparison: Comparison = { differences: [], unknown: [], steps: 0, isWhole: false };
  /** The recorded run’s context, which moves on with the steps. */
  #context: Context = {};
  #next: { recorded: RecordedStep; definition: unknown } | null = null;
  #current: Current | null = null;
  #onStopped: () => void = () => undefined;
  readonly #thrown = new Set<unknown>();
  readonly #given = new GivenSettings();
  readonly #contexts: ContextComparison;
  readonly #observer: CodeObserver | undefined;

  constructor(recording: Recording, dataSources?: ReadonlyMap<string, number>, observer?: CodeObserver) {
    this.#recording = recording;
    this.#dataSources = dataSources;
    this.#observer = observer;
    this.#contexts = new ContextComparison(recording);
    this.#walk = new RecordingWalk(recording, {
      started: ({ recorded, definition }, context) => {
        this.#next = { recorded, definition };
        this.#context = context;
        this.#onStarted();
      },
      ended: () => undefined,
    });
  }

  /** @param code instrumented */
  async run(code: string, load: LoadCode, whenIdle?: WhenIdle): Promise<Comparison> {
    const stopped = new Promise<'stopped'>((resolve) => (this.#onStopped = () => resolve('stopped')));
    const globals = v3Globals({
      call: (call) => this.#call(call),
      outcome: () => this.#outcome(),
      context: () => this.#context,
      clock: (kind) => this.#clock(kind),
    });
    const values: Record<string, unknown> = {
      ...globals,
      __at: (path: string, data?: Context, keepsObjects?: boolean) => this.#at(path, data, keepsObjects === true),
      __packages: { get: (name: string) => this.#package(name) },
    };
    const names = [...Object.keys(globals), ...PROBES];
    const execution = (async () => {
      let end: CodeEnd;
      try {
        const execute = load(code, names)(...names.map((name) => values[name]));
        end = { result: await execute({ payload: readValue(this.#recording.payload) }) };
      } catch (error) {
        end = { error };
      }
      if (!this.#isStopped) this.#ended(end);
    })();
    let isOver = false;
    whenIdle?.(() => isOver || this.#note('failure', endText(this.#recording), NOT_ENDING));
    await Promise.race([execution, stopped]);
    isOver = true;
    const incomplete = whyIncomplete(this.#recording);
    if (incomplete !== null && this.#comparison.differences.length === 0) this.#unknown(incomplete);
    return this.#comparison;
  }

  #isStopped = false;
  /** Whether a step’s comparison didn’t end, such as on a full stack, whose error the code can catch. */
  #isBroken = false;

  /** Nothing after this can be compared. */
  #end(): void {
    this.#isStopped = true;
    this.#onStopped();
  }

  #stop(): never {
    this.#end();
    throw ended();
  }

  #differ(...difference: [what: Difference['what'], v2: unknown, v3: unknown, place?: string]): never {
    this.#note(...difference);
    throw ended();
  }

  /** Notes the first difference, after which nothing can be compared. */
  #note(what: Difference['what'], v2: unknown, v3: unknown, place?: string): void {
    const { path = '', iteration = [] } = this.#current?.recorded ?? {};
    this.#comparison.differences.push({ what, path, iteration, ...(place !== undefined && { place }), v2, v3 });
    this.#end();
  }

  #unknown(reason: string): void {
    this.#comparison.unknown.push({ path: this.#current?.recorded.path ?? '', reason });
  }

  /** What happens while the walk is at a step, before the step’s own changes. */
  #onStarted: () => void = () => undefined;

  async #at(path: string, data: Context | undefined, keepsObjects: boolean): Promise<void> {
    if (this.#isStopped || this.#isBroken) throw ended();
    this.#isBroken = true;
    this.#finish(data);
    this.#next = null;
    this.#onStarted = () => this.#arrive(path, data, keepsObjects);
    this.#walk.advance(1);
    if (this.#next === null) this.#beyond(path, data);
    this.#isBroken = false;
    // As in V2, other code can run between steps.
    await undefined;
  }

  #beyond(path: string, data: Context | undefined): never {
    const { state } = this.#recording.end;
    if (state === 'stopped' || state === 'interrupted') return this.#stop();
    this.#observer?.started(path, null, data);
    return this.#differ('order', null, path);
  }

  #arrive(path: string, data: Context | undefined, keepsObjects: boolean): void {
    if (!this.#next) return;
    const { recorded, definition } = this.#next;
    if (recorded.path !== path) {
      this.#observer?.started(path, null, data);
      this.#differ('order', recorded.path, path);
    }
    const isFunction = recorded.kind === 'function';
    this.#current = { recorded, expected: null, made: [], waiting: 0, read: { now: 0, random: 0 }, readsClock: false };
    this.#comparison.steps++;
    for (const { changes } of recorded.late ?? []) if (data) applyChanges(data, changes);
    this.#observer?.started(path, recorded, data);
    this.#compareContexts(data, keepsObjects);
    if (isFunction) this.#current.expected = this.#attempt(() => this.#expectedCalls(definition as PipelineStep));
  }

  #expectedCalls(step: PipelineStep): Call[] {
    return structuredClone(expectedCalls(step, this.#context, this.#dataSources));
  }

  /** Null if it depends on a value that the recording doesn’t have. */
  #attempt<T>(use: () => T): T | null {
    try {
      return use();
    } catch (thrown) {
      if (!(thrown instanceof LostValueError)) throw thrown;
      this.#unknown(thrown.message);
      return null;
    }
  }

  #compareContexts(data: Context | undefined, keepsObjects: boolean): void {
    const { difference, unknown } = this.#contexts.compare(this.#context, data, this.#current!.recorded, keepsObjects);
    if (unknown !== null) this.#unknown(`The context’s ${unknown} isn’t in the recording.`);
    if (difference) this.#differ('context', difference.before, difference.now, difference.path);
  }

  #call(call: Call): boolean {
    if (this.#isStopped) return false;
    if (!this.#current) this.#note('call', null, call[0]);
    this.#current?.made.push(call);
    return !this.#isStopped;
  }

  /** Ends a call as the step ended in V2. Never settles if the code hasn’t waited. */
  async #outcome(): Promise<unknown> {
    const current = this.#current;
    if (!current) return never();
    current.waiting++;
    for (let turn = 0; turn < TURNS; turn++) await undefined;
    if (this.#isStopped || current !== this.#current || current.recorded.state === 'stopped') {
      if (current.recorded.state === 'stopped') this.#end();
      return never();
    }
    current.waiting--;
    const { state, error, value } = current.recorded;
    if (state === 'skipped') throw undefined;
    if (error) {
      const thrown = errorOf(error);
      this.#thrown.add(thrown);
      throw thrown;
    }
    return value === undefined ? undefined : this.#attempt(() => readValue(value));
  }

  #clock(kind: 'now' | 'random'): number {
    const current = this.#current;
    const value = current?.recorded.kind === 'if' ? current.recorded[kind]?.[current.read[kind]++] : undefined;
    if (value === undefined && current) current.readsClock = true;
    return value ?? (kind === 'now' ? Date.now() : Math.random());
  }

  #change(data: Context, changes: readonly RecordedChange[]): void {
    this.#contexts.changing(data, changes);
    applyChanges(data, changes);
  }

  /** A user’s package: what it did to the context, and how it ended. */
  #package(name: string): (settings: unknown, data: Context) => unknown {
    return (settings, data) => {
      if (!this.#call(['package', name, structuredClone(settings)])) return never();
      if (this.#given.has(settings)) this.#note('call', 'settings of its own', 'settings of an earlier call');
      if (this.#isStopped) return never();
      const recorded = this.#current?.recorded;
      if (recorded?.changes) this.#change(data, recorded.changes);
      // Only a rejection skips the nested steps.
      if (recorded?.state === 'failed' && recorded.error && errorOf(recorded.error) === undefined) {
        this.#thrown.add(undefined);
        throw undefined;
      }
      return this.#outcome();
    };
  }

  /** Compares the calls of the step that has ended. */
  #finish(data?: Context): void {
    const current = this.#current;
    if (!current) return;
    if (current.readsClock && data) {
      this.#unknown('The step reads the time or a random number.');
      this.#change(data, current.recorded.changes ?? []);
    }
    const { expected, made } = current;
    this.#observer?.called(expected, made);
    if (current.waiting > 0) this.#differ('call', 'waits for the call', 'doesn’t wait');
    if (!expected) return;
    if (current.recorded.error && made.length === 0 && expected.length === 0) return;
    // A step that failed might not have made all of its calls.
    const wanted = current.recorded.error ? expected.slice(0, made.length) : expected;
    const [difference] = contextDifferences(wanted, made, { limit: 1 });
    if (difference) this.#differ('call', wanted, made);
  }

  #ended(end: CodeEnd): void {
    try {
      this.#observer?.ended(end);
      if (this.#isBroken) return this.#unknown('The step’s comparison failed.');
      if ('error' in end && end.error instanceof LostValueError) return this.#unknown(end.error.message);
      if ('error' in end && end.error instanceof SyntaxError && this.#comparison.steps === 0)
        this.#differ('code', null, end.error.message);
      // Says more than the calls that the step didn’t make.
      if ('error' in end && !this.#isSameFailure(end.error))
        this.#differ('failure', endText(this.#recording), errorText(end.error));
      this.#finish();
      this.#compareEnds(end);
    } catch (thrown) {
      if (!this.#isStopped) throw thrown;
    }
  }

  #compareEnds(end: CodeEnd): void {
    const { end: recorded } = this.#recording;
    this.#onStarted = () => this.#differ('order', this.#next?.recorded.path, null);
    if (recorded.state === 'completed' || 'result' in end) this.#walk.advance(1);
    if (recorded.state === 'completed' && 'result' in end) {
      const result = this.#attempt(() => ({ value: readValue(recorded.result) }));
      const [difference] = result ? contextDifferences(result.value, end.result, { limit: 1 }) : [];
      if (result && difference) this.#differ('result', result.value, end.result);
      this.#comparison.isWhole = true;
      return;
    }
    if (recorded.state !== 'failed' || 'result' in end) this.#differ('failure', endText(this.#recording), 'completed');
    this.#comparison.isWhole = true;
  }

  #isSameFailure(error: unknown): boolean {
    return isSameFailure(error, this.#recording, this.#current?.recorded, this.#thrown);
  }
}
