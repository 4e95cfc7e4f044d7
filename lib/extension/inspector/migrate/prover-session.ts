/** Runs code beside recordings in the inspected page. One session at a time. */
import type { GenericSchema } from 'valibot';
import { parse } from 'valibot';
import type { Recording } from '../../../debugging/recording/format.ts';
import type { Comparison } from '../../../migrate/index.ts';
import { CodedError } from '../../../platform-api/coded-error.ts';
import { bounded, invalidResponse, literal, measured, parseJson } from '../agent-connection.ts';
import { PANEL_FRAME } from '../agent-protocol.ts';
import type { InspectorTransport } from '../transport.ts';
import type { Embedded } from './embed.ts';
import type { PageCode } from './page-code.ts';
import { Compared, Found, Recorded } from './parse-results.ts';
import { PIECE, type ProofJob, PROVED_SOURCE, PROVER_KEY, PROVER_SOURCE, type RecordingPiece } from './protocol.ts';
import {
  canceled,
  failed,
  navigated,
  notEnding,
  otherPage,
  recordingTooLarge,
  replacedBuiltIns,
  silent,
  superseded,
} from './prover-errors.ts';

/** Responses that stand for an error. */
const GONE = '!gone';
const BROKEN = '!broken';
const OTHER_PROOF = '!other-proof';
/** In characters. A recording has up to half as many. */
const MAX_RECORDING = 64 * 1024 * 1024;
/** In milliseconds. */
const POLL = { first: 2, last: 50 };

/** Milliseconds without a result after which a job fails. */
const RESULT_LIMIT = 120_000;

export interface SessionOptions {
  /** Whether the page at this URL, which is the browser’s, may get what the session sends. */
  isAllowed: (url: string) => boolean;
  signal?: AbortSignal | undefined;
  resultLimit?: number | undefined;
}

export interface JobOptions<T> {
  onResults?: (results: readonly T[]) => void;
}

export class ProverSession {
  readonly #transport: InspectorTransport;
  readonly #signal: AbortSignal | undefined;
  readonly #resultLimit: number;
  readonly #id = crypto.randomUUID();
  readonly #stopWatching: (() => void) | undefined;
  readonly #ended: Promise<never>;
  #end: (error: CodedError) => void = () => undefined;
  /**
   * Starts each expression: returns before the page’s own code could see the rest, unless the page is the allowed one. A
   * page can replace neither its `location` nor what it has.
   */
  #guard = `return ${literal(GONE)};`;

  /** @throws CodedError `APP_PAGE_MISSING`, `BUILT_INS_REPLACED`, `PROOF_CANCELED`, or any error of the transport */
  static async open({ transport, loadProver }: PageCode, options: SessionOptions): Promise<ProverSession> {
    const source = await loadProver();
    if (options.signal?.aborted) throw canceled();
    const session = new ProverSession(transport, options);
    try {
      await session.#enter(options);
      await session.#install(source);
      return session;
    } catch (thrown) {
      await session.close();
      throw thrown;
    }
  }

  private constructor(transport: InspectorTransport, { signal, resultLimit = RESULT_LIMIT }: SessionOptions) {
    this.#transport = transport;
    this.#signal = signal;
    this.#resultLimit = resultLimit;
    this.#ended = new Promise((_, reject) => (this.#end = reject));
    this.#ended.catch(() => undefined);
    this.#stopWatching = transport.onNavigated?.(() => this.#end(navigated()));
    signal?.addEventListener('abort', this.#onAbort);
  }
  readonly #onAbort = (): void => this.#end(canceled());

  async add(codes: readonly { id: string; code: Embedded }[]): Promise<void> {
    for (let from = 0; from < codes.length;) {
      let text = '';
      for (; from < codes.length && (text === '' || text.length < PIECE); from++) {
        const { id, code } = codes[from] as (typeof codes)[number];
        text += `this[${literal(PROVER_KEY)}].add(${literal(id)},${code});`;
      }
      await this.#evaluate(`${text}return ""`, PROVED_SOURCE);
    }
  }

  /** Sends a recording, in pieces. */
  async addRecording({ steps, ...recording }: Recording): Promise<void> {
    await this.#put(JSON.stringify({ ...recording, steps: [] }), 'recording');
    let list: string[] = [];
    let length = 0;
    const send = (): Promise<void> => this.#put(`[${list.join(',')}]`, 'steps');
    for (const step of steps) {
      const text = JSON.stringify(step);
      if (length > 0 && length + text.length > PIECE) {
        await send();
        [list, length] = [[], 0];
      }
      list.push(text);
      length += text.length;
    }
    await send();
  }

  /** What each recording finds about the code. */
  compare(job: Omit<ProofJob, 'kind'>, options?: JobOptions<Comparison>): Promise<Comparison[]> {
    const expected = job.codes.length * job.recordings.length;
    return this.#run({ ...job, kind: 'compare' }, Compared, exactly(expected), options);
  }

  /** For each code, whether any recording finds a difference. */
  find(job: Omit<ProofJob, 'kind'>, options?: JobOptions<boolean>): Promise<boolean[]> {
    return this.#run({ ...job, kind: 'find' }, Found, exactly(job.codes.length), options);
  }

  /** JSON of the recording of the code’s run beside the recording. */
  async record(job: Omit<ProofJob, 'kind'>): Promise<string> {
    const pieces = await this.#run({ ...job, kind: 'record' }, Recorded, hasLast);
    return pieces.map(({ text }) => text).join('');
  }

  /** Removes the prover from the page. */
  async close(): Promise<void> {
    this.#stopWatching?.();
    this.#signal?.removeEventListener('abort', this.#onAbort);
    const close = this.#expression(`this[${literal(PROVER_KEY)}].close();return ""`);
    await this.#transport.evaluate(close).catch(() => undefined);
  }

  async #run<T>(
    job: ProofJob,
    schema: GenericSchema<unknown, { results: T[]; failure: string | null } | null>,
    isComplete: (results: readonly T[]) => boolean,
    { onResults }: JobOptions<T> = {},
  ): Promise<T[]> {
    const all: T[] = [];
    await this.#call('start', JSON.stringify(job));
    let heard = performance.now();
    for (let wait = POLL.first; !isComplete(all); wait = Math.min(POLL.last, wait * 2)) {
      const response = parsedBy(schema, parseJson(await this.#call('read')));
      if (!response) throw invalidResponse();
      if (response.failure !== null) throw failed(response.failure);
      all.push(...response.results);
      if (response.results.length > 0) {
        heard = performance.now();
        onResults?.(response.results);
      } else if (performance.now() - heard > this.#resultLimit) throw silent(this.#resultLimit / 1_000);
      else await Promise.race([new Promise((resolve) => setTimeout(resolve, wait)), this.#ended]);
    }
    return all;
  }

  async #enter({ isAllowed }: SessionOptions): Promise<void> {
    const url = bounded(await this.#send(`(function ${PANEL_FRAME}(){return this.location.href})()`));
    if (!isAllowed(url)) throw otherPage();
    const { origin, pathname } = new URL(url);
    const isOther = `this.location.origin!==${literal(origin)}||this.location.pathname!==${literal(pathname)}`;
    this.#guard = `if(${isOther})return ${literal(GONE)};`;
  }

  async #install(source: string): Promise<void> {
    const key = literal(PROVER_KEY);
    const install = measured(
      `try{${source}\n;this[${key}].session=${literal(this.#id)};return this[${key}].replaced()}` +
        `catch{return ${literal(BROKEN)}}`,
    );
    const response = bounded(
      await this.#send(`(function ${PANEL_FRAME}(){${this.#guard}${install}})()`, PROVER_SOURCE),
    );
    if (response === GONE) throw navigated();
    if (response !== '') throw replacedBuiltIns(response === BROKEN ? '' : response);
  }

  async #put(text: string, end: 'recording' | 'steps'): Promise<void> {
    for (let from = 0; from < text.length; from += PIECE) {
      const isLast = from + PIECE >= text.length;
      await this.#call('put', text.slice(from, from + PIECE), ...(isLast ? [end] : []));
    }
  }

  #call(method: string, ...args: string[]): Promise<string> {
    const call = `this[${literal(PROVER_KEY)}].${method}(${args.map(literal).join(',')})`;
    return this.#evaluate(measured(`return ${call}`));
  }

  async #evaluate(body: string, source?: string): Promise<string> {
    const response = await this.#send(this.#expression(body), source);
    if (response === GONE) throw navigated();
    if (response === OTHER_PROOF) throw superseded();
    return bounded(response);
  }

  #expression(body: string): string {
    const key = literal(PROVER_KEY);
    // The code under proof has no variable of this expression in scope.
    return (
      `(function ${PANEL_FRAME}(){${this.#guard}if(!this[${key}])return ${literal(GONE)};` +
      `if(this[${key}].session!==${literal(this.#id)})return ${literal(OTHER_PROOF)};${body}})()`
    );
  }

  /** DevTools appends code after the last line. */
  async #send(expression: string, source?: string): Promise<string> {
    const text = source ? `${expression}\n//# sourceURL=${source}\n` : expression;
    try {
      return await Promise.race([this.#transport.evaluate(text), this.#ended]);
    } catch (thrown) {
      throw thrown instanceof CodedError && thrown.code === 'PAGE_BUSY' ? notEnding() : thrown;
    }
  }
}

/** Only a page that forges results has more. */
const exactly =
  (count: number) =>
  ({ length }: readonly unknown[]): boolean => {
    if (length > count) throw invalidResponse();
    return length === count;
  };

/** @throws CodedError `TEXT_TOO_LARGE` */
function hasLast(pieces: readonly RecordingPiece[]): boolean {
  if (pieces.length * PIECE > MAX_RECORDING) throw recordingTooLarge(MAX_RECORDING);
  return pieces.at(-1)?.isLast ?? false;
}

function parsedBy<T>(schema: GenericSchema<unknown, T>, value: unknown): T {
  try {
    return parse(schema, value);
  } catch {
    throw invalidResponse();
  }
}
