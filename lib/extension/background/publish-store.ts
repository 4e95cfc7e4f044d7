/** Stores publish records: the intent before the request is sent, and the outcome afterward. */
import type { IDBPTransaction } from 'idb';
import * as v from 'valibot';
import { PublishRecord } from '../messaging/model/publishing.ts';
import { PUBLISH_LIMIT } from '../messaging/model/stored-data.ts';
import {
  createQuarantine,
  faultErrors,
  type Migration,
  openStore,
  PUBLISH_DATABASE,
  type QuarantineSchema,
  readOrQuarantine,
} from '../storage/index.ts';

interface Schema extends QuarantineSchema {
  /** Records are parsed when read because they might be damaged. */
  publishes: { key: string; value: { id: string } };
}

const MIGRATIONS: readonly Migration<Schema>[] = [
  (db) => {
    db.createObjectStore('publishes', { keyPath: 'id' });
  },
  createQuarantine,
];
export const { name: PUBLISHES_NAME, version: PUBLISHES_VERSION } = PUBLISH_DATABASE;
const { stores: STORES } = PUBLISH_DATABASE;

/**
 * Every method rejects with a `CodedError`: `PUBLISHES_NEWER`, `PUBLISHES_BLOCKED`, `PUBLISHES_UNAVAILABLE`,
 * `PUBLISHES_FULL`, or `PUBLISHES_DAMAGED`.
 */
export interface PublishStore {
  /** Newest first. Quarantines damaged records. */
  list(): Promise<PublishRecord[]>;
  /** In one transaction, writes `record`, unless `conflict` finds a conflicting record, which is then returned. */
  begin(
    record: PublishRecord,
    conflict: (others: readonly PublishRecord[]) => PublishRecord | undefined,
  ): Promise<PublishRecord | undefined>;
  /** Changes one record in one transaction, and resolves when it’s on disk. Undefined if the record doesn’t exist. */
  change(id: string, update: (record: PublishRecord) => PublishRecord): Promise<PublishRecord | undefined>;
  /** Removes all publish records of an environment. */
  forget(environmentId: string): Promise<void>;
}

/** @param timeout how long to wait for another connection that blocks opening, in milliseconds */
export function createPublishStore(name: string = PUBLISHES_NAME, timeout?: number): PublishStore {
  const store = openStore<Schema>({
    name,
    migrations: MIGRATIONS,
    stores: STORES,
    errors: faultErrors('PUBLISHES', 'the publish records'),
    timeout,
  });
  const write = <T>(work: (transaction: Writing) => Promise<T>): Promise<T> =>
    store.transact(STORES, 'readwrite', work);

  return {
    list: () => write(all),
    begin: (record, conflict) =>
      write(async (transaction) => {
        const others = await all(transaction);
        const blocker = conflict(others);
        if (blocker) return blocker;
        const records = transaction.objectStore('publishes');
        await records.put(record);
        for (const old of others.filter(isClosed).slice(PUBLISH_LIMIT - 1)) await records.delete(old.id);
        return undefined;
      }),
    change: (id, update) =>
      write(async (transaction) => {
        const records = transaction.objectStore('publishes');
        const found = v.safeParse(PublishRecord, await records.get(id));
        if (!found.success) return undefined;
        const changed = update(found.output);
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
  const good = await readOrQuarantine<Schema, PublishRecord>(transaction, 'publishes', (record) => {
    const parsed = v.safeParse(PublishRecord, record);
    return parsed.success ? parsed.output : undefined;
  });
  return good.sort((a, b) => b.startedAt - a.startedAt);
}

/** Whether the outcome is final. */
function isClosed({ outcome, discarded }: PublishRecord): boolean {
  return outcome !== null && (outcome.state !== 'unknown' || discarded);
}
