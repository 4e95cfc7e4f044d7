/** The type of what a run’s context can call: functions that take and return only strings and numbers. */

export interface Host {
  /** Set by the context: receives a message of the platform, or `T<id>` of a timer. */
  receive: ((text: string) => void) | null;
  send(text: string): void;
  startTimer(id: number, ms: number): void;
  stopTimer(id: number): void;
  /** The parts of a URL as JSON; null if it is invalid. */
  parseUrl(address: string, base: string | null): string | null;
  changeUrl(address: string, part: string, value: string): string | null;
  byteLength(text: string): number | null;
  /** Random bytes in hexadecimal digits. */
  random(count: number): string | null;
  /** Runs a script in this context. Returns its error, or null. */
  evaluate(source: string, filename: string): string | null;
}

/** One run, as the platform sends it. */
export interface Order {
  baseUrl: string;
  env: Record<string, unknown>;
  payload: Record<string, unknown>;
  scripts: { name: string; source: string }[];
  /** True: the handler of a screen is called, instead of the pipeline. */
  screen: boolean;
  /** Bytes of JSON. */
  resultLimit: number;
}

/** The kinds of lines that a run sends, by their first letter. */
export const LINE = {
  ready: '+',
  result: 'R',
  tooLarge: 'L',
  failure: 'F',
  request: 'Q',
  step: 'S',
  console: 'C',
} as const;
