/** Writes an `EventBatch` as JSON text. */
import type { EventBatch } from '../agent-protocol.ts';
import { JsonText, write } from './json.ts';
import { slice } from './pristine.ts';

/** @param events JSON text of the list of events */
export function writeBatch(events: string, batch: Omit<EventBatch<unknown>, 'events'>): JsonText {
  return new JsonText(`{"events":${events},${slice(write(batch), 1)}`);
}
