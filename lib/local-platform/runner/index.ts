/** Owns one run in a fresh process: its limits, its requests, and how it ended, whatever it did. */
import * as v from 'valibot';
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
  /** How many processes wait ready. */
  spare: number;
  fetch: RunFetch;
}
export type RunOrder = Omit<Order, 'resultLimit'>;
export interface RunReport {
  outcome: RunOutcome;
  /** The first lines that the run wrote to its console. */
  console: string[];
}
export interface Runner {
  /** Never rejects: what goes wrong is an outcome. Aborting kills the run, which then fails with `interrupted`. */
  run(order: RunOrder, signal?: AbortSignal): Promise<RunReport>;
  /** Resolves when the spare processes are ready. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

const MEMORY = 256;
const MOST_CONSOLE_LINES = 201;
const MOST_REQUESTS = 1_000;
const MOST_REQUESTS_AT_ONCE = 32;
/** Of all answers that a run has asked for and not yet taken, in bytes: the platform holds them for it. */
const MOST_HELD = 24 * 1024 * 1024;
/** Beside the result a line holds little. */
const LINE_ROOM = 1024 * 1024;
/** The largest request body, and so the longest line beside a result. */
const REQUEST_LIMIT = 11 * 1024 * 1024;

const Failure = v.object({ errorType: v.string(), errorMessage: v.string(), trace: v.array(v.string()) });

export const INTERRUPTED: RunFailure = {
  errorType: 'Interrupted',
  errorMessage:
    'The platform stopped while the action ran. It is not run again by itself, because a part of it may have happened.',
  trace: [],
};

export function createRunner({ time, result: resultLimit, memory = MEMORY, spare, fetch }: RunnerOptions): Runner {
  const pool = createPool(spare, { memory, time, lineLimit: Math.max(resultLimit, REQUEST_LIMIT) + LINE_ROOM });

  async function run(order: RunOrder, signal?: AbortSignal): Promise<RunReport> {
    const lines: string[] = [];
    let began = performance.now();
    const passed = (): number => Math.round(performance.now() - began);
    const failed = (code: 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE', failure: RunFailure): RunOutcome => ({
      state: 'failed',
      code,
      failure,
      milliseconds: passed(),
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
    let asked = 0;
    let open = 0;
    let held = 0;
    began = performance.now();
    const outcome = await new Promise<RunOutcome>((resolve) => {
      const at = (): string[] => (step ? [step] : []);
      const late = setTimeout(() => {
        const seconds = time / 1000;
        resolve(
          failed('TIMEOUT', {
            errorType: 'Timeout',
            errorMessage: `The action ran longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and was killed.`,
            trace: at(),
          }),
        );
      }, time);
      const stop = (): void => resolve(failed('ACTION_FAILED', { ...INTERRUPTED, trace: at() }));
      signal?.addEventListener('abort', stop, { once: true });
      requests.signal.addEventListener('abort', () => {
        clearTimeout(late);
        signal?.removeEventListener('abort', stop);
      });
      const answer = (id: number, content: object): Promise<void> =>
        child.send(`A${JSON.stringify({ id, ...content })}`);
      const say = (line: string): void => {
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
        asked += 1;
        if (asked > MOST_REQUESTS)
          return answer(request.id, { error: `A run may make ${MOST_REQUESTS} requests; this one made more.` });
        if (open >= MOST_REQUESTS_AT_ONCE)
          return answer(request.id, {
            error: `A run may have ${MOST_REQUESTS_AT_ONCE} requests open at once; wait for some first.`,
          });
        open += 1;
        let own = 0;
        const take = (bytes: number): void => {
          own += bytes;
          held += bytes;
          if (held > MOST_HELD)
            throw new Error(
              `The answers that a run waits for may hold ${MOST_HELD / 1024 / 1024} MB together; wait for some first.`,
            );
        };
        try {
          await answer(request.id, await fetch(request, requests.signal, take));
        } catch (error) {
          await answer(request.id, { error: textOf(error) });
        } finally {
          open -= 1;
          held -= own;
        }
      }
      child.listen(
        (line) => {
          try {
            say(line);
          } catch {
            resolve(
              failed('ACTION_FAILED', {
                errorType: 'RunnerEnded',
                errorMessage: 'The process of the run said what no run says, and was killed.',
                trace: at(),
              }),
            );
          }
        },
        (end, detail) => resolve(failed('ACTION_FAILED', { ...endOf(end, detail, memory), trace: at() })),
      );
      const completed = (text: string): RunOutcome => {
        // Checked here too: what is inside the process is not to be believed.
        if (Buffer.byteLength(text) > resultLimit) return tooLarge(Buffer.byteLength(text));
        return {
          state: 'completed',
          result: text === '' ? undefined : (JSON.parse(text) as unknown),
          milliseconds: passed(),
        };
      };
      const tooLarge = (bytes: number | null): RunOutcome => {
        const found = bytes === null ? 'it is longer than a text can be' : `it has ${bytes.toLocaleString('en')}`;
        const errorMessage = `The result may have ${resultLimit.toLocaleString('en')} bytes of JSON; ${found}.`;
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
      errorMessage: `The action used more memory than a run may (${memory} MB) and was killed.`,
    };
  if (end === 'flooded')
    return { errorType: 'TooMuchOutput', errorMessage: 'The action wrote more than a run may and was killed.' };
  return {
    errorType: 'RunnerEnded',
    errorMessage: `The process of the run ended before its action did${detail ? ` (${detail})` : ''}.`,
  };
}
