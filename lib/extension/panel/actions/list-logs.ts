/** Lists log records. Retries with a smaller page if the response is too large. */
import type { Result } from '../../../platform-api/coded-error.ts';
import { type LogList, type LogQueryInput, RUN_LOG_TYPES } from '../../../platform-api/log.ts';
import type { Unreadable } from '../../../platform-api/lists/unreadable.ts';
import type { ActionsBackend } from './backend/types.ts';

/** A query's newest records. `limit` is the page size that worked. */
export interface ListedLogs {
  response: Result<LogList>;
  limit: number;
}

export interface LogPage {
  query: LogQueryInput;
  maxLimit: number;
  /** How many of the query's records are already loaded. */
  loaded?: number;
}

const TOO_LARGE: ReadonlySet<string> = new Set(['ANSWER_TOO_LARGE', 'PAGE_ANSWER_TOO_LARGE']);

export async function listLogs(
  backend: Pick<ActionsBackend, 'logs'>,
  { query, maxLimit, loaded = 0 }: LogPage,
): Promise<ListedLogs> {
  for (let limit = maxLimit; ; limit = Math.ceil(limit / 4)) {
    const response = await backend.logs({ ...query, limit }, loaded);
    if (response.ok || !TOO_LARGE.has(response.error.code) || limit <= 1) return { response, limit };
  }
}

/**
 * Lists only run results. With a `where` filter, the platform returns either one type or all types, so each type is
 * listed separately.
 */
export async function listRuns(
  backend: Pick<ActionsBackend, 'logs'>,
  { query, ...page }: LogPage & { query: Omit<LogQueryInput, 'type'> },
): Promise<ListedLogs> {
  const lists = await Promise.all(
    RUN_LOG_TYPES.map((type) => listLogs(backend, { ...page, query: { ...query, type } })),
  );
  // Limit the result to the smallest page size. Beyond it, records of some types might be missing.
  const limit = Math.min(...lists.map((list) => list.limit));
  let count = 0;
  const unreadable: Unreadable[] = [];
  const logs: LogList['logs'] = [];
  for (const { response } of lists) {
    if (!response.ok) return { response, limit };
    count += response.value.count;
    unreadable.push(...(response.value.unreadable ?? []));
    logs.push(...response.value.logs);
  }
  return {
    response: { ok: true, value: { count, unreadable, logs: logs.sort((a, b) => b.id - a.id).slice(0, limit) } },
    limit,
  };
}
