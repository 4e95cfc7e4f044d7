/** Reads and changes an app's actions and logs. There are two ways: REST endpoints, and the inspected page. */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { Action, FunctionDescriptor } from '../../../../platform-api/action.ts';
import type { ActionChange, NewAction } from '../../../../platform-api/actions/input.ts';
import type { ActionRevision, FullRevision } from '../../../../platform-api/actions/revision.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import type { Result } from '../../../../platform-api/errors.ts';
import type { LogList, LogQueryInput, LogRecord, NewLog } from '../../../../platform-api/log.ts';
import type { Unreadable } from '../../../../platform-api/lists/unreadable.ts';
import type { OfApp } from '../../../messaging/protocol.ts';

/** `none`: every call fails with an error that says how to get a way. */
export type Way = 'rest' | 'page' | 'none';

/**
 * `absent`: the tab has no page of the app. `no-api`: it has one, but without `App.Actions.get()`. `elsewhere`: the tab has
 * one of an app with this ID, but not at a URL of the environment.
 */
export type NoPageReason = 'absent' | 'no-api' | 'elsewhere';

/** What not every way can do. */
export type Ability =
  /** Rejects a change if the action has changed since it was shown, without a gap between check and change. */
  | 'revisions'
  /** Reports what live apps use. */
  | 'publishedCopies'
  /** Adds log records, for the trigger lab. */
  | 'logRecords'
  | 'dataSources'
  /** Says which log record belongs to a queued run. */
  | 'runIds'
  /** Lists log records of any age. */
  | 'allLogs'
  /** Filters log records by outcome and time: `outcome`, `from`, and `to` of a query. */
  | 'logFilters'
  /** Stores earlier revisions of actions, and restores them. */
  | 'history'
  | 'virtualClock';

/** Why a way can't do something, as a sentence; null if it can. */
export type Limits = Readonly<Record<Ability, string | null>>;

/** `unreadable`: more actions that the platform has. */
export interface ActionListing {
  actions: Action[];
  unreadable: readonly Unreadable[];
}

/** What the user saw when they decided on a change. */
export interface ShownAction {
  id: number;
  /** The editable fields. */
  fields: Readonly<Record<string, unknown>>;
  revision: number | undefined;
}

export interface QueuedRun {
  /** Null if the platform doesn't report it. */
  runId: string | null;
  /**
   * The run's log record, or null if there is none yet. `through` is the current way to the logs, because the page that
   * queued the run may be gone.
   */
  record(through: Pick<ActionsBackend, 'logs'>): Promise<Result<LogRecord | null>>;
}

export type Payload = Record<string, unknown>;

export interface RunResult {
  result: unknown;
  milliseconds: number;
}

/**
 * The actions of one app. Methods never reject. A change is sent at most once. If its outcome is unknown, it fails with
 * `OUTCOME_UNKNOWN`. Changes of an action that isn't as shown fail with `CONFLICT`.
 */
export interface ActionsBackend {
  readonly of: OfApp;
  readonly way: Way;
  /** Why there is no way; null if there is one. */
  readonly missing: NoPageReason | null;
  readonly cannot: Limits;
  list(): Promise<Result<ActionListing>>;
  /** Null if the list was read in whole and doesn't have the action. `known` is the last loaded list. */
  find(id: number, known: readonly Action[] | null): Promise<Result<Action | null>>;
  create(action: NewAction): Promise<Result<Action>>;
  update(shown: ShownAction, change: ActionChange): Promise<Result<Action>>;
  remove(shown: ShownAction): Promise<Result<null>>;
  publish(shown: ShownAction, publish: boolean): Promise<Result<null>>;
  /** The stored revisions, newest first. */
  history(id: number): Promise<Result<ActionRevision[]>>;
  revision(id: number, revision: number): Promise<Result<FullRevision>>;
  /** Makes a stored revision the working copy again. */
  restore(shown: ShownAction, revision: number): Promise<Result<Action>>;
  /** Resolves when the run is queued. Runs nothing if `mocks` couldn’t apply. */
  run(action: Action, payload: Payload, mocks?: readonly Mock[]): Promise<Result<QueuedRun>>;
  /** `milliseconds` includes the request. Runs nothing if `mocks` couldn’t apply. */
  runWithResult(action: Action, payload: Payload, mocks?: readonly Mock[]): Promise<Result<RunResult>>;
  /**
   * Newest first. `count` is the total number of matches.
   * @param loaded how many of the query's records the caller has: all up to `query.before`
   */
  logs(query: LogQueryInput, loaded?: number): Promise<Result<LogList>>;
  addLog(log: NewLog): Promise<Result<LogRecord>>;
  functions(): Promise<Result<FunctionDescriptor[]>>;
  dataSources(): Promise<Result<DataSource[]>>;
}

/** The current way to an app's actions. It can change with the inspected page, so callers ask each time. */
export type BackendOf = (app: OfApp) => ActionsBackend;
