/** Types shared by actions and jobs: a queued run, its outcome, and the queue. */
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { Mock, PipelineStep, RunFailure, RunFailureCode } from '../../platform-api/index.ts';
import type { Database } from '../db/database.ts';
import type { StoredRecording } from '../recordings/store.ts';

/** The database, or a transaction in it. */
export type Db = Database | Parameters<Parameters<Database['transaction']>[0]>[0];

export type RunMode = 'on-demand' | 'scheduled';

/**
 * A queued run. Includes a copy of the action from when the run was fired, so that later edits don’t affect the run.
 */
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
  /** How many runs led to this one, each by starting the next directly or firing it through a log record. */
  depth: number;
  /** ISO 8601, by the platform’s clock. Absent from runs that older versions queued. */
  firedAt?: string;
  /** ISO 8601: the scheduled time. If several were missed, the first of them. */
  dueAt?: string;
  /** Only for a V3 action, whose pipeline is empty. */
  v3?: { code: string; dependencies: string[]; profile: ProfileName; runOn: 'server' | 'client' };
  /** The working copy’s revision. */
  revision?: number;
  /** Only for a working copy. None of them is off. */
  mocks?: Mock[];
  /** Also records a run that completes. */
  record?: boolean;
}

export type RunOutcome =
  | { state: 'completed'; result: unknown; milliseconds: number }
  | {
      state: 'failed';
      code: RunFailureCode;
      failure: RunFailure;
      milliseconds: number;
    };

export interface Jobs {
  /** Resolves once the run is durably queued. With `tx`, the run exists only if that transaction commits. */
  enqueue(run: RunRequest, tx?: Db): Promise<{ runId: string }>;
  /** Resolves once runs can be queued within a transaction. */
  ready(): Promise<void>;
  /** Like `enqueue`, for a run whose outcome `find` then returns. Resolves with the run’s ID. */
  begin(run: RunRequest, tx?: Db): Promise<string>;
  /**
   * Finds a run that `begin` queued in this or another process, and its outcome. Undefined if the app has no such run.
   */
  find(
    appId: number,
    runId: string,
  ): Promise<(Pick<RunRequest, 'actionName' | 'v3'> & { outcome: Promise<RunOutcome> }) | undefined>;
  /** Queues the run and awaits its outcome. Aborting `signal` ends the wait, not the run. */
  runAndWait(run: RunRequest, signal?: AbortSignal): Promise<RunOutcome>;
  close(): Promise<void>;
}

/** What a run has left behind besides its outcome. */
export interface RunTraces {
  /** The lines of its console. */
  console?: readonly string[];
  recording?: StoredRecording | undefined;
}

/** Writes the run’s log record. Called once per run, in the transaction that ends the run. */
export type WriteRunLog = (
  tx: Db,
  run: RunRequest & { runId: string },
  outcome: RunOutcome,
  traces?: RunTraces,
) => Promise<void>;
