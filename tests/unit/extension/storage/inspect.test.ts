/** Tests that quarantined data can be exported, without secrets. */
import 'fake-indexeddb/auto';
import { gzip } from '../../../../lib/shared/gzip.ts';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KnownDatabase, inspectQuarantine, exportQuarantine } from '../../../../lib/extension/storage/index.ts';

const THINGS: KnownDatabase = {
  name: 'things',
  title: 'Things',
  version: 2,
  stores: ['things', 'secrets', 'aside'],
  exportable: ['things', 'aside'],
};
const OTHERS: KnownDatabase = { name: 'others', title: 'Others', version: 1, stores: ['others'], exportable: 'all' };
const BOTH = [THINGS, OTHERS];

/** A database with a secret, a record, and the given quarantined records. */
async function make(version: number, stores: readonly string[], quarantined: readonly unknown[] = []): Promise<void> {
  const db = await openDB('things', version, {
    upgrade: (first) => stores.forEach((store) => void first.createObjectStore(store, { autoIncrement: true })),
  });
  if (stores.includes('secrets')) await db.put('secrets', 'token-abcdef');
  if (stores.includes('things')) await db.put('things', { id: 'thing' });
  for (const record of quarantined) await db.add('aside', record);
  db.close();
}
const written = async () =>
  JSON.parse((await exportQuarantine(BOTH)).text) as {
    databases: {
      name: string;
      version: number;
      problem: string | null;
      stores: Record<string, { key: unknown; value: unknown }[]>;
    }[];
  };

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.restoreAllMocks());

describe('quarantined data', () => {
  it('is empty when everything is valid, older, or missing, and inspecting creates nothing', async () => {
    expect(await inspectQuarantine(BOTH)).toEqual([]);
    expect(await indexedDB.databases()).toEqual([]);
    await make(1, ['things']);
    expect(await inspectQuarantine(BOTH)).toEqual([]);
    await (
      await openDB('things', 2, {
        upgrade: (db) => void [db.createObjectStore('secrets'), db.createObjectStore('aside', { autoIncrement: true })],
      })
    ).close();
    expect(await inspectQuarantine(BOTH)).toEqual([]);
    expect((await indexedDB.databases()).map(({ name, version }) => [name, version])).toEqual([['things', 2]]);
  });

  it('includes only the damaged records of a database in use, and so does the file', async () => {
    await make(2, THINGS.stores, [
      { store: 'things', key: 'k', record: { id: 7 }, at: 1 },
      { store: 'secrets', key: 's', record: 'token-abcdef', at: 1 },
    ]);
    expect(await inspectQuarantine(BOTH)).toEqual([{ title: 'Things', problem: null, records: 2 }]);
    const file = await written();
    expect(file).toMatchObject({
      format: 'platform-devtools-kept-aside',
      version: 1,
      databases: [
        {
          name: 'things',
          version: 2,
          problem: null,
          stores: { aside: [{ value: { store: 'things', key: 'k', record: { id: 7 } } }] },
        },
      ],
    });
    expect(JSON.stringify(file)).not.toContain('abcdef');
  });

  it.each([
    ['newer', 9, ['things', 'secrets', 'aside', 'future']],
    ['damaged', 2, ['things', 'secrets']],
  ] as const)('includes everything except secrets of a database that is %s', async (problem, version, stores) => {
    await make(version, stores);
    expect(await inspectQuarantine(BOTH)).toEqual([{ title: 'Things', problem, records: 0 }]);
    const file = await written();
    expect(file.databases).toMatchObject([{ problem, version, stores: { things: [{ value: { id: 'thing' } }] } }]);
    expect(JSON.stringify(file)).not.toContain('abcdef');
    expect(Object.keys(file.databases[0]!.stores)).not.toContain('future');
    expect((await openDB('things')).version).toBe(version);
  });

  it('reports a database that can’t be opened, along with the others', async () => {
    await make(2, THINGS.stores);
    (await openDB('others', 3, { upgrade: (db) => void db.createObjectStore('others').put('kept', 'k') })).close();
    const open = indexedDB.open.bind(indexedDB);
    vi.spyOn(indexedDB, 'open').mockImplementation((name, version) => {
      if (name === 'things') throw new DOMException('Internal error opening backing store.', 'UnknownError');
      return open(name, version);
    });
    expect(await inspectQuarantine(BOTH)).toEqual([
      { title: 'Things', problem: 'damaged', records: 0 },
      { title: 'Others', problem: 'newer', records: 0 },
    ]);
    expect((await exportQuarantine(BOTH)).unread).toEqual(['Things']);
    expect((await written()).databases).toMatchObject([
      { name: 'things', problem: 'unread' },
      { name: 'others', stores: { others: [{ key: 'k', value: 'kept' }] } },
    ]);
  });

  it('lacks a database that is deleted while it’s inspected', async () => {
    vi.spyOn(indexedDB, 'databases').mockResolvedValue([{ name: 'things', version: 2 }]);
    expect(await inspectQuarantine(BOTH)).toEqual([]);
    expect(await exportQuarantine(BOTH)).toMatchObject({ unread: [] });
  });

  it('can be exported even when JSON can’t represent it, or a record can’t be read', async () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    const record = (value: unknown) => ({ store: 'things', key: 'k', record: value, at: 1 });
    await make(
      2,
      THINGS.stores,
      [1n, new Map([['a', 1]]), new Uint8Array([1, 2, 3]), new Date(0), undefined, cycle, 'unreadable'].map(record),
    );
    const get = IDBObjectStore.prototype.get;
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
      if (key === 7) throw new DOMException('Failed to read large IndexedDB value', 'DataError');
      return get.call(this, key);
    });
    const { stores } = (await written()).databases[0]!;
    expect(stores['aside']!.map(({ value }) => (Object(value) as { record?: unknown }).record ?? value)).toEqual([
      '1n',
      [['a', 1]],
      '[3 bytes]',
      '1970-01-01T00:00:00.000Z',
      record(undefined),
      '[can’t be written as JSON]',
      '[can’t be read]',
    ]);
  });

  it('is exported as text if it was stored compressed', async () => {
    const events = await gzip('[{"kind":"console"}]');
    await make(2, THINGS.stores, [events, { store: 'things', key: 'k', record: events, at: 1 }]);
    const { stores } = (await written()).databases[0]!;
    expect(stores['aside']!.map(({ value }) => (Object(value) as { record?: unknown }).record ?? value)).toEqual([
      '[{"kind":"console"}]',
      '[{"kind":"console"}]',
    ]);
  });
});
