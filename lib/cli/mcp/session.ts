/** What the tools of a server share: its environment, what it may do, and what it keeps. */
import type { ChosenEnvironment } from '../config/environments.ts';
import type { Connection } from '../../rest/index.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { Tokens } from '../command/output.ts';
import type { StartBrowser } from '../run/browser.ts';
import { Confirmations } from './confirm.ts';
import { Handles } from './handles.ts';
import { Slots } from './slots.ts';
import { quoted } from './untrusted.ts';

export interface SessionOptions {
  environment: ChosenEnvironment;
  connection: Connection;
  /** Whether tools may change or fire something. */
  allowWrites: boolean;
  /** The project’s app. */
  app?: number | undefined;
  /** The project’s folder. Recordings are opened from it, and migrations are written to it. */
  folder: string;
  env: NodeJS.ProcessEnv;
  /** Masked in all that is sent. */
  tokens: Tokens;
  /** Starts the browser of a run. Default: an installed one, for this run alone. */
  startBrowser?: StartBrowser | undefined;
}

/** How many calls work at the same time. */
const WORKING = 4;
const WAITING = 200;
const WAITING_HEAVY = 20;

export class McpSession {
  readonly options: SessionOptions;
  readonly handles = new Handles();
  readonly confirmations = new Confirmations();
  readonly calls = new Slots(WORKING, WAITING);
  /** A browser takes the memory of many calls. */
  readonly heavy = new Slots(1, WAITING_HEAVY);
  readonly mask: (text: string) => string;
  readonly #closing = new AbortController();
  readonly #open = new Set<Promise<unknown>>();

  constructor(options: SessionOptions) {
    this.options = options;
    this.mask = options.tokens.mask;
  }

  /** Quotes a value from a platform in a sentence of ours. Masked before, since a quotation is changed and cut. */
  quoted(value: string, length?: number): string {
    return quoted(this.mask(value), length);
  }

  get connection(): Connection {
    return this.options.connection;
  }

  /** @throws CodedError `NO_APP` */
  app(given: number | undefined): number {
    const app = given ?? this.options.app;
    if (app !== undefined) return app;
    throw new CodedError({
      code: 'NO_APP',
      message: 'No app is chosen.',
      hint: 'Pass the ID of an app as “app”. list_apps lists them.',
    });
  }

  /** Runs a call until it ends, its client cancels it, or the session closes. */
  track<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const call = work(AbortSignal.any([signal, this.#closing.signal]));
    const settled = call.catch(() => undefined).finally(() => this.#open.delete(settled));
    this.#open.add(settled);
    return call;
  }

  /** Cancels all calls. Resolves when they have ended, with their browsers and processes. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#open);
  }
}
