/**
 * Runs inside the context: the scripts, then the pipeline or the screen’s handler. Then reports the outcome in one
 * line.
 */
import { describeFailure, resultText } from '../../../actions/run-failure.ts';
import type { Observer } from '../../../pipeline/types.ts';
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

export function start(host: Host, { log, tick, settleFetch }: World, installRuntime: InstallRuntime): void {
  // Saved before a run’s scripts can replace them.
  const { parse, stringify } = JSON;
  const observer: Observer = {
    // Stores every step: if one never returns, the process can’t report anything later.
    before({ path, iteration }) {
      let text = path;
      for (let at = 0; at < iteration.length; at += 1) text += ` ${iteration[at]}`;
      host.step(text);
    },
  };

  async function run(order: Order): Promise<void> {
    try {
      const runtime = installRuntime(order);
      for (const { name, source } of order.scripts) {
        const problem = host.evaluate(source, `${order.baseUrl}v1/${name}`);
        if (problem !== null) log('error', `Couldn’t load ${name}: ${problem}`);
      }
      finish(await (order.screen ? callScreen(runtime, order.payload) : runtime.run(observer)), order.resultLimit);
    } catch (thrown) {
      host.send(LINE.failure + stringify(describeFailure(thrown, order.env.taskPipeline)));
    }
  }

  function finish(value: unknown, limit: number): void {
    const text = resultText(value);
    const bytes = text === null ? Infinity : (host.byteLength(text) ?? Infinity);
    host.send(bytes > limit ? LINE.tooLarge + stringify(bytes === Infinity ? null : bytes) : LINE.result + text);
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
