/** Executes a run in a new process: enforces the limits, sends the run’s requests, and reports the outcome. */
import * as v from 'valibot';
import { formatCount, plural } from '../../shared/format.ts';
import type { RunFailure, RunOutcome } from '../jobs/types.ts';
import { AddressRefused } from './addresses.ts';
import type { Child, End } from './child.ts';
import { LINE, type Order } from './context/host.ts';
import { RunRequestMessage, type RunFetch } from './fetch.ts';
import { createPool } from './pool.ts';

export interface RunnerOptions {
  /** Milliseconds. */
  time: number;
  /** Bytes of JSON. */
  result: number;
  /** Maximum size of V8’s heap, in MB. */
  memory?: number;
  /** How many warm processes to keep ready. */
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
const MAX_CONSOLE_LINES = 201;
const MAX_REQUESTS = 1_000;
const MAX_CONCURRENT_REQUESTS = 32;
/** Maximum size of all responses that a run hasn’t received yet, in bytes. They are in the platform’s memory. */
const PENDING_LIMIT = 24 * 1024 * 1024;
/** Extra room in a line for everything except the result, in bytes. */
const LINE_ROOM = 1024 * 1024;
/** Maximum size of a request’s body, in bytes. A request of this size is the longest line that isn’t a result. */
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
    if (signal?.aborted) return unstarted(INTERRUPTED);
    let child: Child;
    try {
      child = await pool.take();
    } catch (error) {
      return unstarted({ errorType: 'RunnerUnavailable', errorMessage: (error as Error).message, trace: [] });
    }
    if (signal?.aborted) {
      child.kill();
      return unstarted(INTERRUPTED);
    }
    return new Execution(child, { time, memory, resultLimit, fetch }).run(order, signal);
  }

  return { run, warm: () => pool.warm(), close: () => pool.close() };
}

const unstarted = (failure: RunFailure): RunReport => ({
  outcome: { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds: 0 },
  console: [],
});

interface ExecutionLimits {
  time: number;
  memory: number;
  resultLimit: number;
  fetch: RunFetch;
}

/** A run in a process, from sending the run until the process ends. */
class Execution {
  readonly #child: Child;
  readonly #limits: ExecutionLimits;
  readonly #began = performance.now();
  readonly #console: string[] = [];
  readonly #requests: RunRequests;
  readonly #outcome = Promise.withResolvers<RunOutcome>();
  /** The current step, as the trace of a failure shows it. */
  #step = '';

  constructor(child: Child, limits: ExecutionLimits) {
    this.#child = child;
    this.#limits = limits;
    this.#requests = new RunRequests(limits.fetch, (id, content) =>
      child.send(`A${JSON.stringify({ id, ...content })}`),
    );
  }

  async run(order: RunOrder, signal?: AbortSignal): Promise<RunReport> {
    const { time, memory, resultLimit } = this.#limits;
    const timeout = setTimeout(() => {
      const errorMessage = `The action ran longer than ${plural(time / 1000, 'second')} and was stopped.`;
      this.#fail('TIMEOUT', { errorType: 'Timeout', errorMessage });
    }, time);
    const interrupt = (): void => this.#fail('ACTION_FAILED', INTERRUPTED);
    signal?.addEventListener('abort', interrupt, { once: true });
    this.#child.listen(
      (line) => this.#receive(line),
      (end, detail) => this.#fail('ACTION_FAILED', endOf(end, detail, memory)),
    );
    void this.#child.send(`O${JSON.stringify({ ...order, resultLimit } satisfies Order)}`);
    const outcome = await this.#outcome.promise;
    clearTimeout(timeout);
    signal?.removeEventListener('abort', interrupt);
    this.#requests.abort();
    this.#child.listen(ignore, ignore);
    this.#child.kill();
    await this.#child.gone;
    return { outcome, console: this.#console };
  }

  #receive(line: string): void {
    try {
      this.#handle(line[0], line.slice(1));
    } catch {
      const errorMessage = 'The run’s process sent an unknown message and was stopped.';
      this.#fail('ACTION_FAILED', { errorType: 'RunnerEnded', errorMessage });
    }
  }

  #handle(kind: string | undefined, text: string): void {
    if (kind === LINE.result) this.#complete(text);
    else if (kind === LINE.tooLarge) this.#failTooLarge(Number(JSON.parse(text)) || null);
    else if (kind === LINE.failure) this.#end(failed('ACTION_FAILED', v.parse(Failure, JSON.parse(text))));
    else if (kind === LINE.step) this.#step = String(JSON.parse(text)).slice(0, 1_000);
    else if (kind === LINE.console) {
      if (this.#console.length < MAX_CONSOLE_LINES) this.#console.push(String(JSON.parse(text)).slice(0, 2_100));
    } else if (kind === LINE.request) void this.#requests.forward(v.parse(RunRequestMessage, JSON.parse(text)));
    else throw new TypeError('unknown');
  }

  #complete(text: string): void {
    // Checked here too, since the process can’t be trusted.
    if (Buffer.byteLength(text) > this.#limits.resultLimit) return this.#failTooLarge(Buffer.byteLength(text));
    this.#end({ state: 'completed', result: text === '' ? undefined : (JSON.parse(text) as unknown) });
  }

  #failTooLarge(bytes: number | null): void {
    const limit = formatCount(this.#limits.resultLimit);
    const size = bytes === null ? 'is longer than a string can be' : `has ${formatCount(bytes)}`;
    const errorMessage = `The result is limited to ${limit} bytes of JSON. This one ${size}.`;
    this.#fail('RESULT_TOO_LARGE', { errorType: 'ResultTooLarge', errorMessage });
  }

  #fail(code: FailureCode, failure: Omit<RunFailure, 'trace'>): void {
    this.#end(failed(code, { ...failure, trace: this.#step ? [this.#step] : [] }));
  }

  #end(end: EndedRun): void {
    this.#outcome.resolve({ ...end, milliseconds: Math.round(performance.now() - this.#began) });
  }
}

type FailureCode = 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE';
type EndedRun = { state: 'completed'; result: unknown } | { state: 'failed'; code: FailureCode; failure: RunFailure };

const failed = (code: FailureCode, failure: RunFailure): EndedRun => ({ state: 'failed', code, failure });
const ignore = (): void => {};

/** Forwards a run’s requests, within the run’s limits. */
class RunRequests {
  readonly #fetch: RunFetch;
  readonly #respond: (id: number, content: object) => Promise<void>;
  readonly #abort = new AbortController();
  #count = 0;
  #concurrent = 0;
  /** Bytes of responses that the run hasn’t received yet. */
  #pending = 0;

  constructor(fetch: RunFetch, respond: (id: number, content: object) => Promise<void>) {
    this.#fetch = fetch;
    this.#respond = respond;
  }

  abort(): void {
    this.#abort.abort();
  }

  async forward(request: RunRequestMessage): Promise<void> {
    const refusal = this.#refusal();
    if (refusal !== null) return this.#respond(request.id, { error: refusal });
    this.#concurrent += 1;
    let size = 0;
    const take = (bytes: number): void => {
      size += bytes;
      this.#pending += bytes;
      if (this.#pending <= PENDING_LIMIT) return;
      const limit = `${PENDING_LIMIT / 1024 / 1024} MB`;
      throw new Error(`A run’s pending responses are limited to ${limit}. Await some of them first.`);
    };
    try {
      await this.#respond(request.id, await this.#fetch(request, this.#abort.signal, take));
    } catch (error) {
      await this.#respond(request.id, { error: textOf(error) });
    } finally {
      this.#concurrent -= 1;
      this.#pending -= size;
    }
  }

  #refusal(): string | null {
    this.#count += 1;
    if (this.#count > MAX_REQUESTS) return `A run is limited to ${MAX_REQUESTS} requests.`;
    if (this.#concurrent < MAX_CONCURRENT_REQUESTS) return null;
    return `A run is limited to ${MAX_CONCURRENT_REQUESTS} concurrent requests. Await some of them first.`;
  }
}

/** A failed request’s message, with the hint if there is one. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The request failed.';
  return error instanceof AddressRefused ? `${error.message} ${error.hint}` : error.message;
}

function endOf(end: End, detail: string, memory: number): Omit<RunFailure, 'trace'> {
  if (end === 'out-of-memory')
    return {
      errorType: 'OutOfMemory',
      errorMessage: `The action exceeded the memory limit of ${memory} MB and was stopped.`,
    };
  if (end === 'flooded')
    return { errorType: 'TooMuchOutput', errorMessage: 'The action exceeded the output limit and was stopped.' };
  return {
    errorType: 'RunnerEnded',
    errorMessage: `The run’s process ended before its action did${detail ? ` (${detail})` : ''}.`,
  };
}
