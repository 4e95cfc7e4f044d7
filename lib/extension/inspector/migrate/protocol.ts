/** The protocol between the panel and the prover in the page, which runs V3 code beside recorded V2 runs. */
import type { LoadCode } from '../../../migrate/index.ts';

/** The panel finds the prover at `window[PROVER_KEY]` while a proof lasts. */
export const PROVER_KEY = 'platform-devtools.prover';

/** The names of the prover’s script and of the code under proof in DevTools and in stack traces. */
export const PROVER_SOURCE = 'platform-devtools-prover.js';
export const PROVED_SOURCE = 'platform-devtools-proof.js';

/** Instrumented code as a function of the values that it sees, which returns what the code defines as `execute`. */
export type EmbeddedCode = ReturnType<LoadCode>;

export interface ProofJob {
  /**
   * `compare`: what each recording finds about the code. `find`: for each code, whether any recording finds a
   * difference. `record`: the code’s run beside the recording, in pieces.
   */
  kind: 'compare' | 'find' | 'record';
  /** IDs of code. */
  codes: string[];
  /** Indexes of recordings, in the order in which they were sent. */
  recordings: number[];
  /** IDs of data sources by name. */
  dataSources: [name: string, id: number][];
}

/** A part of a recording’s JSON. */
export interface RecordingPiece {
  text: string;
  isLast: boolean;
}

/** In characters. */
export const PIECE = 250_000;

/** The value of `window[PROVER_KEY]`. */
export interface ProverPort {
  /** The proof that it belongs to. */
  session: string;
  /** Names of built-ins that the page has replaced, separated by spaces. */
  replaced(): string;
  add(id: string, code: EmbeddedCode): void;
  /** Adds a piece of text. At its end, the text becomes a recording without steps, or steps of the latest recording. */
  put(piece: string, end?: 'recording' | 'steps'): void;
  /** Starts a job, and ends the one before. @param job JSON of a `ProofJob` */
  start(job: string): void;
  /** JSON of the results since the last call, as many as one response holds. */
  read(): string;
  /** Ends the job, and removes the prover from the page. */
  close(): void;
}
