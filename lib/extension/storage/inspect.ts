/** Inspects databases of any version or state, and exports data that the extension can’t use. */
import type { IDBPDatabase } from 'idb';
import { gunzip } from '../../shared/gzip.ts';
import type { QuarantineFile, QuarantineReport } from '../messaging/model/stored-data.ts';
import type { KnownDatabase } from './databases.ts';
import { errorName } from './faults.ts';
import { openExisting } from './open-existing.ts';

const FORMAT = 'platform-devtools-kept-aside';

/** Reports which databases in `known` have problems. Never rejects, and never changes or creates anything. */
export async function inspectQuarantine(known: readonly KnownDatabase[]): Promise<QuarantineReport[]> {
  const all = await Promise.all(
    known.map((one) =>
      withDatabase(
        one,
        async (db): Promise<QuarantineReport> => {
          const records = db.objectStoreNames.contains('aside') ? await db.count('aside') : 0;
          return { title: one.title, problem: problemOf(db, one), records };
        },
        { title: one.title, problem: 'damaged', records: 0 },
      ),
    ),
  );
  return all.filter((found) => found !== null && (found.problem !== null || found.records > 0)) as QuarantineReport[];
}

/**
 * Returns the quarantined records, and all exportable records of newer or damaged databases. Never rejects.
 */
export async function exportQuarantine(known: readonly KnownDatabase[]): Promise<QuarantineFile> {
  const databases = await Promise.all(
    known.map((one) =>
      withDatabase(
        one,
        async (db) => {
          const problem = problemOf(db, one);
          const wanted = [...db.objectStoreNames].filter(
            (store) => store === 'aside' || (problem !== null && isExportable(one, store)),
          );
          const stores: Record<string, unknown[]> = {};
          for (const store of wanted)
            stores[store] = (await readAll(db, store)).filter(
              ({ value }) =>
                store !== 'aside' || typeof value === 'string' || isExportable(one, storeOfQuarantined(value)),
            );
          return { name: one.name, version: db.version, problem, stores };
        },
        'unread' as const,
      ),
    ),
  );
  const unread = known.filter((_, index) => databases[index] === 'unread');
  const written = databases.map((each, index) =>
    each === 'unread' ? { name: known[index]!.name, problem: 'unread' } : each,
  );
  return {
    text: JSON.stringify({ format: FORMAT, version: 1, databases: written.filter(Boolean) }, toExportable, 1),
    unread: unread.map(({ title }) => title),
  };
}

/** An older version isn’t a problem: it’s migrated on its next use. */
function problemOf(db: IDBPDatabase, { version, stores }: KnownDatabase): QuarantineReport['problem'] {
  if (db.version > version) return 'newer';
  return db.version === version && !stores.every((store) => db.objectStoreNames.contains(store)) ? 'damaged' : null;
}

const isExportable = ({ exportable }: KnownDatabase, store: string): boolean =>
  exportable === 'all' || exportable.includes(store);
const storeOfQuarantined = (record: unknown): string => String((Object(record) as { store?: unknown }).store);

/**
 * Resolves with the result of `work`, with null if the database doesn’t exist, or with `otherwise` if it can’t be
 * opened or read.
 */
async function withDatabase<T, U>(
  { name }: KnownDatabase,
  work: (db: IDBPDatabase) => Promise<T>,
  otherwise: U,
): Promise<T | U | null> {
  try {
    if (!(await indexedDB.databases()).some((one) => one.name === name)) return null;
    const db = await openExisting(name);
    if (!db) return null;
    // Another page can delete or upgrade it.
    db.addEventListener('versionchange', () => db.close());
    return await work(db).finally(() => db.close());
  } catch (error) {
    // It was deleted after it was listed.
    return errorName(error) === 'AbortError' ? null : otherwise;
  }
}

/** Reads records one by one, so that an unreadable record doesn’t affect the others. A placeholder text replaces it. */
async function readAll(db: IDBPDatabase, store: string): Promise<{ key: IDBValidKey; value: unknown }[]> {
  const records: { key: IDBValidKey; value: unknown }[] = [];
  for (const key of await db.getAllKeys(store)) {
    const value = await db
      .get(store, key)
      .then(readable)
      .then(checkJson, () => '[can’t be read]');
    records.push({ key, value });
  }
  return records;
}

/** Decompresses text that a database stores compressed, also in quarantine. Other bytes stay as they are. */
async function readable(value: unknown): Promise<unknown> {
  if (value instanceof Uint8Array) return gunzip(value as Uint8Array<ArrayBuffer>).catch(() => value);
  const { record } = Object(value) as { record?: unknown };
  return record instanceof Uint8Array ? { ...Object(value), record: await readable(record) } : value;
}

function checkJson(value: unknown): unknown {
  try {
    JSON.stringify(value, toExportable);
    return value;
  } catch {
    return '[can’t be written as JSON]';
  }
}

/** Replaces values that JSON can’t represent. Bytes and keys are never exported. */
function toExportable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return value;
}
