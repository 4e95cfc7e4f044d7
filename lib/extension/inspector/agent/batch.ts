/** Writes a log's `EventBatch` as JSON text. */
import type { EventLog } from './event-log.ts';
import { JsonText, write } from './json.ts';
import { slice } from './pristine.ts';

export function writeBatch(
  log: Pick<EventLog, 'read' | 'lastSeq'>,
  after: number,
  maxChars: number,
  documentId: string,
  fingerprint: string,
): JsonText {
  const { events, dropped } = log.read(after, maxChars);
  const rest = write({ documentId, lastSeq: log.lastSeq(), dropped, fingerprint });
  return new JsonText(`{"events":${events},${slice(rest, 1)}`);
}
