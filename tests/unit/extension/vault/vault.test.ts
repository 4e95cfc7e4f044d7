/** Tests that the vault stores what it confirmed, keeps tokens secret, and never deletes what it can’t read. */
import 'fake-indexeddb/auto';
import { IDBDatabase, IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import fc from 'fast-check';
import { deleteDB, openDB } from 'idb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import { VAULT_NAME, Vault } from '../../../../lib/extension/vault/index.ts';
import type { EnvironmentDraft } from '../../../../lib/extension/messaging/model/environment.ts';
import { casesOf } from '../../../support/exhaustive.ts';

const TOKEN = 'eu-token-0123456789-abcd';
const draft: EnvironmentDraft = {
  name: 'EU',
  preset: 'eu',
  baseUrl: 'https://api.example.com',
  namespace: 'Platform',
  production: true,
  token: TOKEN,
};
const { token: _, ...without } = draft;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});
afterEach(() => vi.restoreAllMocks());

const code = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );

/** Everything that is on disk, as text. */
async function disk(): Promise<string> {
  const db = await openDB(VAULT_NAME);
  const all = await Promise.all([...db.objectStoreNames].map(async (store) => [store, await db.getAll(store)]));
  db.close();
  return JSON.stringify(all, (_key, value: unknown) =>
    value instanceof ArrayBuffer || ArrayBuffer.isView(value)
      ? Buffer.from(value as ArrayBuffer).toString('latin1')
      : value,
  );
}
async function change(work: (db: Awaited<ReturnType<typeof openDB>>) => Promise<unknown>): Promise<void> {
  const db = await openDB(VAULT_NAME);
  await work(db);
  db.close();
}

describe('environments', () => {
  it('are returned as they were saved, with a masked token', async () => {
    const saved = await new Vault().save(draft);
    expect(saved).toEqual({ ...without, id: saved.id, maskedToken: '••••abcd' });
    // A second vault simulates a restarted worker.
    expect(await new Vault().list()).toEqual([saved]);
  });

  it('are listed in the order in which they were added, even within one millisecond and after a change', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(1);
    const vault = new Vault();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const [first] = [
      await vault.save({ ...without, name: 'a' }),
      ...(await Promise.all(names.slice(1).map((name) => vault.save({ ...without, name })))),
    ];
    expect((await vault.list()).map(({ name }) => name)).toEqual(names);
    await vault.save({ ...without, id: first?.id, name: 'Changed' });
    expect((await vault.list()).map(({ name }) => name)).toEqual(['Changed', ...names.slice(1)]);
  });

  it('are removed with their tokens', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    await vault.remove(id);
    await vault.remove(id);
    expect(await vault.list()).toEqual([]);
    expect(await disk()).not.toContain(id);
  });

  it('can’t be changed after they were removed', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    await vault.remove(id);
    expect(await code(vault.save({ ...draft, id }))).toBe('ENVIRONMENT_NOT_FOUND');
    expect(await vault.list()).toEqual([]);
  });
});

describe('tokens', () => {
  it('are returned with their base URL, even by a new worker', async () => {
    const { id } = await new Vault().save(draft);
    expect(await new Vault().connection(id)).toEqual({ baseUrl: draft.baseUrl, namespace: 'Platform', token: TOKEN });
  });

  it('aren’t readable on disk, and their key can’t be extracted', async () => {
    await new Vault().save(draft);
    expect(await disk()).not.toContain(TOKEN);
    expect(await disk()).not.toContain(TOKEN.slice(-4));
    await change(async (db) => {
      const key = (await db.get('keys', 'tokens')) as CryptoKey;
      expect(key.extractable).toBe(false);
      await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
    });
  });

  it('are encrypted differently each time', async () => {
    const vault = new Vault();
    await vault.save(draft);
    await vault.save(draft);
    await change(async (db) => {
      const [one, two] = (await db.getAll('tokens')) as { iv: Uint8Array; sealed: ArrayBuffer }[];
      expect(one?.iv).not.toEqual(two?.iv);
      expect(new Uint8Array(one?.sealed ?? [])).not.toEqual(new Uint8Array(two?.sealed ?? []));
    });
  });

  it('stay when the environment changes but not its base URL', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    expect(await vault.save({ ...without, id, name: 'Europe' })).toMatchObject({ maskedToken: '••••abcd' });
    expect(await vault.connection(id)).toEqual({ baseUrl: draft.baseUrl, namespace: 'Platform', token: TOKEN });
  });

  it.each(['https://other.example.com', 'https://api.example.com:8443', 'https://api.example.com/eu'])(
    'are removed when the base URL becomes %s',
    async (baseUrl) => {
      const vault = new Vault();
      const { id } = await vault.save(draft);
      expect(await vault.save({ ...without, id, baseUrl })).toMatchObject({ maskedToken: null });
      expect(await code(vault.connection(id))).toBe('TOKEN_MISSING');
      await vault.save({ ...without, id });
      expect(await code(vault.connection(id))).toBe('TOKEN_MISSING');
    },
  );

  it('show no character of a short one', async () => {
    const vault = new Vault();
    expect(await vault.save({ ...draft, token: '12345678901' })).toMatchObject({ maskedToken: '••••' });
    expect(await vault.save({ ...draft, token: '123456789012' })).toMatchObject({ maskedToken: '••••9012' });
  });

  it('are refused by code when there is no token or no environment', async () => {
    const vault = new Vault();
    const { id } = await vault.save(without);
    expect(await code(vault.connection(id))).toBe('TOKEN_MISSING');
    expect(await code(vault.connection('unknown'))).toBe('ENVIRONMENT_NOT_FOUND');
  });

  it.each<[string, (record: Record<string, unknown>) => Record<string, unknown>]>([
    ['changed on disk', (record) => ({ ...record, sealed: new Uint8Array(40).buffer })],
    ['stored in another form', (record) => ({ environmentId: record['environmentId'], token: 'plain' })],
    ['stored without their initialization vector', ({ iv: _iv, ...record }) => record],
  ])('that were %s are reported by code and stay', async (_what, damage) => {
    const { id } = await new Vault().save(draft);
    await change(async (db) => db.put('tokens', damage((await db.get('tokens', id)) as Record<string, unknown>)));
    const before = await disk();
    const vault = new Vault();
    expect(await vault.list()).toMatchObject([
      { id, maskedToken: null, problem: { code: 'TOKEN_UNREADABLE', hint: expect.any(String) } },
    ]);
    expect(await code(vault.connection(id))).toBe('TOKEN_UNREADABLE');
    expect(await disk()).toBe(before);
    expect(await vault.save({ ...draft, id })).toMatchObject({ maskedToken: '••••abcd' });
  });

  it('can’t be moved to another environment', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    const other = await vault.save(without);
    await change(async (db) =>
      db.put('tokens', { ...((await db.get('tokens', id)) as object), environmentId: other.id }),
    );
    expect(await code(vault.connection(other.id))).toBe('TOKEN_UNREADABLE');
  });

  it.each(['https://evil.example', `${draft.baseUrl}/evil`])(
    'can’t be sent to %s by changing the stored base URL',
    async (baseUrl) => {
      const vault = new Vault();
      const { id } = await vault.save(draft);
      await change(async (db) => {
        await db.put('environments', { ...((await db.get('environments', id)) as object), baseUrl });
      });
      expect(await code(vault.connection(id))).toBe('TOKEN_MISSING');
      await change(async (db) => db.put('tokens', { ...((await db.get('tokens', id)) as object), baseUrl }));
      expect(await code(vault.connection(id))).toBe('TOKEN_UNREADABLE');
    },
  );

  it('share one key when two are saved at the same moment', async () => {
    const [a, b] = await Promise.all([
      new Vault().save(draft),
      new Vault().save({ ...draft, token: 'another-token-9876' }),
    ]);
    const vault = new Vault();
    expect((await vault.connection(a.id)).token).toBe(TOKEN);
    expect((await vault.connection(b.id)).token).toBe('another-token-9876');
  });
});

describe('a save that fails in the middle', () => {
  it.each([
    ['the worker is stopped', true],
    ['the token can’t be written', false],
  ])('writes neither the environment nor its token when %s', async (_what, stopped) => {
    const { id } = await new Vault().save(draft);
    const before = await disk();
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      ...args: Parameters<typeof put>
    ) {
      if (this.name !== 'tokens') return put.apply(this, args);
      if (stopped) this.transaction.abort();
      throw new DOMException('no', stopped ? 'AbortError' : 'DataCloneError');
    });
    expect(await code(new Vault().save({ ...draft, id, name: 'Half', token: 'another-token-9876' }))).not.toBe('ok');
    vi.restoreAllMocks();
    expect(await disk()).toBe(before);
    expect((await new Vault().connection(id)).token).toBe(TOKEN);
  });
});

describe('a save whose connection is lost once it is on disk', () => {
  it('happens once', async () => {
    const vault = new Vault();
    await vault.save(draft);
    const transaction = IDBDatabase.prototype.transaction;
    let isWritten = false;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...args: Parameters<typeof transaction>
    ) {
      if (isWritten) {
        isWritten = false;
        throw new DOMException('closed', 'InvalidStateError');
      }
      isWritten = args[1] === 'readwrite';
      return transaction.apply(this, args);
    });
    const saved = await vault.save({ ...draft, name: 'US' });
    expect(saved).toMatchObject({ name: 'US', maskedToken: '••••abcd' });
    expect((await vault.list()).map(({ name }) => name)).toEqual(['EU', 'US']);
  });
});

describe('a damaged database', () => {
  it('quarantines a damaged environment, and continues with the others', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    await change((db) => db.put('environments', { id: 'broken', name: 7 }));
    expect((await vault.list()).map((environment) => environment.id)).toEqual([id]);
    expect(await vault.state()).toEqual({ quarantined: 1, lock: { kind: 'open' } });
    await change(async (db) =>
      expect(await db.getAll('aside')).toMatchObject([{ store: 'environments', record: { id: 'broken', name: 7 } }]),
    );
    expect((await vault.list()).map((environment) => environment.id)).toEqual([id]);
    expect(await vault.state()).toEqual({ quarantined: 1, lock: { kind: 'open' } });
  });

  it('keeps a damaged environment that is saved again before it was quarantined', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    await change(async (db) =>
      db.put('environments', { ...((await db.get('environments', id)) as object), name: 7, createdAt: 'yesterday' }),
    );
    await vault.save({ ...without, id });
    expect(await vault.list()).toEqual([{ ...without, id, maskedToken: '••••abcd' }]);
    expect(await vault.state()).toMatchObject({ quarantined: 0 });
  });

  it('of a newer version is reported and left unchanged', async () => {
    const newer = await openDB(VAULT_NAME, 99, { upgrade: (db) => void db.createObjectStore('future') });
    await newer.put('future', 'precious', 'k');
    newer.close();
    expect(await code(new Vault().list())).toBe('VAULT_NEWER');
    expect(await code(new Vault().save(draft))).toBe('VAULT_NEWER');
    await change(async (db) => {
      expect(db.version).toBe(99);
      expect(await db.get('future', 'k')).toBe('precious');
    });
  });

  it('without some of its stores is reported and left unchanged', async () => {
    const damaged = await openDB(VAULT_NAME, 1, {
      upgrade: (db) => void db.createObjectStore('environments', { keyPath: 'id' }),
    });
    await damaged.put('environments', { id: 'precious' });
    damaged.close();
    expect(await code(new Vault().list())).toBe('VAULT_DAMAGED');
    await change(async (db) => expect(await db.get('environments', 'precious')).toEqual({ id: 'precious' }));
  });

  it('reports that the browser stores nothing', async () => {
    vi.spyOn(globalThis.indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('no', 'SecurityError');
    });
    expect(await code(new Vault().list())).toBe('VAULT_UNAVAILABLE');
  });

  it('reports that the disk is full, and changes nothing', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    expect(await code(vault.save({ ...draft, id, name: 'More' }))).toBe('VAULT_FULL');
    vi.restoreAllMocks();
    expect(await vault.list()).toMatchObject([{ name: 'EU' }]);
  });

  it('recovers when the browser closed the connection', async () => {
    const vault = new Vault();
    const { id } = await vault.save(draft);
    await deleteDB(VAULT_NAME);
    expect(await code(vault.connection(id))).toBe('ENVIRONMENT_NOT_FOUND');
    await vault.save(draft);
    expect(await vault.list()).toHaveLength(1);
  });
});

describe('erasing', () => {
  it('leaves nothing, and the vault can be used again', async () => {
    const vault = new Vault();
    await vault.save(draft);
    await vault.erase();
    expect(await indexedDB.databases()).toEqual([]);
    expect(await vault.list()).toEqual([]);
  });

  it('also removes a database of a newer version', async () => {
    (await openDB(VAULT_NAME, 99)).close();
    const vault = new Vault();
    expect(await code(vault.list())).toBe('VAULT_NEWER');
    await vault.erase();
    expect(await vault.list()).toEqual([]);
  });

  it('that another page delays is reported as such, because the browser erases it later', async () => {
    await new Vault().save(draft);
    const holder = await openDB(VAULT_NAME);
    await expect(new Vault({ timeout: 20 }).erase()).rejects.toMatchObject({
      value: {
        code: 'DATA_IN_USE',
        message: 'Couldn’t erase yet: Environments. The browser erases them when no other page uses them.',
      },
    });
    holder.close();
    expect(await new Vault().list()).toEqual([]);
  });
});

describe('for any content of the database', () => {
  const stores = ['environments', 'tokens', 'keys', 'aside'] as const;
  const value = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withTypedArray: true,
    maxDepth: 2,
  });
  const part = fc.dictionary(
    fc.constantFrom(
      'id',
      'environmentId',
      'name',
      'preset',
      'baseUrl',
      'createdAt',
      'iv',
      'sealed',
      'kdf',
      'hash',
      'iterations',
      'salt',
      'wrapped',
      'idleMinutes',
      'wrong',
      'triedAt',
    ),
    value,
    { maxKeys: 4 },
  );

  it('each method returns its value or fails with a code, and erasing leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom(...stores),
            fc.constantFrom('tokens', 'lock', 'id', 'other'),
            fc.boolean(),
            part,
            value,
          ),
          { minLength: 1, maxLength: 4 },
        ),
        fc.boolean(),
        async (junk, isLocked) => {
          globalThis.indexedDB = new IDBFactory();
          const vault = new Vault({ iterations: 1000, timeout: 20 });
          const { id } = await vault.save(draft);
          if (isLocked) await vault.protect('correct horse battery staple', 15);
          await change(async (db) => {
            for (const [store, key, isMerged, fields, other] of junk) {
              const before = isMerged ? ((await db.get(store, store === 'keys' ? key : id)) as unknown) : undefined;
              const record =
                store === 'keys' && !isMerged
                  ? other
                  : Object.assign(
                      Object.create(null) as object,
                      Object(before) instanceof CryptoKey ? {} : before,
                      fields,
                      isMerged && store !== 'keys' ? (store === 'tokens' ? { environmentId: id } : { id }) : {},
                    );
              // Ignores values that a database can’t store.
              await (store === 'keys' ? db.put(store, record, key) : db.put(store, record)).catch(() => {});
            }
          });
          const file = JSON.stringify({
            format: 'platform-devtools-environments',
            version: 1,
            environments: [without],
          });
          const works = [
            () => vault.state(),
            () => vault.list(),
            () => vault.connection(id),
            () => vault.exportText(),
            () => vault.exportText('another passphrase, as long'),
            () => vault.importText(file),
            () => vault.active(),
            () => vault.setIdle(5),
            () => vault.unlock('correct horse battery staple'),
            () => vault.lock(),
            () => vault.changePassphrase('correct horse battery staple', 'another passphrase, as long'),
            () => vault.save({ ...draft, id }),
            () => vault.unprotect('another passphrase, as long'),
            () => vault.protect('a third passphrase, too', 15),
            () => vault.reset(),
            () => vault.save(draft),
            () => vault.remove(id),
            () => vault.erase(),
          ];
          for (const work of works) expect(await code(work())).toMatch(/^[A-Z_]+$|^ok$/);
          expect(await vault.list()).toEqual([]);
        },
      ),
      casesOf(5, 25),
    );
  }, 30_000);
});
