/** Defines the functions that a run’s context can call. They take and return only strings and numbers of Node’s realm. */
import type { Mock } from '../../../platform-api/index.ts';

export interface Host {
  /** Set by the context. Receives messages from the platform, or `T<id>` when a timer fires. */
  receive: ((text: string) => void) | null;
  send(text: string): void;
  /** Stores that a step starts: its path, then the index in each enclosing loop. */
  step(text: string): void;
  startTimer(id: number, ms: number): void;
  stopTimer(id: number): void;
  /** The parts of a URL as JSON; null if it is invalid. */
  parseUrl(address: string, base: string | null): string | null;
  changeUrl(address: string, part: string, value: string): string | null;
  /** Milliseconds, from a clock that never jumps. */
  now(): number | null;
  byteLength(text: string): number | null;
  /** Random bytes, hex-encoded. */
  random(count: number): string | null;
  /** Runs a script in this context, and calls the listener with its value. Returns the script’s error, or null. */
  evaluate(source: string, filename: string, listener?: (value: unknown) => void): string | null;
}

/** A run, as the platform sends it. */
export interface Order {
  baseUrl: string;
  env: Record<string, unknown>;
  payload: Record<string, unknown>;
  scripts: { name: string; source: string }[];
  /** True if a screen’s handler is called instead of running the pipeline. */
  screen: boolean;
  /** A V3 action’s code, to run instead of the pipeline. */
  code?: { name: string; source: string };
  mocks?: readonly Mock[];
  /** A virtual clock’s time, where the run’s `Date` stays. Epoch milliseconds. */
  time?: number;
  /** Makes everything random the same for each run with this seed. */
  seed?: number;
  /** Whether the run is recorded. The platform asks for the recording, if it needs it. */
  records: boolean;
  /** Bytes of JSON. */
  resultLimit: number;
}

/** A request’s method, in uppercase. */
export const METHOD = /^[A-Z]{1,20}$/;

/** The kinds of lines that a run sends, identified by their first letter. */
export const LINE = {
  ready: '+',
  result: 'R',
  tooLarge: 'L',
  failure: 'F',
  request: 'Q',
  console: 'C',
  recording: 'D',
  /** Why there is no recording. */
  unrecorded: 'N',
} as const;
