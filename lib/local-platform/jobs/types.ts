/** Owns what the actions' side and the jobs' side of the platform agree on: a queued run, its outcome, the queue. */
import type { PipelineStep } from '../../platform-api/index.ts';
import type { Database } from '../db/database.ts';

/** The database, or a transaction of it. */
export type Db = Database | Parameters<Parameters<Database['transaction']>[0]>[0];

export type RunMode = 'on-demand' | 'scheduled';

/** What is queued: the action as it was when it was fired, so that a later edit changes nothing. */
export interface RunRequest {
  appId: number;
  actionId: number;
  actionName: string;
  trigger: 'manual' | 'schedule' | 'log' | 'analytics';
  mode: RunMode;
  copy: 'working' | 'published';
  pipeline: PipelineStep[];
  pageId: number | null;
  payload: Record<string, unknown>;
  /** How many runs caused one another before this one: fired by log entries, or started by hand. */
  depth: number;
  /** ISO 8601, by the platform's clock; absent in what an older version queued. */
  firedAt?: string;
  /** ISO 8601: the time of the schedule that the run stands for, of several that were missed the first. */
  dueAt?: string;
}

export interface RunFailure {
  errorType: string;
  errorMessage: string;
  /** Lines, the failing step first. */
  trace: string[];
}

export type RunOutcome =
  | { state: 'completed'; result: unknown; milliseconds: number }
  | {
      state: 'failed';
      code: 'ACTION_FAILED' | 'TIMEOUT' | 'RESULT_TOO_LARGE';
      failure: RunFailure;
      milliseconds: number;
    };

export interface Jobs {
  /** Answers when the run is durably queued; within `tx`, the run exists if and only if that transaction commits. */
  enqueue(run: RunRequest, tx?: Db): Promise<{ runId: string }>;
  /** Queues the run; `outcome` never rejects. */
  begin(run: RunRequest): Promise<{ runId: string; outcome: Promise<RunOutcome> }>;
  /** The outcome of a run that was begun here or in another process; undefined when there is no such run in this app. */
  find(appId: number, runId: string): Promise<{ actionName: string; outcome: Promise<RunOutcome> } | undefined>;
  /** `begin`, and waiting for the outcome. Aborting `signal` ends the waiting, not the run. */
  runAndWait(run: RunRequest, signal?: AbortSignal): Promise<RunOutcome>;
  close(): Promise<void>;
}

/**
 * Given to the jobs by the actions' side: writes the run's one log record; called once per run, inside the transaction that ends it.
 * `console` is what the run wrote there, one text a line.
 */
export type WriteRunLog = (
  tx: Db,
  run: RunRequest & { runId: string },
  outcome: RunOutcome,
  console?: readonly string[],
) => Promise<void>;

/** Next time of a five-field cron expression in a zone; null when it never fires. */
export type NextRun = (frequency: string, timezone: string, after: Date) => Date | null;
