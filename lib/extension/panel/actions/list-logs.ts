/** Owns reading log records where they are large or of several types: fewer at a time, until an answer is small enough to be read. */
import type { Result } from '../../../platform-api/coded-error.ts';
import { type LogList, type LogQueryInput, RUN_LOG_TYPES } from '../../../platform-api/log.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

/** The newest records of a query; `asked` is how many there was room for. */
export interface ListedLogs {
  answer: Result<LogList>;
  asked: number;
}

/** At most `limit` of them. */
export async function listLogs(send: Send, of: OfApp, query: LogQueryInput, limit: number): Promise<ListedLogs> {
  for (let asked = limit; ; asked = Math.ceil(asked / 4)) {
    const answer = await send('logs.list', { ...of, query: { ...query, limit: asked } });
    if (answer.ok || answer.error.code !== 'ANSWER_TOO_LARGE' || asked <= 1) return { answer, asked };
  }
}

/** The same of the results of runs alone, with a `where` too: the platform then looks through all types, or through one that is named. */
export async function listRuns(
  send: Send,
  of: OfApp,
  query: Omit<LogQueryInput, 'type'>,
  limit: number,
): Promise<ListedLogs> {
  const lists = await Promise.all(RUN_LOG_TYPES.map((type) => listLogs(send, of, { ...query, type }, limit)));
  // Further back than the shortest of them reaches, records of that type may be missing.
  const asked = Math.min(...lists.map((list) => list.asked));
  let count = 0;
  const found: LogList['logs'] = [];
  for (const { answer } of lists) {
    if (!answer.ok) return { answer, asked };
    count += answer.value.count;
    found.push(...answer.value.logs);
  }
  return { answer: { ok: true, value: { count, logs: found.sort((a, b) => b.id - a.id).slice(0, asked) } }, asked };
}
