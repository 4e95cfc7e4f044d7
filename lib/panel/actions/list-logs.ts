/** Owns reading log records where they are large: fewer at a time, until an answer is small enough to be read. */
import type { Result } from '../../contract/coded-error.ts';
import type { LogList, LogQueryInput } from '../../contract/log.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';

/** The newest records of a query, at most `limit` of them; `asked` is how many there was room for. */
export async function listLogs(send: Send, of: OfApp, query: LogQueryInput, limit: number): Promise<{ answer: Result<LogList>; asked: number }> {
  for (let asked = limit; ; asked = Math.ceil(asked / 4)) {
    const answer = await send('logs.list', { ...of, query: { ...query, limit: asked } });
    if (answer.ok || answer.error.code !== 'ANSWER_TOO_LARGE' || asked <= 1) return { answer, asked };
  }
}
