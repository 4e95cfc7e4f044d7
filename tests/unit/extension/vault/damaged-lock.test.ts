/** Tests damaged or invalid locks, sessions, and keys. */
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import {
  OTHER,
  PASSPHRASE,
  TOKEN,
  change,
  changeLock,
  code,
  disk,
  draft,
  lockRecord,
  lockWorld,
  startWorker,
} from './world.ts';

const { protectedVault, session } = lockWorld();

describe('a damaged lock', () => {
  const DAMAGE: [string, Record<string, unknown>][] = [
    ['more iterations than a browser gets through', { iterations: 1e9 }],
    ['no iterations', { iterations: 0 }],
    ['part of an iteration', { iterations: 1000.5 }],
    ['a derivation that is not known', { kdf: 'scrypt' }],
    ['a hash that is not known', { hash: 'MD5' }],
    ['a short salt', { salt: new Uint8Array(15) }],
    ['a salt without end', { salt: new Uint8Array(65) }],
    ['a short initialisation vector', { iv: new Uint8Array(11) }],
    ['half of a key', { wrapped: new ArrayBuffer(47) }],
    ['no idle time', { idleMinutes: 0 }],
    ['an idle time of a week', { idleMinutes: 7 * 24 * 60 }],
    ['fewer tries than none', { wrong: -1 }],
    ['a try at no time', { triedAt: 'never' }],
  ];

  it.each(DAMAGE)('by %s is reported, opens nothing, and stays unchanged', async (_what, part) => {
    const { vault, id } = await protectedVault();
    await changeLock(part);
    const before = await disk();
    expect((await vault.state()).lock).toMatchObject({
      kind: 'locked',
      retryAt: null,
      problem: { code: 'VAULT_LOCK_DAMAGED', hint: expect.stringContaining('Remove all tokens') },
    });
    expect(await vault.list()).toMatchObject([{ id, maskedToken: null, problem: { code: 'VAULT_LOCK_DAMAGED' } }]);
    const works = [
      vault.unlock(PASSPHRASE),
      vault.changePassphrase(PASSPHRASE, OTHER),
      vault.unprotect(PASSPHRASE),
      vault.setIdle(5),
      vault.connection(id),
      vault.save(draft),
      vault.exportText(OTHER),
    ];
    expect(await Promise.all(works.map(code))).toEqual(Array.from(works, () => 'VAULT_LOCK_DAMAGED'));
    expect(await disk()).toBe(before);
  });

  it('isn’t a record at all, and can be reset', async () => {
    const { vault, id } = await protectedVault();
    await change((db) => db.put('keys', 'rubbish', 'lock'));
    expect(await code(vault.unlock(PASSPHRASE))).toBe('VAULT_LOCK_DAMAGED');
    expect((await vault.reset()).lock).toEqual({ kind: 'open' });
    await vault.save({ ...draft, id });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('with other bytes acts like a wrong passphrase, and trying loses nothing', async () => {
    const { vault, id } = await protectedVault();
    const { wrapped } = (await lockRecord())!;
    await vault.lock();
    await changeLock({ wrapped: new ArrayBuffer(48) });
    expect(await code(vault.unlock(PASSPHRASE))).toBe('PASSPHRASE_WRONG');
    await changeLock({ wrapped });
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it.each([
    ['rubbish', 'rubbish'],
    ['a key of another length', { key: btoa('short') }],
    ['a key that isn’t base64', { key: '*'.repeat(44) }],
    ['an invalid time', { lastActive: 'now' }],
    ['another key’s name', { id: 'other' }],
  ])('in the session (%s) counts as locked, and is unlocked by the passphrase', async (_what, part) => {
    const { vault, id } = await protectedVault();
    session.text = JSON.stringify(typeof part === 'string' ? part : { ...session.key(), ...part });
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('without session storage in the browser is reported, and the lock stays', async () => {
    const { vault, id } = await protectedVault();
    for (const method of ['get', 'set', 'clear'] as const) vi.spyOn(session, method).mockRejectedValue(new Error('no'));
    expect(await code(vault.connection(id))).toBe('VAULT_UNAVAILABLE');
    expect(await code(vault.unlock(PASSPHRASE))).toBe('VAULT_UNAVAILABLE');
    expect(await code(vault.lock())).toBe('VAULT_UNAVAILABLE');
    vi.restoreAllMocks();
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
  });
});

describe('an invalid browser key', () => {
  it.each<[string, unknown]>([
    ['nothing', null],
    ['zero', 0],
    ['text', 'key'],
    ['an object', {}],
  ])('that is %s opens nothing, and a token entered again is saved', async (_what, junk) => {
    const { id } = await startWorker(session).save(draft);
    await change((db) => db.put('keys', junk, 'tokens'));
    const vault = startWorker(session);
    expect(await code(vault.connection(id))).toBe('TOKEN_UNREADABLE');
    await vault.save({ ...draft, id });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it.each<[string, AlgorithmIdentifier | HmacKeyGenParams, KeyUsage[]]>([
    ['for signatures', { name: 'HMAC', hash: 'SHA-256' }, ['sign', 'verify']],
    ['of another cipher', { name: 'AES-CBC', length: 256 } as AesKeyGenParams, ['encrypt', 'decrypt']],
    ['that only encrypts', { name: 'AES-GCM', length: 256 } as AesKeyGenParams, ['encrypt']],
    ['that only decrypts', { name: 'AES-GCM', length: 256 } as AesKeyGenParams, ['decrypt']],
  ])('that is one %s opens nothing, and a token entered again is saved', async (_what, algorithm, usages) => {
    const { id } = await startWorker(session).save(draft);
    const other = await crypto.subtle.generateKey(algorithm, false, usages);
    await change((db) => db.put('keys', other, 'tokens'));
    const vault = startWorker(session);
    expect(await code(vault.connection(id))).toBe('TOKEN_UNREADABLE');
    await vault.save({ ...draft, id });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('keys', () => {
  it('of every kind can’t be extracted from the worker’s memory', async () => {
    const { importKey, deriveKey, generateKey } = crypto.subtle;
    const made: CryptoKey[] = [];
    for (const [name, make] of Object.entries({ importKey, deriveKey, generateKey })) {
      vi.spyOn(crypto.subtle, name as 'importKey').mockImplementation(async (...args: unknown[]) => {
        const key = await (make as (...args: unknown[]) => Promise<CryptoKey>).apply(crypto.subtle, args);
        made.push(key);
        return key;
      });
    }
    const { vault, id } = await protectedVault();
    await vault.changePassphrase(PASSPHRASE, OTHER);
    await vault.lock();
    await vault.unlock(OTHER);
    await vault.connection(id);
    await vault.importText(await vault.exportText(PASSPHRASE), PASSPHRASE);
    await vault.unprotect(OTHER);
    expect(made.length).toBeGreaterThan(10);
    expect(made.filter(({ extractable }) => extractable)).toEqual([]);
  });

  it('that were wrapped for another purpose under the same passphrase are rejected', async () => {
    const { vault } = await protectedVault();
    const { salt, iterations, iv } = (await lockRecord()) as {
      salt: BufferSource;
      iterations: number;
      iv: Uint8Array<ArrayBuffer>;
    };
    const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(PASSPHRASE), 'PBKDF2', false, [
      'deriveKey',
    ]);
    const key = await crypto.subtle.deriveKey(
      { name: 'PBKDF2', hash: 'SHA-256', iterations, salt },
      typed,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt'],
    );
    await vault.lock();
    await changeLock({ wrapped: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(32)) });
    expect(await code(vault.unlock(PASSPHRASE))).toBe('PASSPHRASE_WRONG');
  });
});
