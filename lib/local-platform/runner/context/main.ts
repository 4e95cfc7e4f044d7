/**
 * Runs inside the context: the scripts, then the pipeline or the screen’s handler. Then reports the outcome in one
 * line, and the recording in another if the platform asks for it.
 */
import { describeFailure, resultText } from '../../../actions/run-failure.ts';
import type { PipelineRunOptions } from '../../../actions/pipeline.ts';
import { MockObserver, type Timer } from '../../../debugging/mocks/mock-observer.ts';
import type { RunEnd } from '../../../debugging/recording/recorder.ts';
import type { StepInfo } from '../../../pipeline/types.ts';
import { MISSING, RECORDING_LINE_LIMIT } from '../recording.ts';
import { stopClock } from './clock.ts';
import type { FetchOutcome } from './fetch.ts';
import { LINE, type Host, type Order } from './host.ts';
import { seedRandom } from './random.ts';
import { ContextRecording } from './recording.ts';
import type { Watched } from './watch.ts';
import type { World } from './world.ts';

/** The runtime from `lib/actions`, which has no document here. */
export interface ServerRuntime {
  /** Runs `ENV.taskPipeline` with the payload. */
  run(options: PipelineRunOptions): Promise<unknown>;
  /** The handler that the screen passed to `Platform.Page.onRemoteExecution`. */
  handler(): ((payload: Record<string, unknown>) => unknown) | null;
  /** Calls the `execute` function of the code that a script has registered. */
  execute(payload: Record<string, unknown>): Promise<unknown>;
}
export type InstallRuntime = (environment: Pick<Order, 'baseUrl' | 'env' | 'payload'>) => ServerRuntime;

// Saved before a run’s scripts can replace them.
const { parse, stringify } = JSON;
const { setTimeout, clearTimeout } = globalThis;

export function start(host: Host, { log, tick, settleFetch, watched }: World, installRuntime: InstallRuntime): void {
  const run = new ContextRun(host, log, watched);
  host.receive = (text) => {
    if (text.startsWith('T')) tick(Number(text.slice(1)));
    else if (text.startsWith('A')) settleFetch(parse(text.slice(1)) as FetchOutcome);
    else if (text.startsWith('O')) void run.run(parse(text.slice(1)) as Order, installRuntime);
    else if (text === 'X') run.sendRecording();
  };
}

class ContextRun {
  readonly #host: Host;
  readonly #log: World['log'];
  readonly #watched: Watched;
  readonly #stop = new AbortController();
  #recording: ContextRecording | null = null;
  #mocks: MockObserver | null = null;
  #end: RunEnd | null = null;

  constructor(host: Host, log: World['log'], watched: Watched) {
    this.#host = host;
    this.#log = log;
    this.#watched = watched;
  }

  async run(order: Order, installRuntime: InstallRuntime): Promise<void> {
    const { baseUrl, env, payload, scripts, screen, mocks, resultLimit } = order;
    if (order.time !== undefined) stopClock(order.time);
    if (order.seed !== undefined) seedRandom(order.seed);
    if (order.records) this.#recording = new ContextRecording(order, () => this.#host.now() ?? 0);
    this.#watched.current = this.#recording;
    if (mocks) this.#mocks = new MockObserver(mocks, { signal: this.#stop.signal, timer });
    try {
      const runtime = installRuntime(order);
      for (const { name, source } of scripts) {
        const problem = this.#host.evaluate(source, `${baseUrl}v1/${name}`);
        if (problem !== null) this.#log('error', `Couldn’t load ${name}: ${problem}`);
      }
      const result = await (order.code
        ? this.#execute(order, order.code, runtime)
        : screen
          ? callScreen(runtime, payload)
          : runtime.run(this.#options()));
      this.#end = { result };
      this.#finish(result, resultLimit);
    } catch (thrown) {
      this.#end ??= { error: thrown };
      this.#host.send(LINE.failure + stringify(describeFailure(thrown, env.taskPipeline)));
    }
  }

  /** Stops the run if it’s still running, and sends its recording until now. */
  sendRecording(): void {
    try {
      // Ends the open steps, which the recording then has as stopped.
      if (this.#end === null) this.#stop.abort();
    } catch {
      // A script has replaced what aborting needs.
    }
    const text = this.#recording?.text(this.#end ?? { interrupted: true }, stringify) ?? null;
    const isTooLarge = text !== null && (this.#host.byteLength(text) ?? Infinity) > RECORDING_LINE_LIMIT;
    if (text !== null && !isTooLarge) this.#host.send(LINE.recording + text);
    else this.#host.send(LINE.unrecorded + (isTooLarge ? MISSING.tooLarge : MISSING.failed));
  }

  async #execute(
    { baseUrl, payload }: Order,
    { source, name }: NonNullable<Order['code']>,
    runtime: ServerRuntime,
  ): Promise<unknown> {
    const problem = this.#host.evaluate(source, baseUrl + name);
    if (problem !== null) throw new SyntaxError(`Couldn’t load the action’s code: ${problem}.`);
    return runtime.execute(payload);
  }

  #options(): PipelineRunOptions {
    return {
      observer: {
        before: (info) => {
          this.#storeStep(info);
          this.#recording?.before(info);
          return this.#mocks?.before(info);
        },
        after: (info, outcome) => this.#recording?.after(info, outcome),
      },
      sources: this.#recording?.sources,
      signal: this.#stop.signal,
    };
  }

  /** Stores every step: if one never returns, the process can’t report anything later. */
  #storeStep({ path, iteration }: StepInfo): void {
    let text = path;
    for (let at = 0; at < iteration.length; at += 1) text += ` ${iteration[at]}`;
    this.#host.step(text);
  }

  #finish(value: unknown, limit: number): void {
    const text = resultText(value);
    const bytes = text === null ? Infinity : (this.#host.byteLength(text) ?? Infinity);
    const isTooLarge = bytes > limit;
    this.#host.send(isTooLarge ? LINE.tooLarge + stringify(bytes === Infinity ? null : bytes) : LINE.result + text);
  }
}

const timer: Timer = (callback, milliseconds) => {
  const id = setTimeout(callback, milliseconds);
  return () => clearTimeout(id);
};

async function callScreen(runtime: ServerRuntime, payload: Record<string, unknown>): Promise<unknown> {
  const handler = runtime.handler();
  if (!handler)
    throw new Error(
      'The screen has no Platform.Page.onRemoteExecution handler. Set it while the screen’s scripts load.',
    );
  return handler(payload);
}
