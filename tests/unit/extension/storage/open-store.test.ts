/**
 * Tests that a database that can’t be opened or used is reported with a specific code, left unchanged, and used again
 * once possible.
 */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import {
  type QuarantineSchema,
  createQuarantine,
  type Fault,
  type FaultErrors,
  type Migration,
  openStore,
  type Store,
} from '../../../../lib/extension/storage/index.ts';

interface Schema extends QuarantineSchema {
  things: { key: string; value: { id: string; name?: string } };
}
const FIRST: Migration<Schema> = (db) => void db.createObjectStore('things', { keyPath: 'id' });
const word = (fault: Fault) => ({
  code: `THINGS_${fault.toUpperCase()}`,
  message: `They are ${fault}.`,
  hint: 'Do something.',
});
const SAY: FaultErrors = {
  newer: word('newer'),
  blocked: word('blocked'),
  damaged: word('damaged'),
  unavailable: word('unavailable'),
  full: word('full'),
};
const NAME = 'things';

const make = (timeout = 20): Store<Schema> =>
  openStore<Schema>({
    name: NAME,
    migrations: [FIRST, createQuarantine],
    stores: ['things', 'aside'],
    errors: SAY,
    timeout,
  });
const put = (store: Store<Schema>, id: string) =>
  store.transact(['things'], 'readwrite', (transaction) => transaction.objectStore('things').put({ id }));
const ids = (store: Store<Schema>) => store.use((db) => db.getAllKeys('things'));
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.restoreAllMocks());

describe('a database', () => {
  it('is created by all migrations in order, and upgraded from any version with its data', async () => {
    const old = await openDB<Schema>(NAME, 1, { upgrade: (db, _from, _to, transaction) => FIRST(db, transaction) });
    await old.put('things', { id: 'old' });
    old.close();
    const store = make();
    await put(store, 'new');
    expect(await ids(store)).toEqual(['new', 'old']);
    expect(await store.use(async (db) => [db.version, [...db.objectStoreNames]])).toEqual([2, ['aside', 'things']]);
  });

  it('of a newer version is reported and left unchanged', async () => {
    const newer = await openDB(NAME, 9, { upgrade: (db) => void db.createObjectStore('future') });
    await newer.put('future', 'kept', 'k');
    newer.close();
    expect(await failure(ids(make()))).toBe('THINGS_NEWER');
    const after = await openDB(NAME);
    expect({ version: after.version, future: await after.get('future', 'k') }).toEqual({ version: 9, future: 'kept' });
  });

  it('without one of its stores is reported as damaged and left unchanged', async () => {
    const damaged = await openDB(NAME, 2, { upgrade: (db) => void db.createObjectStore('things', { keyPath: 'id' }) });
    await damaged.put('things', { id: 'kept' });
    damaged.close();
    expect(await failure(ids(make()))).toBe('THINGS_DAMAGED');
    expect(await (await openDB(NAME)).getAllKeys('things')).toEqual(['kept']);
  });

  it.each([
    ['UnknownError', 'THINGS_DAMAGED'],
    ['SecurityError', 'THINGS_UNAVAILABLE'],
    ['InvalidStateError', 'THINGS_UNAVAILABLE'],
    ['QuotaExceededError', 'THINGS_FULL'],
  ])('whose opening fails with %s is %s, and is opened at the next use', async (name, code) => {
    const store = make();
    vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
      throw new DOMException('no', name);
    });
    expect(await failure(ids(store))).toBe(code);
    expect(await failure(ids(store))).toBe('ok');
  });

  it('is unavailable where there is no IndexedDB', async () => {
    Reflect.deleteProperty(globalThis, 'indexedDB');
    expect(await failure(ids(make()))).toBe('THINGS_UNAVAILABLE');
  });

  it('is blocked while another page has an older version open, opens once that is closed, and blocks no other page', async () => {
    const holder = await openDB<Schema>(NAME, 1, { upgrade: (db, _from, _to, transaction) => FIRST(db, transaction) });
    const store = make();
    expect(await failure(ids(store))).toBe('THINGS_BLOCKED');
    holder.close();
    expect(await failure(ids(store))).toBe('ok');
    await store.close();
    const { promise: blocked, resolve } = Promise.withResolvers<string>();
    expect(
      await Promise.race([blocked, deleteDB(NAME, { blocked: () => resolve('blocked') }).then(() => 'deleted')]),
    ).toBe('deleted');
  });

  it('is also blocked when its opening waits for another one without an event', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementationOnce(
      () => new (IDBOpenDBRequest as unknown as new () => IDBOpenDBRequest)(),
    );
    expect(await failure(ids(make(5)))).toBe('THINGS_BLOCKED');
  });
});

describe('a connection', () => {
  it('is closed when another page upgrades or erases it, and opened again', async () => {
    const store = make();
    await put(store, 'a');
    await deleteDB(NAME);
    expect(await ids(store)).toEqual([]);
    await put(store, 'b');
    expect(await ids(store)).toEqual(['b']);
  });

  it('that the browser closed is opened again within the same operation', async () => {
    const store = make();
    await put(store, 'a');
    await store.use((db) => Promise.resolve(db.close()));
    expect(await failure(put(store, 'b'))).toBe('ok');
    expect(await ids(store)).toEqual(['a', 'b']);
  });

  it('that is lost during a transaction is reopened, and writes once', async () => {
    const store = make();
    let tries = 0;
    await store.transact(['aside'], 'readwrite', async (transaction) => {
      const added = transaction.objectStore('aside').add({ store: 'things', key: 'k', record: ++tries, at: 0 });
      if (tries === 1) transaction.abort();
      await added;
    });
    expect(await store.use((db) => db.getAll('aside'))).toMatchObject([{ record: 2 }]);
  });

  it('reports a bug in an operation as it is, not as a damaged database', async () => {
    const bug = new TypeError('x is undefined');
    expect(await failure(make().use(() => Promise.reject(bug)))).toBe(bug);
    const store = make();
    const put = store.use((db) => db.put('things', { id: 'a', name: (() => {}) as unknown as string }));
    expect(await failure(put)).toMatchObject({ name: 'DataCloneError' });
  });

  it('stays open when an operation itself is rejected', async () => {
    const store = make();
    const before = await store.use((db) => Promise.resolve(db));
    expect(await failure(store.use(() => Promise.reject(new CodedError({ code: 'NO', message: 'No.' }))))).toBe('NO');
    expect(await store.use((db) => Promise.resolve(db === before))).toBe(true);
  });
});

describe('a transaction', () => {
  it('that fails leaves nothing behind', async () => {
    const store = make();
    expect(
      await failure(
        store.transact(['things'], 'readwrite', async (transaction) => {
          await transaction.objectStore('things').put({ id: 'half' });
          throw new CodedError({ code: 'NO', message: 'No.' });
        }),
      ),
    ).toBe('NO');
    expect(await ids(store)).toEqual([]);
  });

  it('on a full disk is reported, leaves nothing behind, and stays readable', async () => {
    const store = make();
    await put(store, 'old');
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await failure(put(store, 'new'))).toBe('THINGS_FULL');
    expect(await ids(store)).toEqual(['old']);
    full.mockRestore();
    expect(await failure(put(store, 'new'))).toBe('ok');
  });

  it('that the browser closes because the disk is full is reported as full, not as damaged', async () => {
    const store = make();
    expect(
      await failure(
        store.transact(['things'], 'readwrite', async (transaction) => {
          Object.defineProperty(transaction, 'error', { value: new DOMException('full', 'QuotaExceededError') });
          const putting = transaction.objectStore('things').put({ id: 'new' });
          transaction.abort();
          await putting;
        }),
      ),
    ).toBe('THINGS_FULL');
  });
});
