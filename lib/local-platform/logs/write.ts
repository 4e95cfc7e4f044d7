/** Adds log records and queues the runs that they fire, in one transaction. */
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import type { LogRecord } from '../../platform-api/index.ts';
import { DEPTH_LIMIT, whereMismatches, withCurrentErrorType } from '../../platform-api/index.ts';
import { isRecord } from '../../shared/objects.ts';
import { programOf } from '../apps/actions-v3/program.ts';
import { and, eq, getTableColumns, inArray, isNotNull } from '../db/drizzle.ts';
import { actions, logs, type PublishedCopy } from '../db/schema.ts';
import type { Db, RunRequest } from '../jobs/types.ts';
import type { GrownLogs } from './retention.ts';
import { runDataV3 } from './run-data-v3.ts';

const { searchData: _searchData, ...columns } = getTableColumns(logs);
/** What a record consists of: `searchData` only serves to find it. */
export const LOG_COLUMNS = columns;
export type LogRow = Omit<typeof logs.$inferSelect, 'searchData'>;
/** A new record. `createdAt` defaults to now. The database sets the other columns. */
export type LogEntry = Omit<typeof logs.$inferInsert, 'id' | 'actionId'>;

export interface Logs {
  /**
   * Adds the records, and queues a run of each action that has a `log` trigger for one of them (decisions, "Actions").
   * @param depth how many runs, each fired by the previous one, led to the records
   */
  write(tx: Db, entries: LogEntry[], depth: number): Promise<LogRow[]>;
}

type Listener = { id: number; name: string; listensTo: Record<string, unknown>[] | null };
interface Fired {
  row: LogRow;
  listener: Listener;
}

/**
 * @param profile of V3 runs
 * @param grown notes the apps whose logs have grown
 */
export function createLogs(
  enqueueAll: (runs: RunRequest[], tx: Db) => Promise<void>,
  clock: () => Date,
  profile: ProfileName = 'plain',
  grown?: GrownLogs,
): Logs {
  const insert = (tx: Db, entries: LogEntry[]): Promise<LogRow[]> =>
    tx
      .insert(logs)
      .values(entries.map((entry) => stored(entry, clock())))
      .returning(LOG_COLUMNS);

  async function fire(tx: Db, fired: Fired[], depth: number): Promise<void> {
    const ids = [...new Set(fired.map(({ listener }) => listener.id))];
    const published = await tx
      .select({ id: actions.id, published: actions.published })
      .from(actions)
      .where(inArray(actions.id, ids));
    const copies = new Map(published.map((each) => [each.id, each.published]));
    const live = fired.filter(({ listener }) => copies.get(listener.id));
    if (live.length === 0) return;
    const runs = live.map((each) => ({ ...each, run: runOf(each, copies.get(each.listener.id)!, depth, profile) }));
    if (depth > DEPTH_LIMIT) await insert(tx, runs.map(tooDeepFor));
    else
      await enqueueAll(
        runs.map(({ run }) => run),
        tx,
      );
  }

  return {
    async write(tx, entries, depth) {
      if (entries.length === 0) return [];
      const rows = await insert(tx, entries);
      for (const [appId, group] of Map.groupBy(rows, (row) => row.appId)) {
        grown?.add(appId);
        const listeners: Listener[] = await tx
          .select({ id: actions.id, name: actions.name, listensTo: actions.listensTo })
          .from(actions)
          .where(and(eq(actions.appId, appId), isNotNull(actions.listensTo)));
        const fired = group.flatMap((row) => {
          const record = logRecord(row);
          return listeners
            .filter(({ listensTo }) => listensTo?.some((where) => whereMismatches(where, record).length === 0))
            .map((listener) => ({ row, listener }));
        });
        if (fired.length > 0) await fire(tx, fired, depth);
      }
      return rows;
    },
  };
}

function runOf({ row, listener }: Fired, copy: PublishedCopy, depth: number, profile: ProfileName): RunRequest {
  return {
    appId: row.appId,
    actionId: listener.id,
    actionName: copy.name,
    trigger: 'log',
    mode: 'scheduled',
    copy: 'published',
    ...programOf(copy, profile),
    payload: { trigger: 'log', log: logRecord(row) },
    depth,
    firedAt: row.createdAt.toISOString(),
  };
}

function tooDeepFor({ row: { organizationId }, listener, run }: Fired & { run: RunRequest }): LogEntry {
  const errorMessage =
    `A chain of runs that fire one another is limited to ${DEPTH_LIMIT}. ` +
    `Narrow the trigger of ${listener.name} so that it doesn’t match the records it causes.`;
  return tooDeep(run, organizationId, errorMessage);
}

/** The record for a run that wasn’t started because the chain of runs that led to it was too long. */
export function tooDeep(run: RunRequest, organizationId: number, errorMessage: string): LogEntry {
  const { appId, actionId, mode, v3 } = run;
  const failure = { errorType: 'DEPTH_LIMIT', errorMessage, trace: [] };
  const data = v3
    ? runDataV3({ ...run, v3 }, 0, { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds: 0 }, [])
    : { mode, duration: 0, actionId, result: failure };
  return { appId, organizationId, type: 'app.task.failed', data };
}

/** The record as it appears in responses, and in a fired action’s `log`. */
export function logRecord(row: LogRow): LogRecord {
  return {
    id: row.id,
    appId: row.appId,
    organizationId: row.organizationId,
    dataSourceId: row.dataSourceId,
    dataSourceEntryId: row.dataSourceEntryId,
    appNotificationId: row.appNotificationId,
    sessionId: row.sessionId,
    type: row.type,
    data: currentData(row),
    createdAt: row.createdAt.toISOString(),
  };
}

/** A failed run’s data, with the failure’s current spelling. */
function currentData({ type, data }: LogRow): LogRow['data'] {
  if (type !== 'app.task.failed' || !isRecord(data.result)) return data;
  return { ...data, result: withCurrentErrorType(data.result) };
}

function stored(entry: LogEntry, now: Date): typeof logs.$inferInsert {
  const { actionId = entry.data.taskId } = entry.data;
  const isId = typeof actionId === 'number' && Number.isInteger(actionId) && actionId > 0 && actionId < 2 ** 31;
  return {
    ...entry,
    data: cleaned(entry.data) as Record<string, unknown>,
    actionId: isId ? actionId : null,
    createdAt: entry.createdAt ?? now,
  };
}

/** Replaces characters that Postgres can’t store or that break every search: NUL and unpaired surrogates. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleaned(key), cleaned(each)]));
}
