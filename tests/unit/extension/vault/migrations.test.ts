/** Tests that the vault of every older version opens without losing data. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { beforeEach, describe, expect, it } from 'vitest';
import { VAULT_NAME } from '../../../../lib/extension/vault/index.ts';
import { VAULT_VERSION } from '../../../../lib/extension/vault/database.ts';
import { OTHER, PASSPHRASE, TOKEN, change, code, createSession, draft, startWorker, without } from './world.ts';

const ID = '7b0c8d5e-0000-4000-8000-000000000001';

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

/** A vault as version 1 wrote it: one key without a name, no lock. */
async function writeVersion1(): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const additionalData = new TextEncoder().encode(JSON.stringify([ID, draft.baseUrl]));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData },
    key,
    new TextEncoder().encode(TOKEN),
  );
  const db = await openDB(VAULT_NAME, 1, {
    upgrade(db) {
      db.createObjectStore('environments', { keyPath: 'id' });
      db.createObjectStore('tokens', { keyPath: 'environmentId' });
      db.createObjectStore('keys');
      db.createObjectStore('aside', { autoIncrement: true });
    },
  });
  await db.put('environments', { ...without, id: ID, createdAt: 1 });
  await db.put('tokens', { environmentId: ID, baseUrl: draft.baseUrl, iv, sealed });
  await db.put('keys', key, 'tokens');
  await db.add('aside', { store: 'environments', record: { id: 'broken' }, at: 1 });
  db.close();
}

describe('a vault of version 1', () => {
  it('is opened with its environments, tokens, and quarantined records', async () => {
    await writeVersion1();
    const vault = startWorker(createSession());
    expect(await vault.list()).toEqual([{ ...without, id: ID, maskedToken: '••••abcd' }]);
    expect(await vault.connection(ID)).toEqual({ baseUrl: draft.baseUrl, namespace: 'Platform', token: TOKEN });
    expect(await vault.state()).toEqual({ quarantined: 1, lock: { kind: 'open' } });
    expect(await change((db) => Promise.resolve(db.version))).toBe(VAULT_VERSION);
  });

  it('stores more tokens with the same key', async () => {
    await writeVersion1();
    const vault = startWorker(createSession());
    const { id } = await vault.save({ ...draft, name: 'US', token: 'us-token-0123456789' });
    const worker = startWorker(createSession());
    expect([(await worker.connection(ID)).token, (await worker.connection(id)).token]).toEqual([
      TOKEN,
      'us-token-0123456789',
    ]);
  });

  it('accepts a passphrase, changes it, and removes it', async () => {
    await writeVersion1();
    const vault = startWorker(createSession());
    await vault.protect(PASSPHRASE, 15);
    await vault.lock();
    expect(await code(vault.connection(ID))).toBe('VAULT_LOCKED');
    await vault.changePassphrase(PASSPHRASE, OTHER);
    await vault.unprotect(OTHER);
    expect((await startWorker(createSession()).connection(ID)).token).toBe(TOKEN);
  });

  it('can’t be opened by version 1 any more, which would save tokens without the lock', async () => {
    await writeVersion1();
    await startWorker(createSession()).list();
    await expect(openDB(VAULT_NAME, 1)).rejects.toThrow(expect.objectContaining({ name: 'VersionError' }) as Error);
  });
});
