/**
 * Runs inside the context: the scripts, then the pipeline or the screen’s handler. Then reports the outcome in one
 * line.
 */
import type { Observer } from '../../../pipeline/types.ts';
import { failureOf, stepLine } from './failure.ts';
import type { FetchOutcome } from './fetch.ts';
import { LINE, type Host, type Order } from './host.ts';
import type { World } from './world.ts';

/** The runtime from `lib/actions`, which has no document here. */
export interface ServerRuntime {
  /** Runs `ENV.taskPipeline` with the payload. */
  run(observer: Observer): Promise<unknown>;
  /** The handler that the screen passed to `Platform.Page.onRemoteExecution`. */
  handler(): ((payload: Record<string, unknown>) => unknown) | null;
}
export type InstallRuntime = (environment: Pick<Order, 'baseUrl' | 'env' | 'payload'>) => ServerRuntime;

/** Minimum time between two reports of the current step, in milliseconds. Quick steps are sampled. */
const STEP_INTERVAL = 5;

export function start(host: Host, { log, tick, settleFetch }: World, installRuntime: InstallRuntime): void {
  // Saved before a run’s scripts can replace them.
  const { parse, stringify } = JSON;
  const now = Date.now;

  async function run(order: Order): Promise<void> {
    const steps: string[] = [];
    let reportedAt = 0;
    const observer: Observer = {
      before(info) {
        const time = now();
        if (time - reportedAt < STEP_INTERVAL) return;
        reportedAt = time;
        host.send(LINE.step + stringify(stepLine(info)));
      },
      after(info, outcome) {
        if (outcome.state === 'failed') steps.push(stepLine(info));
      },
    };
    try {
      const runtime = installRuntime(order);
      for (const { name, source } of order.scripts) {
        const problem = host.evaluate(source, `${order.baseUrl}v1/${name}`);
        if (problem !== null) log('error', `Couldn’t load ${name}: ${problem}`);
      }
      finish(await (order.screen ? callScreen(runtime, order.payload) : runtime.run(observer)), order.resultLimit);
    } catch (thrown) {
      host.send(LINE.failure + stringify(failureOf(thrown, steps)));
    }
  }

  function finish(value: unknown, limit: number): void {
    const text = write(value);
    const bytes = text === null ? Infinity : (host.byteLength(text) ?? Infinity);
    host.send(bytes > limit ? LINE.tooLarge + stringify(bytes === Infinity ? null : bytes) : LINE.result + text);
  }

  /** The result as JSON. Empty if there is no result, null if the JSON would exceed the maximum string length. */
  function write(value: unknown): string | null {
    try {
      return stringify(value) ?? '';
    } catch (error) {
      if (error instanceof RangeError && error.message === 'Invalid string length') return null;
      throw new TypeError(
        `Couldn’t convert the result to JSON: ${error instanceof Error ? error.message.split('\n')[0] : 'it throws'}.`,
        { cause: error },
      );
    }
  }

  host.receive = (text) => {
    if (text.startsWith('T')) tick(Number(text.slice(1)));
    else if (text.startsWith('A')) settleFetch(parse(text.slice(1)) as FetchOutcome);
    else if (text.startsWith('O')) void run(parse(text.slice(1)) as Order);
  };
}

async function callScreen(runtime: ServerRuntime, payload: Record<string, unknown>): Promise<unknown> {
  const handler = runtime.handler();
  if (!handler)
    throw new Error(
      'The screen has no Platform.Page.onRemoteExecution handler. Set it while the screen’s scripts load.',
    );
  return handler(payload);
}
