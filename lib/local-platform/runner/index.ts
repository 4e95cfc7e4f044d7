/** Executes a run in a new process: enforces the limits, sends the run’s requests, and reports the outcome. */
import * as v from 'valibot';
import { runningTrace } from '../../actions/run-failure.ts';
import {
  isDeeperThan,
  JSON_DEPTH,
  RESULT_TOO_DEEP,
  resultTooLarge,
  RunFailure,
  timedOut,
  type RunFailureCode,
} from '../../platform-api/index.ts';
import type { RunOutcome } from '../jobs/types.ts';
import { startChild, type Child, type End, type StartChild } from './child.ts';
import { LINE, type Order } from './context/host.ts';
import { RunRequestMessage, type RunFetch } from './fetch.ts';
import { createPool } from './pool.ts';
import { MISSING, type RunRecording } from './recording.ts';
import { RunRequests } from './requests.ts';

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
  /** Starts what a run is executed in. Default: a process. */
  startChild?: StartChild | undefined;
}
type BareOrder = Omit<Order, 'resultLimit' | 'records'>;
/** `recording`: default `never`. `limits`: lower than the runner’s, `time` in milliseconds and `result` in bytes. */
export type RunOrder = BareOrder & { recording?: RecordingMode; limits?: { time: number; result: number } };
/** When the recording of a run is reported. */
export type RecordingMode = 'never' | 'failed' | 'always';
export interface RunReport {
  outcome: RunOutcome;
  /** The first lines of the run’s console. */
  console: string[];
  /** Absent if it wasn’t asked for. */
  recording?: RunRecording;
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
/** How long a run’s process has to send its recording, in milliseconds. If the run was stopped, it’s killed then. */
const RECORDING_TIME = 5_000;
/** Extra room in a line for everything except the result, in bytes. */
const LINE_ROOM = 1024 * 1024;
/** Maximum size of a request’s body, in bytes. A request of this size is the longest line that isn’t a result. */
const REQUEST_LIMIT = 11 * 1024 * 1024;

export const INTERRUPTED: RunFailure = {
  errorType: 'Interrupted',
  errorMessage:
    'The platform stopped while the action was running. The action isn’t run again automatically, because it may have done part of its work.',
  trace: [],
};

/** Error types of runs that didn’t end on their own, or that couldn’t start. */
export const STOPPED: ReadonlySet<string> = new Set([
  'Interrupted',
  'OutOfMemory',
  'RunnerEnded',
  'RunnerUnavailable',
  'TooMuchOutput',
]);

export function createRunner(options: RunnerOptions): Runner {
  const { time, result: resultLimit, memory = MEMORY, spare, fetch } = options;
  const lineLimit = Math.max(resultLimit, REQUEST_LIMIT) + LINE_ROOM;
  const pool = createPool(spare, { memory, time, lineLimit }, options.startChild ?? startChild);

  async function run({ recording = 'never', limits, ...order }: RunOrder, signal?: AbortSignal): Promise<RunReport> {
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
    const own = {
      time: Math.min(time, limits?.time ?? time),
      resultLimit: Math.min(resultLimit, limits?.result ?? resultLimit),
    };
    return new Execution(child, { ...own, memory, fetch }, recording).run(order, signal);
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
  /** Why the run was stopped. It ends once its process has, so that its last step is known. */
  #stopped: Stopped | undefined;
  readonly #mode: RecordingMode;
  readonly #recording = Promise.withResolvers<RunRecording>();
  #isAsked = false;

  constructor(child: Child, limits: ExecutionLimits, mode: RecordingMode) {
    this.#mode = mode;
    this.#child = child;
    this.#limits = limits;
    this.#requests = new RunRequests(limits.fetch, (id, content) =>
      child.send(`A${JSON.stringify({ id, ...content })}`),
    );
  }

  async run(order: BareOrder, signal?: AbortSignal): Promise<RunReport> {
    const { time, memory, resultLimit } = this.#limits;
    const timeout = setTimeout(() => void this.#end('TIMEOUT', timedOut(time)), time);
    const interrupt = (): void => void this.#end('ACTION_FAILED', INTERRUPTED);
    signal?.addEventListener('abort', interrupt, { once: true });
    this.#child.listen(
      (line) => this.#receive(line),
      (end, detail, lastSteps) => {
        this.#stop('ACTION_FAILED', endOf(end, detail, memory));
        this.#recording.resolve({ missing: MISSING.ended });
        const { code, failure, milliseconds } = this.#stopped!;
        const trace = runningTrace(lastSteps(), order.env.taskPipeline);
        this.#outcome.resolve({ state: 'failed', code, failure: { ...failure, trace }, milliseconds });
      },
    );
    void this.#child.send(
      `O${JSON.stringify({ ...order, records: this.#mode !== 'never', resultLimit } satisfies Order)}`,
    );
    const outcome = await this.#outcome.promise;
    clearTimeout(timeout);
    signal?.removeEventListener('abort', interrupt);
    this.#requests.abort();
    const isWanted = this.#mode === 'always' || (this.#mode === 'failed' && outcome.state === 'failed');
    const recording = isWanted ? { recording: await this.#record() } : {};
    this.#child.listen(ignore, ignore);
    this.#child.kill();
    await this.#child.gone;
    return { outcome, console: this.#console, ...recording };
  }

  #receive(line: string): void {
    try {
      this.#handle(line[0], line.slice(1));
    } catch {
      const errorMessage = 'The run’s process sent an unknown message and was stopped.';
      this.#stop('ACTION_FAILED', { errorType: 'RunnerEnded', errorMessage });
    }
  }

  #handle(kind: string | undefined, text: string): void {
    if (this.#isAsked) return this.#handleRecording(kind, text);
    if (this.#stopped) return;
    if (kind === LINE.result) this.#complete(text);
    else if (kind === LINE.tooLarge) this.#failTooLarge(Number(JSON.parse(text)) || null);
    else if (kind === LINE.failure) this.#fail('ACTION_FAILED', v.parse(RunFailure, JSON.parse(text)));
    else if (kind === LINE.console) {
      if (this.#console.length < MAX_CONSOLE_LINES) this.#console.push(String(JSON.parse(text)).slice(0, 2_100));
    } else if (kind === LINE.request) void this.#requests.forward(v.parse(RunRequestMessage, JSON.parse(text)));
    else throw new TypeError('unknown');
  }

  #complete(text: string): void {
    // Checked here too, since the process can’t be trusted.
    if (Buffer.byteLength(text) > this.#limits.resultLimit) return this.#failTooLarge(Buffer.byteLength(text));
    const result = text === '' ? undefined : (JSON.parse(text) as unknown);
    if (isDeeperThan(result, JSON_DEPTH)) return this.#fail('ACTION_FAILED', RESULT_TOO_DEEP);
    this.#outcome.resolve({ state: 'completed', result, milliseconds: this.#milliseconds() });
  }

  #failTooLarge(bytes: number | null): void {
    this.#fail('RESULT_TOO_LARGE', resultTooLarge(this.#limits.resultLimit, bytes));
  }

  #fail(code: RunFailureCode, failure: RunFailure): void {
    this.#outcome.resolve({ state: 'failed', code, failure, milliseconds: this.#milliseconds() });
  }

  /** The run has ended or is about to be killed, so that nothing else counts. */
  #handleRecording(kind: string | undefined, text: string): void {
    if (kind === LINE.recording) this.#recording.resolve({ text });
    if (kind !== LINE.unrecorded) return;
    const missing = text === MISSING.tooLarge ? MISSING.tooLarge : MISSING.failed;
    this.#recording.resolve({ missing });
  }

  /** Asks the process for the recording, once. */
  async #record(): Promise<RunRecording> {
    if (!this.#isAsked) {
      this.#isAsked = true;
      void this.#child.send('X');
    }
    const late = setTimeout(() => this.#recording.resolve({ missing: MISSING.unresponsive }), RECORDING_TIME);
    return this.#recording.promise.finally(() => clearTimeout(late));
  }

  /** Stops a run that may have a recording. Nothing that it does from now on has an effect. */
  async #end(code: RunFailureCode, failure: Omit<RunFailure, 'trace'>): Promise<void> {
    if (this.#mode === 'never') return this.#stop(code, failure);
    this.#note(code, failure);
    this.#requests.abort();
    await this.#record();
    this.#child.kill();
  }

  #note(code: RunFailureCode, failure: Omit<RunFailure, 'trace'>): void {
    this.#stopped ??= { code, failure, milliseconds: this.#milliseconds() };
  }

  /** The first reason counts. */
  #stop(code: RunFailureCode, failure: Omit<RunFailure, 'trace'>): void {
    this.#note(code, failure);
    this.#child.kill();
  }

  #milliseconds(): number {
    return Math.round(performance.now() - this.#began);
  }
}

interface Stopped {
  code: RunFailureCode;
  failure: Omit<RunFailure, 'trace'>;
  milliseconds: number;
}

const ignore = (): void => {};

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
