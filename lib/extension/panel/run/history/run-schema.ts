/** Defines the object stores of past runs, and migrates them. */
import type { IDBPObjectStore, StoreNames } from 'idb';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { createQuarantine, type Migration, type QuarantineSchema } from '../../../storage/index.ts';
import { parseRun } from './run-record.ts';
import type { RunRecord, SavedPayload } from './run-store.ts';

export interface Schema extends QuarantineSchema {
  runs: { key: string; value: RunRecord; indexes: { subject: string; startedAt: number } };
  /** Chunks by run and first event. Earlier versions stored text or objects. */
  events: { key: [string, number]; value: Uint8Array | string | AgentEvent[] };
  /** Compressed JSON text, by run. */
  recordings: { key: string; value: Uint8Array<ArrayBuffer> };
  payloads: { key: [string, string]; value: SavedPayload; indexes: { subject: string } };
  /** By subject and name. */
  debugging: { key: [string, string]; value: { text: string; savedAt: number } };
}

export const MIGRATIONS: readonly Migration<Schema>[] = [
  (db) => {
    const runs = db.createObjectStore('runs', { keyPath: 'id' });
    runs.createIndex('subject', 'subject');
    runs.createIndex('startedAt', 'startedAt');
    db.createObjectStore('events');
    db.createObjectStore('payloads', { keyPath: ['subject', 'name'] }).createIndex('subject', 'subject');
  },
  createQuarantine,
  // If this fails, opening the database fails, too, and reports it.
  (_db, transaction) => void measureOldRuns(transaction.objectStore('runs')).catch(() => {}),
  (db) => {
    db.createObjectStore('recordings');
    db.createObjectStore('debugging');
  },
];

/**
 * Earlier versions counted characters, of which browsers store about a sixth: they compress the text. Five runs of
 * 10 MB had 7.9 MB on disk.
 */
const OLD_RATIO = 6;

async function measureOldRuns(
  runs: IDBPObjectStore<Schema, StoreNames<Schema>[], 'runs', 'versionchange'>,
): Promise<void> {
  for (let cursor = await runs.openCursor(); cursor; cursor = await cursor.continue()) {
    const run = parseRun(cursor.value);
    if (run) await cursor.update({ ...run, size: Math.ceil(run.size / OLD_RATIO), characters: run.size });
  }
}
