/** Records a run inside its context. Recording never affects the run, whatever the run’s scripts have replaced. */
import { RunRecorder, type RunEnd } from '../../../debugging/recording/recorder.ts';
import type { ConditionSources, StepInfo, StepOutcome } from '../../../pipeline/index.ts';
import type { Order } from './host.ts';
import type { RunWatch } from './watch.ts';

/** In characters of JSON, about. It’s in the run’s own memory. */
const LIMIT = 4 * 1024 * 1024;

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const;

export class ContextRecording implements RunWatch {
  readonly #recorder: RunRecorder;
  /** Set if a step couldn’t be recorded. The recording would be wrong. */
  #isBroken = false;

  constructor({ env, payload }: Order, now: () => number) {
    const { taskPipeline: pipeline } = env;
    this.#recorder = new RunRecorder({ pipeline, payload, engine: 'server', limit: LIMIT, endsAtLimit: true, now });
  }

  readonly sources: ConditionSources = {
    now: () => this.#attempt(() => this.#recorder.sources.now!()) ?? Date.now(),
    random: () => this.#attempt(() => this.#recorder.sources.random!()) ?? Math.random(),
  };

  before(info: StepInfo): void {
    this.#attempt(() => this.#recorder.observer.before!(info));
  }

  after(info: StepInfo, outcome: StepOutcome): void {
    this.#attempt(() => this.#recorder.observer.after!(info, outcome));
  }

  line(level: string, values: readonly unknown[]): void {
    const known = LEVELS.find((each) => each === level) ?? 'log';
    this.#attempt(() => this.#recorder.console(known, values));
  }

  requestStarted(...[id, { method, url, headers }]: Parameters<RunWatch['requestStarted']>): void {
    this.#attempt(() => this.#recorder.requestStarted(id, { method, url, headers }));
  }

  requestEnded(...[id, { status, headers, error }]: Parameters<RunWatch['requestEnded']>): void {
    this.#attempt(() => this.#recorder.requestEnded(id, { status, headers, error }));
  }

  /** The recording as JSON. Null if the run couldn’t be recorded. */
  text(end: RunEnd, stringify: (value: unknown) => string): string | null {
    return this.#attempt(() => stringify(this.#recorder.finish(end))) ?? null;
  }

  #attempt<T>(record: () => T): T | undefined {
    if (this.#isBroken) return undefined;
    try {
      return record();
    } catch {
      this.#isBroken = true;
      return undefined;
    }
  }
}
