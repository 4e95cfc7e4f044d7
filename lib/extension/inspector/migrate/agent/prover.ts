/** The prover in the page: keeps code and recordings for as long as a proof lasts. */
import type { RecordedStep, Recording } from '../../../../debugging/recording/format.ts';
import { type EmbeddedCode, type ProofJob, PROVER_KEY, type ProverPort } from '../protocol.ts';
import { replacedBuiltIns } from './built-ins.ts';
import { Job } from './job.ts';
import { hideRejections } from './rejections.ts';

/** Maximum size of the results in one response, in characters, after which no other is added. */
const MAX_RESULTS = 500_000;

export class Prover implements ProverPort {
  session = '';
  readonly #codes = new Map<string, EmbeddedCode>();
  readonly #recordings: Recording[] = [];
  readonly #stopHiding = hideRejections();
  #text = '';
  #job: Job | null = null;

  replaced(): string {
    return replacedBuiltIns().join(' ');
  }

  add(id: string, code: EmbeddedCode): void {
    this.#codes.set(id, code);
  }

  put(piece: string, end?: 'recording' | 'steps'): void {
    this.#text += piece;
    if (!end) return;
    const value: unknown = JSON.parse(this.#text);
    this.#text = '';
    if (end === 'recording') this.#recordings.push(value as Recording);
    else for (const step of value as RecordedStep[]) this.#recordings.at(-1)?.steps.push(step);
  }

  start(text: string): void {
    this.#job?.cancel();
    this.#job = new Job(JSON.parse(text) as ProofJob, this.#codes, this.#recordings);
    void this.#job.run();
  }

  read(): string {
    const [replaced] = replacedBuiltIns();
    // Nothing that relies on it is known to end, or to be true.
    const failure = replaced === undefined ? null : `a built-in of JavaScript was replaced while it ran: ${replaced}.`;
    return JSON.stringify(failure === null ? (this.#job?.take(MAX_RESULTS) ?? null) : { results: [], failure });
  }

  close(): void {
    this.#job?.cancel();
    this.#stopHiding();
    delete (globalThis as Record<string, unknown>)[PROVER_KEY];
  }
}

/** Replaces what an earlier proof left. */
export function installProver(): void {
  (globalThis as unknown as Record<string, ProverPort | undefined>)[PROVER_KEY]?.close();
  Object.defineProperty(globalThis, PROVER_KEY, { value: new Prover(), enumerable: false, configurable: true });
}
