/** Owns looking at databases as they are, in whatever version and state, so that a person can have what the extension does not use. */
import { type IDBPDatabase, openDB } from 'idb';
import type { KeptAside } from '../messaging/model/kept-aside.ts';

export interface KnownDatabase {
  name: string;
  /** What a person calls what is in it. */
  title: string;
  /** The newest version that is known here. */
  version: number;
  /** The object stores of that version. */
  stores: readonly string[];
  /** Of them what may be handed out: never what holds tokens or keys. `all` stands also for stores that only a newer version knows. */
  open: readonly string[] | 'all';
}

const FORMAT = 'platform-devtools-kept-aside';

/** Those of `known` that are there and not as they should be. Never rejects, changes or makes anything. */
export async function lookAside(known: readonly KnownDatabase[]): Promise<KeptAside[]> {
  const all = await Promise.all(
    known.map((one) =>
      withDatabase(
        one,
        async (db): Promise<KeptAside> => {
          const aside = db.objectStoreNames.contains('aside') ? await db.count('aside') : 0;
          return { title: one.title, problem: problemOf(db, one), aside };
        },
        { title: one.title, problem: 'damaged', aside: 0 },
      ),
    ),
  );
  return all.filter((found) => found !== null && (found.problem !== null || found.aside > 0)) as KeptAside[];
}

/** The text of a JSON file: the records set aside, and all that may be handed out of a database that is newer or damaged. Never rejects. */
export async function writeAside(known: readonly KnownDatabase[]): Promise<string> {
  const databases = await Promise.all(
    known.map((one) =>
      withDatabase(
        one,
        async (db) => {
          const problem = problemOf(db, one);
          const wanted = [...db.objectStoreNames].filter(
            (store) => store === 'aside' || (problem !== null && isOpen(one, store)),
          );
          const stores: Record<string, unknown[]> = {};
          for (const store of wanted)
            stores[store] = (await readAll(db, store)).filter(
              ({ value }) => store !== 'aside' || typeof value === 'string' || isOpen(one, storeOf(value)),
            );
          return { name: one.name, version: db.version, problem, stores };
        },
        null,
      ),
    ),
  );
  return JSON.stringify({ format: FORMAT, version: 1, databases: databases.filter(Boolean) }, readable, 1);
}

/** A database of an older version is as it should be: it is brought up to date when it is used next. */
function problemOf(db: IDBPDatabase, { version, stores }: KnownDatabase): KeptAside['problem'] {
  if (db.version > version) return 'newer';
  return db.version === version && !stores.every((store) => db.objectStoreNames.contains(store)) ? 'damaged' : null;
}

const isOpen = ({ open }: KnownDatabase, store: string): boolean => open === 'all' || open.includes(store);
const storeOf = (aside: unknown): string => String((Object(aside) as { store?: unknown }).store);

/** What `work` answers; null where there is no such database, `otherwise` where it cannot be opened or read. */
async function withDatabase<T>(
  { name }: KnownDatabase,
  work: (db: IDBPDatabase) => Promise<T>,
  otherwise: T,
): Promise<T | null> {
  try {
    if (!(await indexedDB.databases()).some((one) => one.name === name)) return null;
    const db = await openDB(name, undefined, {
      // It was erased just now: made anew it would be empty, and in nobody's version.
      upgrade: (_db, _from, _to, transaction) => transaction.abort(),
      blocking: (_current, _wanted, event) => (event.target as IDBDatabase).close(),
    });
    return await work(db).finally(() => db.close());
  } catch {
    return otherwise;
  }
}

/** One after the other, for one that cannot be read must not cost the others: a text says so in its place. */
async function readAll(db: IDBPDatabase, store: string): Promise<{ key: IDBValidKey; value: unknown }[]> {
  const records: { key: IDBValidKey; value: unknown }[] = [];
  for (const key of await db.getAllKeys(store)) {
    const value = await db.get(store, key).then(inJson, () => '[cannot be read]');
    records.push({ key, value });
  }
  return records;
}

function inJson(value: unknown): unknown {
  try {
    JSON.stringify(value, readable);
    return value;
  } catch {
    return '[cannot be written as JSON]';
  }
}

/** What JSON has no word for, as a text. Bytes and keys are not handed out. */
function readable(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  if (value instanceof Map || value instanceof Set) return [...value];
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return value;
}
