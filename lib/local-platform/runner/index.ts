/** Executes a run in a fresh process: enforces its limits, sends its requests, and reports its outcome. */
import * as v from 'valibot';
import { formatCount, plural } from '../../shared/format.ts';
import type { RunFailure, RunOutcome } from '../jobs/types.ts';
import { AddressRefused } from './addresses.ts';
import type { End } from './child.ts';
import { SAYS, type Order } from './context/host.ts';
import { RunRequestMessage, type RunFetch } from './fetch.ts';
import { createPool } from './pool.ts';

export interface RunnerOptions {
  /** Milliseconds. */
  time: number;
  /** Bytes of JSON. */
  result: number;
  /** Of V8's heap, in MB. */
  memory?: number;
  /** How many warm processes are kept ready. */
  spare: number;
  fetch: RunFetch;
}
export type RunOrder = Omit<Order, 'resultLimit'>;
export interface RunReport {
  outcome: RunOutcome;
  /** The first lines of the run’s console. */
  console: string[];
}
export interface Runner {
  /** Never rejects: failures are outcomes. Aborting kills the run, which then fails as interrupted. */
  run(order: RunOrder, signal?: AbortSignal): Promise<RunReport>;
  /** Resolves when the spare processes are ready. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

const MEMORY = 256;
const MOST_CONSOLE_LINES = 201;
const MOST_REQUESTS = 1_000;
const MOST_REQUESTS_AT_ONCE = 32;
/** All responses that a run has requested and not yet received, in bytes. They are in the platform’s memory. */
const PENDING_LIMIT = 24 * 1024 * 1024;
/** What a line holds besides the result. */
const LINE_ROOM = 1024 * 1024;
/** The largest request body, and so the longest line without a result. */
const REQUEST_LIMIT = 11 * 1024 * 1024;

const Failure = v.object({ errorType: v.string(), errorMessage: v.string(), trace: v.array(v.string()) });

export const INTERRUPTED: RunFailure = {
  errorType: 'Interrupted',
  errorMessage:
    'The platform stopped while the action was running. The action isn’t run again automatically, because it may have done part of its work.',
  trace: [],
};

export function createRunner({ time, result: resultLimit, memory = MEMORY, spare, fetch }: RunnerOptions): Runner {
  const pool = createPool(spare, { memory, time, lineLimit: Math.max(resultLimit, REQUEST_LIMIT) + LINE_ROOM });

  async function run(order: RunOrder, signal?: AbortSignal): Promise<RunReport> {
    const lines: string[] = [];
    let began = performance.now();
    const elapsed = (): number => Math.round(performance.now() - began);
    const failed = (code: 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE', failure: RunFailure): RunOutcome => ({
      state: 'failed',
      code,
      failure,
      milliseconds: elapsed(),
    });
    if (signal?.aborted) return { outcome: failed('ACTION_FAILED', INTERRUPTED), console: lines };
    let child;
    try {
      child = await pool.take();
    } catch (error) {
      return {
        outcome: failed('ACTION_FAILED', {
          errorType: 'RunnerUnavailable',
          errorMessage: (error as Error).message,
          trace: [],
        }),
        console: lines,
      };
    }
    if (signal?.aborted) {
      child.kill();
      return { outcome: failed('ACTION_FAILED', INTERRUPTED), console: lines };
    }
    const requests = new AbortController();
    let step = '';
    let requestCount = 0;
    let open = 0;
    let pending = 0;
    began = performance.now();
    const outcome = await new Promise<RunOutcome>((resolve) => {
      const at = (): string[] => (step ? [step] : []);
      const timeout = setTimeout(() => {
        const seconds = time / 1000;
        resolve(
          failed('TIMEOUT', {
            errorType: 'Timeout',
            errorMessage: `The action ran longer than ${plural(seconds, 'second')} and was stopped.`,
            trace: at(),
          }),
        );
      }, time);
      const stop = (): void => resolve(failed('ACTION_FAILED', { ...INTERRUPTED, trace: at() }));
      signal?.addEventListener('abort', stop, { once: true });
      requests.signal.addEventListener('abort', () => {
        clearTimeout(timeout);
        signal?.removeEventListener('abort', stop);
      });
      const respond = (id: number, content: object): Promise<void> =>
        child.send(`A${JSON.stringify({ id, ...content })}`);
      const receive = (line: string): void => {
        const [kind, text] = [line[0], line.slice(1)];
        if (kind === SAYS.result) resolve(completed(text));
        else if (kind === SAYS.tooLarge) resolve(tooLarge(Number(JSON.parse(text)) || null));
        else if (kind === SAYS.failure) resolve(failed('ACTION_FAILED', v.parse(Failure, JSON.parse(text))));
        else if (kind === SAYS.step) step = String(JSON.parse(text)).slice(0, 1_000);
        else if (kind === SAYS.console) {
          if (lines.length < MOST_CONSOLE_LINES) lines.push(String(JSON.parse(text)).slice(0, 2_100));
        } else if (kind === SAYS.request) void forward(v.parse(RunRequestMessage, JSON.parse(text)));
        else throw new TypeError('unknown');
      };
      async function forward(request: RunRequestMessage): Promise<void> {
        requestCount += 1;
        if (requestCount > MOST_REQUESTS)
          return respond(request.id, { error: `A run is limited to ${MOST_REQUESTS} requests.` });
        if (open >= MOST_REQUESTS_AT_ONCE)
          return respond(request.id, {
            error: `A run is limited to ${MOST_REQUESTS_AT_ONCE} concurrent requests. Wait for some first.`,
          });
        open += 1;
        let own = 0;
        const take = (bytes: number): void => {
          own += bytes;
          pending += bytes;
          if (pending > PENDING_LIMIT)
            throw new Error(
              `The pending responses of a run are limited to ${PENDING_LIMIT / 1024 / 1024} MB. Wait for some first.`,
            );
        };
        try {
          await respond(request.id, await fetch(request, requests.signal, take));
        } catch (error) {
          await respond(request.id, { error: textOf(error) });
        } finally {
          open -= 1;
          pending -= own;
        }
      }
      child.listen(
        (line) => {
          try {
            receive(line);
          } catch {
            resolve(
              failed('ACTION_FAILED', {
                errorType: 'RunnerEnded',
                errorMessage: 'The process of the run sent an unknown message and was stopped.',
                trace: at(),
              }),
            );
          }
        },
        (end, detail) => resolve(failed('ACTION_FAILED', { ...endOf(end, detail, memory), trace: at() })),
      );
      const completed = (text: string): RunOutcome => {
        // Checked here too, since the process isn’t trusted.
        if (Buffer.byteLength(text) > resultLimit) return tooLarge(Buffer.byteLength(text));
        return {
          state: 'completed',
          result: text === '' ? undefined : (JSON.parse(text) as unknown),
          milliseconds: elapsed(),
        };
      };
      const tooLarge = (bytes: number | null): RunOutcome => {
        const size = bytes === null ? 'is longer than a string can be' : `has ${formatCount(bytes)}`;
        const errorMessage = `The result is limited to ${formatCount(resultLimit)} bytes of JSON. This one ${size}.`;
        return failed('RESULT_TOO_LARGE', { errorType: 'ResultTooLarge', errorMessage, trace: at() });
      };
      void child.send(`O${JSON.stringify({ ...order, resultLimit } satisfies Order)}`);
    });
    requests.abort();
    child.listen(
      () => {},
      () => {},
    );
    child.kill();
    await child.gone;
    return { outcome, console: lines };
  }

  return { run, warm: () => pool.warm(), close: () => pool.close() };
}

/** The message of a failed request, and the hint if it has one. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  return error instanceof AddressRefused ? `${error.message} ${error.hint}` : error.message;
}

function endOf(end: End, detail: string, memory: number): Omit<RunFailure, 'trace'> {
  if (end === 'out-of-memory')
    return {
      errorType: 'OutOfMemory',
      errorMessage: `The action used more memory than the limit of ${memory} MB and was stopped.`,
    };
  if (end === 'flooded')
    return { errorType: 'TooMuchOutput', errorMessage: 'The action wrote more output than the limit and was stopped.' };
  return {
    errorType: 'RunnerEnded',
    errorMessage: `The process of the run ended before its action did${detail ? ` (${detail})` : ''}.`,
  };
}
