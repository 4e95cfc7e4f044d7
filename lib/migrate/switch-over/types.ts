/** What a switch-over from a V2 action to a V3 action works on: both actions, the journal, and the ways to the platform. */
import type { Trigger } from '../../platform-api/action.ts';
import type { Result } from '../../platform-api/coded-error.ts';
import type { LogRecord } from '../../platform-api/log.ts';

/** What fires an action. */
export interface Firing {
  triggers: readonly Trigger[];
  frequency: string | null;
  timezone: string | null;
}

export interface V2State extends Firing {
  id: number;
  name: string;
  active: boolean;
  /** Whether the published copy fires. Undefined if the platform doesn’t report it. */
  isLive: boolean | undefined;
  /** The fields that publishing would change, other than `active`. Undefined if the platform doesn’t report them. */
  edits: readonly string[] | undefined;
  revision: number | undefined;
}

export interface V3State extends Firing {
  id: number;
  name: string;
  code: string;
  active: boolean;
  /** What the production copy fires on, null if there’s none. Undefined if the platform doesn’t report it. */
  live: (Firing & { active: boolean }) | null | undefined;
  revision: number | undefined;
}

/** All properties of the V3 action, and its code. */
export interface Draft extends Firing {
  name: string;
  code: string;
  description: string | null;
  environment: 'server' | 'client' | 'any';
  dependencies: readonly string[];
}

/** Where a switch-over is. Each is reached from the one before, and back, except that a removed V2 stays removed. */
export const POSITIONS = ['none', 'draft', 'answering', 'switched', 'removed'] as const;
export type Position = (typeof POSITIONS)[number];

/** A request that changes something. Each leads to the same state when it’s sent again, except `v3.create`. */
export type ChangeRequest =
  | { to: 'v2.update'; active: boolean }
  | { to: 'v2.publish' | 'v2.unpublish' | 'v2.remove' }
  | { to: 'v3.create' | 'v3.publish' | 'v3.unpublish' | 'v3.remove' }
  /** `quiet`: the manual trigger only. `full`: all triggers. `idle`: all triggers, inactive. */
  | { to: 'v3.update'; content: 'quiet' | 'full' | 'idle' };

/** What fires by itself, as far as it’s known. `unknown`: a request for it has no known outcome. */
export type V2Live = 'on' | 'off' | 'unknown';
export type V3Live = 'off' | 'quiet' | 'full' | 'unknown';

/** A time in which events could have found neither version live. */
export interface Gap {
  /** The newest log record before the first version was taken off. */
  afterId: number;
  /** The newest log record once a version was live again; null until then. */
  toId: number | null;
  /** By the platform’s clock, in milliseconds since 1970. */
  from: number;
  to: number | null;
  /** By this computer’s clock: when the last request that took a version off was confirmed; null until then. */
  offAt: number | null;
  /** The newest run of the version that was taken off, and when it was first seen, by this computer’s clock. */
  lastRunId: number;
  lastRunAt: number | null;
}

/** An event that was given to a version by hand. */
export interface Handed {
  key: string;
  to: 'v2' | 'v3';
  /** `sending`: the outcome isn’t known. */
  state: 'sending' | 'sent';
  /** By this computer’s clock. */
  at: number;
  /** The newest log record before. */
  afterId: number;
}

/** Everything that a switch-over has to remember. Written before and after each request. */
export interface Journal {
  version: 1;
  v2: { id: number; name: string; wasActive: boolean; wasLive: boolean };
  /** Without its code. */
  draft: Omit<Draft, 'code'> & { codeHash: string };
  v3Id: number | null;
  position: Position;
  /** The position that requests are leading to; null if none are. */
  goal: Position | null;
  /** The request that was sent last, until its outcome is known. */
  pending: ChangeRequest | null;
  v2Live: V2Live;
  v3Live: V3Live;
  /** Whether the user has said that all call sites are moved. */
  areCallsMoved: boolean;
  gap: Gap | null;
  /** The newest log record, and the platform’s time, when a version was last known to be live. */
  liveAt: { id: number; time: number } | null;
  handed: readonly Handed[];
}

/** Stores one journal. Resolves once it’s on disk. Rejects if it can’t be. */
export interface JournalStore {
  read(): Promise<Journal | null>;
  write(journal: Journal | null): Promise<void>;
}

/**
 * The V2 action on the platform. Methods never reject. Each change is sent at most once, and fails with
 * `OUTCOME_UNKNOWN` if it might have been made. With any other code, it wasn’t made.
 */
export interface V2Port {
  /** Null if the app no longer has it. */
  read(): Promise<Result<V2State | null>>;
  /** Fails with `CONFLICT` if the action is no longer as `seen`. */
  setActive(seen: V2State, active: boolean): Promise<Result<V2State>>;
  publish(seen: V2State, publish: boolean): Promise<Result<null>>;
  remove(seen: V2State): Promise<Result<null>>;
  run(payload: Record<string, unknown>): Promise<Result<null>>;
}

/** V3 actions on the platform, with the same rules. */
export interface V3Port {
  read(id: number): Promise<Result<V3State | null>>;
  findByName(name: string): Promise<Result<V3State | null>>;
  /** Creates it inactive. */
  create(draft: Draft): Promise<Result<V3State>>;
  update(seen: V3State, change: Firing & { active: boolean }): Promise<Result<V3State>>;
  /** Resolves with what is live now. */
  publish(seen: V3State): Promise<Result<V3State>>;
  unpublish(seen: V3State): Promise<Result<null>>;
  remove(seen: V3State): Promise<Result<null>>;
  run(id: number, payload: Record<string, unknown>): Promise<Result<null>>;
}

export interface LogsPort {
  /** Whether the log record of each run names its event: `logId` or `dueAt`. */
  readonly namesEvents: boolean;
  /** The platform’s time, in milliseconds since 1970. */
  now(): Promise<Result<number>>;
  /** 0 if there are no records. */
  newestId(): Promise<Result<number>>;
  /** All records that match `where`, with an ID above `after`. */
  matching(where: Record<string, unknown>, after: number): Promise<Result<LogRecord[]>>;
  /** The records of all runs of an action, with an ID above `after`. */
  runsOf(action: { id: number; version: 'v2' | 'v3' }, after: number): Promise<Result<LogRecord[]>>;
}

export interface Ports {
  v2: V2Port;
  v3: V3Port;
  logs: LogsPort;
  journal: JournalStore;
  /** This computer’s time, in milliseconds since 1970. */
  now(): number;
}
