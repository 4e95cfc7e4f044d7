/** Lists log records. Retries with a smaller page if the response is too large. */
import type { Result } from '../../../platform-api/coded-error.ts';
import { type LogList, type LogQueryInput, RUN_LOG_TYPES } from '../../../platform-api/log.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

/** A query's newest records. `limit` is the page size that worked. */
export interface ListedLogs {
  response: Result<LogList>;
  limit: number;
}

export async function listLogs(send: Send, of: OfApp, query: LogQueryInput, maxLimit: number): Promise<ListedLogs> {
  for (let limit = maxLimit; ; limit = Math.ceil(limit / 4)) {
    const response = await send('logs.list', { ...of, query: { ...query, limit } });
    if (response.ok || response.error.code !== 'ANSWER_TOO_LARGE' || limit <= 1) return { response, limit };
  }
}

/**
 * Lists only run results. With a `where` filter, the platform returns either one type or all types, so each type is
 * listed separately.
 */
export async function listRuns(
  send: Send,
  of: OfApp,
  query: Omit<LogQueryInput, 'type'>,
  maxLimit: number,
): Promise<ListedLogs> {
  const lists = await Promise.all(RUN_LOG_TYPES.map((type) => listLogs(send, of, { ...query, type }, maxLimit)));
  // Limit the result to the smallest page size. Beyond it, records of some types might be missing.
  const limit = Math.min(...lists.map((list) => list.limit));
  let count = 0;
  const logs: LogList['logs'] = [];
  for (const { response } of lists) {
    if (!response.ok) return { response, limit };
    count += response.value.count;
    logs.push(...response.value.logs);
  }
  return { response: { ok: true, value: { count, logs: logs.sort((a, b) => b.id - a.id).slice(0, limit) } }, limit };
}
