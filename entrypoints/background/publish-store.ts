/** Owns the database of publishes: an intent is on disk before its request goes out, its outcome after. Never wiped here. */
import type { DBSchema, IDBPDatabase } from 'idb';
import { openDB } from 'idb';
import * as v from 'valibot';
import { CodedError, PublishRecord } from '../../lib/contract/index.ts';

interface Schema extends DBSchema {
  /** Parsed when read: what is in it may be damaged. */
  publishes: { key: string; value: { id: string } };
}

/** Entry n brings version n to n + 1. Never change one that was released; add another. */
const MIGRATIONS: readonly ((db: IDBPDatabase<Schema>) => void)[] = [
  (db) => {
    db.createObjectStore('publishes', { keyPath: 'id' });
  },
];
export const PUBLISHES_NAME = 'platform-devtools-publishes';
export const PUBLISHES_VERSION = MIGRATIONS.length;
/** As many are kept; those whose outcome is open are never dropped. */
export const KEPT = 200;
const PATIENCE = 3_000;

/** Every method rejects with a `CodedError`: `PUBLISHES_NEWER`, `PUBLISHES_UNAVAILABLE`, `PUBLISHES_FULL`, `PUBLISHES_DAMAGED`. */
export interface PublishStore {
  /** Newest first; damaged records are left out, and where they are. */
  list(): Promise<PublishRecord[]>;
  /** Writes `record` unless `conflict` finds one among the others that stands in its way, which is then answered; in one transaction. */
  begin(record: PublishRecord, conflict: (others: readonly PublishRecord[]) => PublishRecord | undefined): Promise<PublishRecord | undefined>;
  /** Reads, changes and writes one record in one transaction; on disk when it resolves. Undefined when it is not there. */
  change(id: string, how: (record: PublishRecord) => PublishRecord): Promise<PublishRecord | undefined>;
  /** Removes all of an environment. */
  forget(environmentId: string): Promise<void>;
}

export function createPublishStore(name: string = PUBLISHES_NAME): PublishStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;

  /** Runs `work` on the open store; once more when the browser had closed the connection meanwhile. */
  async function use<T>(work: (records: Records) => Promise<T>, again = true): Promise<T> {
    opened ??= open(name, () => (opened = null));
    const mine = opened;
    try {
      const transaction = (await mine).transaction('publishes', 'readwrite', { durability: 'strict' });
      transaction.done.catch(() => {});
      const value = await work(transaction.store).catch((error: unknown) => {
        abort(transaction);
        throw error;
      });
      await transaction.done;
      return value;
    } catch (error) {
      if (opened === mine) opened = null;
      if (error instanceof Error && error.name === 'InvalidStateError' && again) return use(work, false);
      throw asStoreError(error);
    }
  }

  return {
    list: () => use(all),
    begin: (record, conflict) => use(async (records) => {
      const others = await all(records);
      const inTheWay = conflict(others);
      if (inTheWay) return inTheWay;
      await records.put(record);
      for (const old of others.filter(isClosed).slice(KEPT - 1)) await records.delete(old.id);
      return undefined;
    }),
    change: (id, how) => use(async (records) => {
      const found = v.safeParse(PublishRecord, await records.get(id));
      if (!found.success) return undefined;
      const changed = how(found.output);
      await records.put(changed);
      return changed;
    }),
    forget: (environmentId) => use(async (records) => {
      for (const record of await all(records)) if (record.environmentId === environmentId) await records.delete(record.id);
    }),
  };
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It has ended by itself already.
  }
}

type Records = {
  get(id: string): Promise<unknown>;
  getAll(): Promise<unknown[]>;
  put(record: PublishRecord): Promise<unknown>;
  delete(id: string): Promise<void>;
};

async function all(records: Records): Promise<PublishRecord[]> {
  const stored = await records.getAll();
  const good = stored.flatMap((record) => {
    const parsed = v.safeParse(PublishRecord, record);
    return parsed.success ? [parsed.output] : [];
  });
  return good.sort((a, b) => b.startedAt - a.startedAt);
}

/** Whether nothing can come of it any more. */
function isClosed({ outcome, discarded }: PublishRecord): boolean {
  return outcome !== null && (outcome.state !== 'unknown' || discarded);
}

async function open(name: string, onGone: () => void): Promise<IDBPDatabase<Schema>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { promise: blocked, reject: refuse } = Promise.withResolvers<never>();
  const opening = openDB<Schema>(name, PUBLISHES_VERSION, {
    upgrade(db, from) {
      for (const migrate of MIGRATIONS.slice(from)) migrate(db);
    },
    blocked: () => {
      timer = setTimeout(() => refuse(storeError('PUBLISHES_UNAVAILABLE')), PATIENCE);
    },
    blocking(_current, _wanted, event) {
      (event.target as IDBDatabase).close();
      onGone();
    },
    terminated: onGone,
  });
  // Opened after all, when nobody waits for it any more: let go, or it would block in its turn.
  blocked.catch(() => opening.then((db) => db.close(), () => {}));
  return Promise.race([opening, blocked]).finally(() => clearTimeout(timer));
}

const SAY = {
  PUBLISHES_NEWER: ['What was published from here was written by a newer version of this extension. Nothing was changed or sent.', 'Update the extension.'],
  PUBLISHES_UNAVAILABLE: ['The browser does not let the extension keep what it publishes. Nothing was sent.', 'Allow it to store data (private windows may not) and close its other pages, then try again.'],
  PUBLISHES_FULL: ['The disk or the browser’s storage is full. Nothing was sent.', 'Free some space, then try again.'],
  PUBLISHES_DAMAGED: ['What was published from here cannot be read: the browser’s database is damaged. Nothing was sent or deleted.', 'Restart the browser; if it stays, erase all data on the options page.'],
} as const;

function storeError(code: keyof typeof SAY, cause?: unknown): CodedError {
  const [message, next] = SAY[code];
  return new CodedError({ code, message, next }, { cause });
}

function asStoreError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'VersionError') return storeError('PUBLISHES_NEWER', error);
  if (name === 'QuotaExceededError') return storeError('PUBLISHES_FULL', error);
  if (name === 'SecurityError' || name === 'ReferenceError') return storeError('PUBLISHES_UNAVAILABLE', error);
  return storeError('PUBLISHES_DAMAGED', error);
}
