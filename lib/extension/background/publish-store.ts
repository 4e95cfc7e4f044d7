/** Owns the database of publishes: an intent is on disk before its request goes out, its outcome after. */
import type { IDBPTransaction } from 'idb';
import * as v from 'valibot';
import type { ErrorValue } from '../../platform-api/index.ts';
import { PUBLISHES_KEPT, PublishRecord } from '../messaging/model/publishing.ts';
import {
  type AsideSchema,
  createAside,
  type FaultWords,
  type KnownDatabase,
  type Migration,
  openStore,
  readOrSetAside,
} from '../storage/index.ts';

interface Schema extends AsideSchema {
  /** Parsed when read: what is in it may be damaged. */
  publishes: { key: string; value: { id: string } };
}

const MIGRATIONS: readonly Migration<Schema>[] = [
  (db) => {
    db.createObjectStore('publishes', { keyPath: 'id' });
  },
  createAside,
];
export const PUBLISHES_NAME = 'platform-devtools-publishes';
export const PUBLISHES_VERSION = MIGRATIONS.length;
const STORES = ['publishes', 'aside'] as const;
export const PUBLISHES: KnownDatabase = {
  name: PUBLISHES_NAME,
  title: 'What was published from here',
  version: PUBLISHES_VERSION,
  stores: STORES,
  open: 'all',
};

/** Every method rejects with a `CodedError`: `PUBLISHES_NEWER`, `PUBLISHES_BLOCKED`, `PUBLISHES_UNAVAILABLE`, `PUBLISHES_FULL`, `PUBLISHES_DAMAGED`. */
export interface PublishStore {
  /** Newest first; damaged records are set aside. */
  list(): Promise<PublishRecord[]>;
  /** Writes `record` unless `conflict` finds one among the others that stands in its way, which is then answered; in one transaction. */
  begin(
    record: PublishRecord,
    conflict: (others: readonly PublishRecord[]) => PublishRecord | undefined,
  ): Promise<PublishRecord | undefined>;
  /** Reads, changes and writes one record in one transaction; on disk when it resolves. Undefined when it is not there. */
  change(id: string, how: (record: PublishRecord) => PublishRecord): Promise<PublishRecord | undefined>;
  /** Removes all of an environment. */
  forget(environmentId: string): Promise<void>;
}

/** `patience` in milliseconds: how long another connection may hold up the opening. */
export function createPublishStore(name: string = PUBLISHES_NAME, patience?: number): PublishStore {
  const store = openStore<Schema>({ name, migrations: MIGRATIONS, stores: STORES, say: SAY, patience });
  const write = <T>(work: (transaction: Writing) => Promise<T>): Promise<T> =>
    store.transact(STORES, 'readwrite', work);

  return {
    list: () => write(all),
    begin: (record, conflict) =>
      write(async (transaction) => {
        const others = await all(transaction);
        const inTheWay = conflict(others);
        if (inTheWay) return inTheWay;
        const records = transaction.objectStore('publishes');
        await records.put(record);
        for (const old of others.filter(isClosed).slice(PUBLISHES_KEPT - 1)) await records.delete(old.id);
        return undefined;
      }),
    change: (id, how) =>
      write(async (transaction) => {
        const records = transaction.objectStore('publishes');
        const found = v.safeParse(PublishRecord, await records.get(id));
        if (!found.success) return undefined;
        const changed = how(found.output);
        await records.put(changed);
        return changed;
      }),
    forget: (environmentId) =>
      write(async (transaction) => {
        for (const record of await all(transaction))
          if (record.environmentId === environmentId) await transaction.objectStore('publishes').delete(record.id);
      }),
  };
}

type Writing = IDBPTransaction<Schema, ('publishes' | 'aside')[], 'readwrite'>;

async function all(transaction: Writing): Promise<PublishRecord[]> {
  const good = await readOrSetAside<Schema, PublishRecord>(transaction, 'publishes', (record) => {
    const parsed = v.safeParse(PublishRecord, record);
    return parsed.success ? parsed.output : undefined;
  });
  return good.sort((a, b) => b.startedAt - a.startedAt);
}

/** Whether nothing can come of it any more. */
function isClosed({ outcome, discarded }: PublishRecord): boolean {
  return outcome !== null && (outcome.state !== 'unknown' || discarded);
}

const error = (code: string, message: string, hint: string): ErrorValue => ({ code, message, hint });
const SAY: FaultWords = {
  newer: error(
    'PUBLISHES_NEWER',
    'What was published from here was written by a newer version of this extension. Nothing was changed or sent.',
    'Update the extension.',
  ),
  blocked: error(
    'PUBLISHES_BLOCKED',
    'Another page of the extension holds on to what was published from here. Nothing was sent.',
    'Close the extension’s other pages and DevTools windows, then try again.',
  ),
  damaged: error(
    'PUBLISHES_DAMAGED',
    'What was published from here cannot be read: the browser’s database is damaged. Nothing was sent or deleted.',
    'Restart the browser; if it stays, save what can be read on the options page and erase all data there.',
  ),
  unavailable: error(
    'PUBLISHES_UNAVAILABLE',
    'The browser does not let the extension keep what it publishes. Nothing was sent.',
    'Allow it to store data (private windows may not), then try again.',
  ),
  full: error(
    'PUBLISHES_FULL',
    'The disk or the browser’s storage is full. Nothing was sent.',
    'Free some space, then try again.',
  ),
};
