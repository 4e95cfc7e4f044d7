/** The options of a local platform, and what it offers once it runs. Imports only types that need no other package. */
import type { ProfileName } from '../platform-api/actions-v3/profiles.ts';
import type { OnEffect } from './effects.ts';
import type { SendToNetwork } from './network.ts';
import type { StartProblem } from './problem.ts';

/**
 * Limits for a run: `payload` in characters of JSON, `time` in milliseconds, `result` in bytes of JSON. Limits for an
 * app’s data sources: the number of `entries`, and `data` in bytes of JSON. Those of its log: the number of records
 * (`logs`), and `logData` in bytes of JSON. `queue`: how many runs of an app can wait.
 */
export interface Limits {
  payload: number;
  time: number;
  result: number;
  entries: number;
  data: number;
  queue: number;
  logs: number;
  logData: number;
}

export interface CoreOptions {
  /** The user’s token, which recordings never contain. */
  authToken?: string;
  /** A folder of your own function packages. */
  functions?: string;
  /** A URL such as `smtp://localhost:2525`. Without it, email only goes to the outbox. */
  smtpUrl?: string;
  /** Requests per token per minute. Default: no limit. */
  rateLimit?: number;
  /** How long a page’s token is valid, in milliseconds. Default 30 minutes. */
  pageTokenLifetime?: number;
  /** Limits other than the default ones. Those of a run can’t be higher than the specification’s. */
  limits?: Partial<Limits>;
  /** Concurrent runs in this process. 0 leaves runs to workers. Default 4. */
  concurrency?: number;
  /** Private hosts (or host:port) that runs can reach. */
  allowPrivate?: readonly string[];
  /** Sends the requests of runs to other hosts. Default: to public IP addresses, and those of `allowPrivate`. */
  network?: SendToNetwork;
  /** Called with each message and each new entry, in the order in which this process stores them. */
  onEffect?: OnEffect;
  /** Additional origins where this platform’s apps run, such as `https://app.example.com`. */
  appOrigins?: readonly string[];
  /** How long the proxy waits for a complete response, in milliseconds. Default 30 s. */
  proxyTimeLimit?: number;
  /** Serves only what the specification shows: four REST endpoints, and pages with an API of their own. */
  specOnly?: boolean;
  /** How App Actions V3 behaves. Default `plain`. */
  v3Profile?: ProfileName;
  /** Runs of an app’s V3 actions in a minute. Default: the profile’s. */
  v3RunLimit?: number;
  /** A virtual clock’s start time. Default: real time. */
  clock?: Date;
  /** Makes what is random in runs on the server the same in each run. Default: really random. */
  seed?: number;
  /** Ends a start, which then rejects with the signal’s reason. */
  signal?: AbortSignal;
  /** Called with internal errors, without the data of their statements. Default: standard error. */
  log?: (error: unknown) => void;
}

export interface PlatformOptions extends CoreOptions {
  /** Default 4400. 0 uses a free port. */
  port?: number;
  /** Default 127.0.0.1: this machine only. */
  host?: string;
  /** A folder, or `memory`. Default `memory`. */
  data?: string;
  /** A database on a Postgres server. If set, `data` holds only the token. */
  databaseUrl?: string;
  /**
   * First port of the OAuth2 demo services. Null: don’t start them. Default: the two ports after `port`, or free ones
   * if `port` is 0.
   */
  oauthDemoPort?: number | null;
  /** The token to accept. Default: the one that an earlier start stored in the folder `data`, or a new one. */
  authToken?: string;
  /**
   * Called when another process has taken over the data folder, or its lock was removed. The platform stops, and leaves
   * the folder alone. Default: `log`.
   */
  onLost?: (problem: StartProblem) => void;
  /** Called with a sentence before the start waits for a process that might still have the data folder. */
  onWait?: (sentence: string) => void;
  /** Called with a sentence if the data folder had a token that wasn’t made by this user on this machine. */
  onReplaced?: (sentence: string) => void;
}

export interface OAuthDemo {
  /** Base URLs, such as `http://localhost:4401`. */
  code: string;
  implicit: string;
}

export interface Platform {
  baseUrl: string;
  /** The root of what pages load and call, such as `http://localhost:4400/v1`. */
  pagesUrl: string;
  authToken: string;
  /** The apps that the token has access to. */
  apps: { id: number; name: string; actions: { id: number; name: string }[] }[];
  /** URLs of the OAuth2 demo services. Null if they weren’t started. */
  oauthDemo: OAuthDemo | null;
  /** Finishes pending requests, closes the database, and unlocks the data folder. */
  close(): Promise<void>;
}
