/** Owns the proof that tokens under a passphrase can be read while they are unlocked, and not otherwise. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ITERATIONS } from '../../../lib/vault/passphrase.ts';
import type { TestSession } from './world.ts';
import { FEW, OTHER, PASSPHRASE, TOKEN, change, changeLock, code, createSession, disk, draft, failure, lockRecord, startWorker, without } from './world.ts';

const MINUTE = 60_000;
const NOW = Date.parse('2026-03-01T10:00:00Z');
let session: TestSession;
let now: number;

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
  session = createSession();
  now = NOW;
  vi.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => vi.restoreAllMocks());

/** A worker with one environment. */
async function openVault() {
  const vault = startWorker(session);
  const { id } = await vault.save(draft);
  return { vault, id };
}

/** One under the passphrase, and unlocked. */
async function protectedVault() {
  const opened = await openVault();
  await opened.vault.protect(PASSPHRASE, 15);
  return opened;
}

describe('without a passphrase', () => {
  it('the vault is open, and keeps nothing in the session', async () => {
    const vault = startWorker(session);
    await vault.save(draft);
    expect(await vault.state()).toEqual({ aside: 0, lock: { kind: 'open' } });
    expect(session.text).toBe(null);
  });

  it('there is nothing to unlock, to change, to give up or to set', async () => {
    const vault = startWorker(session);
    const { id } = await vault.save(draft);
    const works = [vault.unlock(PASSPHRASE), vault.changePassphrase(PASSPHRASE, OTHER), vault.unprotect(PASSPHRASE), vault.setIdle(5)];
    expect(await Promise.all(works.map(code))).toEqual(Array.from(works, () => 'VAULT_NOT_PROTECTED'));
    await vault.active();
    expect((await vault.lock()).lock).toEqual({ kind: 'open' });
    expect((await vault.reset()).lock).toEqual({ kind: 'open' });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('setting a passphrase', () => {
  it('seals what is there anew, leaves it unlocked, and takes the browser’s key away', async () => {
    const { vault, id } = await protectedVault();
    expect((await vault.state()).lock).toEqual({ kind: 'unlocked', idleMinutes: 15, locksAt: NOW + 15 * MINUTE });
    expect((await vault.connection(id)).token).toBe(TOKEN);
    expect(await change((db) => db.getAllKeys('keys'))).toEqual(['id', 'lock']);
  });

  it('stores how the key is derived, and no form of the key, the passphrase or a token', async () => {
    const { id } = await protectedVault();
    expect(await lockRecord()).toMatchObject({ kdf: 'PBKDF2', hash: 'SHA-256', iterations: FEW, idleMinutes: 15, wrong: 0, triedAt: 0 });
    expect((await lockRecord())?.['salt']).toHaveLength(16);
    const stored = await disk();
    for (const secret of [TOKEN, PASSPHRASE, Buffer.from(session.key()!.key, 'base64').toString('latin1'), session.key()!.key]) expect(stored).not.toContain(secret);
    expect(stored).toContain(id);
  });

  it('derives it by 600,000 iterations', async () => {
    const vault = startWorker(session, undefined);
    const { id } = await vault.save(draft);
    const real = startWorker(session, ITERATIONS);
    await real.protect(PASSPHRASE, 15);
    expect(ITERATIONS).toBe(600_000);
    expect(await lockRecord()).toMatchObject({ iterations: 600_000 });
    await real.lock();
    await real.unlock(PASSPHRASE);
    expect((await real.connection(id)).token).toBe(TOKEN);
  });

  it('is refused when there is one', async () => {
    const { vault } = await protectedVault();
    expect(await code(vault.protect(OTHER, 15))).toBe('VAULT_PROTECTED');
    await vault.lock();
    expect(await code(vault.protect(OTHER, 15))).toBe('VAULT_PROTECTED');
  });

  it('twice at the same moment gives one lock', async () => {
    const vault = startWorker(session);
    const { id } = await vault.save(draft);
    const results = await Promise.all([PASSPHRASE, OTHER].map((passphrase) => code(vault.protect(passphrase, 15))));
    expect(results.sort()).toEqual(['VAULT_CHANGED', 'ok']);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('locked', () => {
  it('environments are listed, those with a token as locked', async () => {
    const { vault, id } = await protectedVault();
    await vault.save({ ...without, name: 'No token' });
    await vault.lock();
    expect(await vault.list()).toEqual([
      { ...without, id, maskedToken: null, problem: { code: 'VAULT_LOCKED', message: 'Tokens are locked.', next: 'Unlock them with the passphrase.' } },
      expect.objectContaining({ name: 'No token', maskedToken: null }),
    ]);
    expect((await vault.list())[1]).not.toHaveProperty('problem');
  });

  it('no token is handed out, also to a new worker and after a new start of the browser', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(session.text).toBe(null);
    for (const worker of [vault, startWorker(session), startWorker(createSession())]) expect(await code(worker.connection(id))).toBe('VAULT_LOCKED');
  });

  it('an environment is saved without a token, which keeps the stored one, and not with a token', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    const before = await disk();
    expect(await code(vault.save({ ...draft, id, name: 'Half' }))).toBe('VAULT_LOCKED');
    expect(await code(vault.save({ ...draft, name: 'New' }))).toBe('VAULT_LOCKED');
    expect(await disk()).toBe(before);
    expect(await vault.save({ ...without, id, name: 'Europe' })).toMatchObject({ name: 'Europe', maskedToken: null, problem: { code: 'VAULT_LOCKED' } });
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('environments can be removed', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    await vault.remove(id);
    expect(await disk()).not.toContain(id);
  });
});

describe('unlocking', () => {
  it('takes the passphrase, and lasts over a new worker but not over a new session', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
    expect((await startWorker(session).connection(id)).token).toBe(TOKEN);
    expect((await startWorker(session).list())[0]).toMatchObject({ maskedToken: '••••abcd' });
    expect(await code(startWorker(createSession()).connection(id))).toBe('VAULT_LOCKED');
  });

  it('refuses another passphrase', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(await failure(vault.unlock(OTHER))).toEqual({ code: 'PASSPHRASE_WRONG', message: 'The passphrase is wrong.', next: 'Try again.' });
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it('takes the same signs however the keyboard composes them', async () => {
    const vault = startWorker(session);
    await vault.protect('gr\u00fcne Wiesen im Tal', 15);
    await vault.lock();
    await vault.unlock('gru\u0308ne Wiesen im Tal');
    expect((await vault.state()).lock.kind).toBe('unlocked');
  });

  it('does not trim: a space at the end is part of it', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(await code(vault.unlock(`${PASSPHRASE} `))).toBe('PASSPHRASE_WRONG');
  });

  it('makes a lock of an older version as strong as today’s, with a new salt and the same key', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    const before = await lockRecord();
    await startWorker(session, 2 * FEW).unlock(PASSPHRASE);
    const after = await lockRecord();
    expect(after).toMatchObject({ iterations: 2 * FEW, wrong: 0 });
    expect(after?.['salt']).not.toEqual(before?.['salt']);
    await vault.lock();
    await startWorker(session, 2 * FEW).unlock(PASSPHRASE);
    expect((await lockRecord())?.['salt']).toEqual(after?.['salt']);
    expect((await vault.connection(id)).token).toBe(TOKEN);
    await vault.unlock(PASSPHRASE);
    expect(await lockRecord()).toMatchObject({ iterations: 2 * FEW });
  });
});

describe('locking by itself', () => {
  it.each([['one millisecond before', 15 * MINUTE - 1, 'ok'], ['at the end of', 15 * MINUTE, 'VAULT_LOCKED'], ['a night after', 12 * 60 * MINUTE, 'VAULT_LOCKED']])('happens %s the idle time: %i ms, %s', async (_when, passed, outcome) => {
    const { vault, id } = await protectedVault();
    now += passed;
    expect(await code(vault.connection(id))).toBe(outcome);
  });

  it('happens when the clock is set back by more than the idle time, and not by less', async () => {
    const { vault, id } = await protectedVault();
    now -= 15 * MINUTE;
    expect(await code(vault.connection(id))).toBe('ok');
    now -= 1;
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it.each([['a list', 'list'], ['a look at the state', 'state']] as const)('takes the key out of the session on %s', async (_what, method) => {
    const { vault } = await protectedVault();
    now += 15 * MINUTE;
    await vault[method]();
    expect(session.text).toBe(null);
    expect((await vault.state()).lock).toEqual({ kind: 'locked', idleMinutes: 15, retryAt: null });
    now = NOW;
    expect((await vault.state()).lock.kind).toBe('locked');
  });

  it('says when it will happen, and asks to be looked at then', async () => {
    await protectedVault();
    expect(session.until).toBe(NOW + 15 * MINUTE);
  });

  it('is put off by a person, and not by what asks on its own', async () => {
    const { vault, id } = await protectedVault();
    now += 10 * MINUTE;
    await vault.connection(id);
    await vault.list();
    expect((await vault.state()).lock).toMatchObject({ locksAt: NOW + 15 * MINUTE });
    await vault.active();
    expect((await vault.state()).lock).toMatchObject({ locksAt: NOW + 25 * MINUTE });
    expect(session.until).toBe(NOW + 25 * MINUTE);
  });

  it('is not put off by a person who comes too late', async () => {
    const { vault, id } = await protectedVault();
    now += 15 * MINUTE;
    await vault.active();
    expect(session.text).toBe(null);
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it('is written down at most every five seconds', async () => {
    const { vault } = await protectedVault();
    const set = vi.spyOn(session, 'set');
    for (let passed = 0; passed < 5000; passed += 500) {
      await vault.active();
      now += 500;
    }
    expect(set).toHaveBeenCalledTimes(0);
    await vault.active();
    expect(set).toHaveBeenCalledTimes(1);
  });

  it('counts from now when a person is at work after the clock was set back a little', async () => {
    const { vault } = await protectedVault();
    now -= 5 * MINUTE;
    await vault.active();
    expect((await vault.state()).lock).toMatchObject({ locksAt: now + 15 * MINUTE });
  });

  it('does not come back by a person’s sign that was under way', async () => {
    const { vault } = await protectedVault();
    now += MINUTE;
    await Promise.all([vault.active(), vault.lock()]);
    expect(session.text).toBe(null);
    await Promise.all([vault.lock(), vault.active()]);
    expect(session.text).toBe(null);
  });
});

describe('the idle time', () => {
  it('is changed while unlocked, and counts from then', async () => {
    const { vault } = await protectedVault();
    now += MINUTE;
    expect((await vault.setIdle(5)).lock).toEqual({ kind: 'unlocked', idleMinutes: 5, locksAt: now + 5 * MINUTE });
    expect(session.until).toBe(now + 5 * MINUTE);
    await vault.lock();
    expect((await vault.state()).lock).toMatchObject({ idleMinutes: 5 });
  });

  it('stays as it is while locked', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(await code(vault.setIdle(600))).toBe('VAULT_LOCKED');
    expect(await lockRecord()).toMatchObject({ idleMinutes: 15 });
  });
});

describe('changing the passphrase', () => {
  it('takes the current one; then the new one alone unlocks', async () => {
    const { vault, id } = await protectedVault();
    expect(await code(vault.changePassphrase(OTHER, OTHER))).toBe('PASSPHRASE_WRONG');
    expect((await vault.changePassphrase(PASSPHRASE, OTHER)).lock.kind).toBe('unlocked');
    expect((await vault.connection(id)).token).toBe(TOKEN);
    await vault.lock();
    expect(await code(vault.unlock(PASSPHRASE))).toBe('PASSPHRASE_WRONG');
    await vault.unlock(OTHER);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('makes a new key: neither an old copy of the session nor an old lock opens what is there now', async () => {
    const { vault, id } = await protectedVault();
    const [oldSession, oldLock] = [session.text, await lockRecord()];
    await vault.changePassphrase(PASSPHRASE, OTHER);
    session.text = oldSession;
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    await changeLock(oldLock!);
    await vault.unlock(PASSPHRASE);
    expect(await code(vault.connection(id))).toBe('TOKEN_UNREADABLE');
  });

  it('works while locked, keeps the idle time, and unlocks', async () => {
    const { vault, id } = await protectedVault();
    await vault.setIdle(7);
    await vault.lock();
    expect((await vault.changePassphrase(PASSPHRASE, OTHER)).lock).toMatchObject({ kind: 'unlocked', idleMinutes: 7 });
    expect(session.until).toBe(NOW + 7 * MINUTE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('giving the passphrase up', () => {
  it('takes the passphrase, and leaves every token with a key of the browser', async () => {
    const { vault, id } = await protectedVault();
    expect(await code(vault.unprotect(OTHER))).toBe('PASSPHRASE_WRONG');
    expect((await vault.unprotect(PASSPHRASE)).lock).toEqual({ kind: 'open' });
    expect(session.text).toBe(null);
    expect((await startWorker(createSession()).connection(id)).token).toBe(TOKEN);
    expect(await change((db) => db.getAllKeys('keys'))).toEqual(['id', 'tokens']);
    expect(await change(async (db) => ((await db.get('keys', 'tokens')) as CryptoKey).extractable)).toBe(false);
  });

  it('drops what a worker left in the session that was stopped meanwhile', async () => {
    const { vault } = await protectedVault();
    const held = session.key()!;
    await vault.unprotect(PASSPHRASE);
    await session.set(held, 0);
    await vault.state();
    expect(session.text).toBe(null);
  });
});

describe('a forgotten passphrase', () => {
  it('is reset: tokens and lock go, environments stay, and the vault can be used again', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect((await vault.reset()).lock).toEqual({ kind: 'open' });
    expect(await vault.list()).toEqual([{ ...without, id, maskedToken: null }]);
    expect(await code(vault.connection(id))).toBe('TOKEN_MISSING');
    expect(await change((db) => db.getAll('tokens'))).toEqual([]);
    expect(await lockRecord()).toBe(undefined);
    await vault.save({ ...draft, id });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('is reset while unlocked too, and the session forgets the key', async () => {
    const { vault } = await protectedVault();
    await vault.reset();
    expect(session.text).toBe(null);
  });
});

describe('a lock that is damaged', () => {
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

  it.each(DAMAGE)('by %s is told, opens nothing, and stays as it is', async (_what, part) => {
    const { vault, id } = await protectedVault();
    await changeLock(part);
    const before = await disk();
    expect((await vault.state()).lock).toMatchObject({ kind: 'locked', retryAt: null, problem: { code: 'VAULT_LOCK_DAMAGED', next: expect.stringContaining('Reset') } });
    expect(await vault.list()).toMatchObject([{ id, maskedToken: null, problem: { code: 'VAULT_LOCK_DAMAGED' } }]);
    const works = [vault.unlock(PASSPHRASE), vault.changePassphrase(PASSPHRASE, OTHER), vault.unprotect(PASSPHRASE), vault.setIdle(5), vault.connection(id), vault.save(draft), vault.exportText(OTHER)];
    expect(await Promise.all(works.map(code))).toEqual(Array.from(works, () => 'VAULT_LOCK_DAMAGED'));
    expect(await disk()).toBe(before);
  });

  it('is no record at all, and is reset', async () => {
    const { vault, id } = await protectedVault();
    await change((db) => db.put('keys', 'rubbish', 'lock'));
    expect(await code(vault.unlock(PASSPHRASE))).toBe('VAULT_LOCK_DAMAGED');
    expect((await vault.reset()).lock).toEqual({ kind: 'open' });
    await vault.save({ ...draft, id });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('by other bytes is as a wrong passphrase, and nothing is lost by trying', async () => {
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
    ['rubbish', 'rubbish'], ['a key of another length', { key: btoa('short') }], ['a key that is no base64', { key: '*'.repeat(44) }], ['no time', { lastActive: 'now' }], ['another key’s name', { id: 'other' }],
  ])('in the session (%s) is locked, and unlocked by the passphrase', async (_what, part) => {
    const { vault, id } = await protectedVault();
    session.text = JSON.stringify(typeof part === 'string' ? part : { ...session.key(), ...part });
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('because the browser keeps no session is told as that, and the lock stays', async () => {
    const { vault, id } = await protectedVault();
    for (const method of ['get', 'set', 'clear'] as const) vi.spyOn(session, method).mockRejectedValue(new Error('no'));
    expect(await code(vault.connection(id))).toBe('VAULT_UNAVAILABLE');
    expect(await code(vault.unlock(PASSPHRASE))).toBe('VAULT_UNAVAILABLE');
    expect(await code(vault.lock())).toBe('VAULT_UNAVAILABLE');
    vi.restoreAllMocks();
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
  });
});

describe('a browser’s key that is none', () => {
  it.each<[string, unknown]>([['nothing', null], ['zero', 0], ['text', 'key'], ['an object', {}]])('but %s opens nothing, and a token entered again is kept', async (_what, junk) => {
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
  ])('but one %s opens nothing, and a token entered again is kept', async (_what, algorithm, usages) => {
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
  it('of all kinds cannot be taken out of the memory of the worker', async () => {
    const { importKey, deriveKey, generateKey } = crypto.subtle;
    const made: CryptoKey[] = [];
    for (const [name, make] of Object.entries({ importKey, deriveKey, generateKey })) {
      vi.spyOn(crypto.subtle, name as 'importKey').mockImplementation(async (...args: unknown[]) => {
        const key = (await (make as (...args: unknown[]) => Promise<CryptoKey>).apply(crypto.subtle, args));
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

  it('that were wrapped for something else under the same passphrase are not taken', async () => {
    const { vault } = await protectedVault();
    const { salt, iterations, iv } = (await lockRecord()) as { salt: BufferSource; iterations: number; iv: Uint8Array<ArrayBuffer> };
    const typed = await crypto.subtle.importKey('raw', new TextEncoder().encode(PASSPHRASE), 'PBKDF2', false, ['deriveKey']);
    const key = await crypto.subtle.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', iterations, salt }, typed, { name: 'AES-GCM', length: 256 }, false, ['encrypt']);
    await vault.lock();
    await changeLock({ wrapped: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(32)) });
    expect(await code(vault.unlock(PASSPHRASE))).toBe('PASSPHRASE_WRONG');
  });
});

describe('two pages at once', () => {
  /** Holds the next derivation of a key until `meanwhile` is done. */
  async function during(work: () => Promise<unknown>, meanwhile: () => Promise<unknown>): Promise<unknown> {
    const deriveKey = crypto.subtle.deriveKey.bind(crypto.subtle);
    const [started, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(crypto.subtle, 'deriveKey').mockImplementationOnce(async (...args) => {
      started.resolve();
      await done.promise;
      return deriveKey(...args);
    });
    const outcome = code(work());
    await started.promise;
    await meanwhile();
    done.resolve();
    return outcome;
  }

  it('lock it and set the idle time: it stays locked', async () => {
    const { vault } = await protectedVault();
    const [outcome] = await Promise.all([code(vault.setIdle(5)), vault.lock()]);
    expect(outcome).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    expect(await lockRecord()).toMatchObject({ idleMinutes: 15 });
  });

  it('unlock it and lock it: the lock was asked for later, and stands', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(await during(() => vault.unlock(PASSPHRASE), () => vault.lock())).toBe('VAULT_LOCKED_MEANWHILE');
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    // The passphrase was right: no wrong try is counted.
    expect(await lockRecord()).toMatchObject({ wrong: 0 });
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
  });

  it('unlock it and lock it when the key is in the session already: the lock stands, and the one who unlocks is told', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    const set = session.set.bind(session);
    let locking: Promise<unknown> | undefined;
    vi.spyOn(session, 'set').mockImplementationOnce(async (key, until) => {
      await set(key, until);
      locking = vault.lock();
    });
    expect(await code(vault.unlock(PASSPHRASE))).toBe('VAULT_LOCKED_MEANWHILE');
    await locking;
    expect(session.text).toBe(null);
  });

  it('unlock it, lock it, and unlock it once more: the last stands', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(await during(() => vault.unlock(PASSPHRASE), async () => {
      await vault.lock();
      await vault.unlock(PASSPHRASE);
    })).toBe('ok');
    expect((await vault.state()).lock.kind).toBe('unlocked');
  });

  it('set or change a passphrase and lock it: it is set, and locked', async () => {
    for (const begun of ['protect', 'changePassphrase'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault, id } = begun === 'protect' ? await openVault() : await protectedVault();
      expect(await during(() => (begun === 'protect' ? vault.protect(OTHER, 15) : vault.changePassphrase(PASSPHRASE, OTHER)), () => vault.lock())).toBe('ok');
      expect((await vault.state()).lock.kind).toBe('locked');
      expect(session.text).toBe(null);
      await vault.unlock(OTHER);
      expect((await vault.connection(id)).token).toBe(TOKEN);
    }
  });

  it('give the passphrase up and lock it: nothing is given up', async () => {
    const { vault, id } = await protectedVault();
    expect(await during(() => vault.unprotect(PASSPHRASE), () => vault.lock())).toBe('VAULT_LOCKED_MEANWHILE');
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('change the passphrase and set the idle time: both are done', async () => {
    const { vault } = await protectedVault();
    expect(await during(() => vault.changePassphrase(PASSPHRASE, OTHER), () => vault.setIdle(7))).toBe('ok');
    expect((await vault.state()).lock).toMatchObject({ kind: 'unlocked', idleMinutes: 7 });
    expect(session.until).toBe(NOW + 7 * MINUTE);
  });

  it('change the passphrase twice, or change it and unlock: the first stands, the other is told', async () => {
    for (const late of ['changePassphrase', 'unlock', 'unprotect'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault, id } = await protectedVault();
      expect(await during(() => vault[late](PASSPHRASE, 'a third passphrase, too'), () => vault.changePassphrase(PASSPHRASE, OTHER))).toBe('VAULT_CHANGED');
      expect((await vault.connection(id)).token).toBe(TOKEN);
      await vault.lock();
      await vault.unlock(OTHER);
      expect((await vault.connection(id)).token).toBe(TOKEN);
    }
  });

  it('unlock and give the passphrase up, or reset it: it stays so', async () => {
    for (const meanwhile of ['unprotect', 'reset'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault } = await protectedVault();
      expect(await during(() => vault.unlock(PASSPHRASE), () => vault[meanwhile](PASSPHRASE))).toBe('VAULT_CHANGED');
      expect((await vault.state()).lock).toEqual({ kind: 'open' });
      expect(session.text).toBe(null);
    }
  });

  it('unlock and erase: nothing comes back', async () => {
    const { vault } = await protectedVault();
    expect(await during(() => vault.unlock(PASSPHRASE), () => vault.erase())).toBe('VAULT_CHANGED');
    expect(session.text).toBe(null);
    expect(await vault.list()).toEqual([]);
    expect((await vault.state()).lock).toEqual({ kind: 'open' });
  });
});

describe('erasing', () => {
  it('takes the key out of the session before anything else', async () => {
    const { vault } = await protectedVault();
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
      expect(session.text).toBe(null);
      throw new DOMException('no', 'UnknownError');
    });
    expect(await code(vault.erase())).toBe('VAULT_DAMAGED');
    expect(session.text).toBe(null);
  });
});
