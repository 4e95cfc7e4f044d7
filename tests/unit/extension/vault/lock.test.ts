/** Tests that tokens with a passphrase can be read only while they are unlocked. */
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { ITERATIONS } from '../../../../lib/extension/vault/passphrase.ts';
import {
  FEW,
  MINUTE,
  NOW,
  OTHER,
  PASSPHRASE,
  TOKEN,
  change,
  code,
  createSession,
  disk,
  draft,
  failure,
  lockRecord,
  lockWorld,
  startWorker,
  without,
} from './world.ts';

const { clock, openVault, protectedVault, session } = lockWorld();

describe('without a passphrase', () => {
  it('the vault is open, and stores nothing in the session', async () => {
    const vault = startWorker(session);
    await vault.save(draft);
    expect(await vault.state()).toEqual({ quarantined: 0, lock: { kind: 'open' } });
    expect(session.text).toBe(null);
  });

  it('there is nothing to unlock, change, remove, or configure', async () => {
    const vault = startWorker(session);
    const { id } = await vault.save(draft);
    const works = [
      vault.unlock(PASSPHRASE),
      vault.changePassphrase(PASSPHRASE, OTHER),
      vault.unprotect(PASSPHRASE),
      vault.setIdle(5),
    ];
    expect(await Promise.all(works.map(code))).toEqual(Array.from(works, () => 'VAULT_NOT_PROTECTED'));
    await vault.active();
    expect((await vault.lock()).lock).toEqual({ kind: 'open' });
    expect((await vault.reset()).lock).toEqual({ kind: 'open' });
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('setting a passphrase', () => {
  it('reencrypts stored tokens, leaves them unlocked, and deletes the browser’s key', async () => {
    const { vault, id } = await protectedVault();
    expect((await vault.state()).lock).toEqual({ kind: 'unlocked', idleMinutes: 15, locksAt: NOW + 15 * MINUTE });
    expect((await vault.connection(id)).token).toBe(TOKEN);
    expect(await change((db) => db.getAllKeys('keys'))).toEqual(['id', 'lock']);
  });

  it('doesn’t claim that nothing was changed when a saved environment can’t be read again', async () => {
    const { vault, id } = await protectedVault();
    const get = session.get.bind(session);
    // Twice before it’s saved: for the key, and for what must not be deleted.
    vi.spyOn(session, 'get')
      .mockImplementationOnce(get)
      .mockImplementationOnce(get)
      .mockRejectedValueOnce(new Error('No memory'));
    expect(await failure(vault.save({ ...draft, id, name: 'Renamed' }))).toMatchObject({
      code: 'VAULT_UNAVAILABLE',
      message: 'The environment was saved, and can’t be shown.',
    });
    expect(await vault.list()).toMatchObject([{ name: 'Renamed', maskedToken: '••••abcd' }]);
  });

  it('stores how the key is derived, but no form of the key, the passphrase, or a token', async () => {
    const { id } = await protectedVault();
    expect(await lockRecord()).toMatchObject({
      kdf: 'PBKDF2',
      hash: 'SHA-256',
      iterations: FEW,
      idleMinutes: 15,
      wrong: 0,
      triedAt: 0,
    });
    expect((await lockRecord())?.['salt']).toHaveLength(16);
    const stored = await disk();
    for (const secret of [
      TOKEN,
      PASSPHRASE,
      Buffer.from(session.key()!.key, 'base64').toString('latin1'),
      session.key()!.key,
    ])
      expect(stored).not.toContain(secret);
    expect(stored).toContain(id);
  });

  it('derives the key with 600,000 iterations', async () => {
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

  it('is refused when there already is one', async () => {
    const { vault } = await protectedVault();
    expect(await code(vault.protect(OTHER, 15))).toBe('VAULT_PROTECTED');
    await vault.lock();
    expect(await code(vault.protect(OTHER, 15))).toBe('VAULT_PROTECTED');
  });

  it('twice at the same moment creates one lock', async () => {
    const vault = startWorker(session);
    const { id } = await vault.save(draft);
    const results = await Promise.all([PASSPHRASE, OTHER].map((passphrase) => code(vault.protect(passphrase, 15))));
    expect(results.sort()).toEqual(['VAULT_CHANGED', 'ok']);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });
});

describe('while the browser’s memory fails', () => {
  it('a passphrase that was set or changed is the new one, and the tokens are locked', async () => {
    const { vault } = await openVault();
    const failing = vi.spyOn(session, 'set').mockRejectedValue(new Error('QUOTA_BYTES quota exceeded'));
    expect((await vault.protect(PASSPHRASE, 15)).lock.kind).toBe('locked');
    expect((await vault.changePassphrase(PASSPHRASE, OTHER)).lock.kind).toBe('locked');
    expect((await failure(vault.unlock(OTHER)))!.message).not.toContain('Nothing was changed');
    failing.mockRestore();
    expect((await vault.unlock(OTHER)).lock.kind).toBe('unlocked');
  });

  it('a reset removes the passphrase', async () => {
    const { vault } = await protectedVault();
    vi.spyOn(session, 'clear').mockRejectedValueOnce(new Error('No memory'));
    expect((await vault.reset()).lock.kind).toBe('open');
  });
});

describe('while locked', () => {
  it('environments are listed, those with a token as locked', async () => {
    const { vault, id } = await protectedVault();
    await vault.save({ ...without, name: 'No token' });
    await vault.lock();
    expect(await vault.list()).toEqual([
      {
        ...without,
        id,
        maskedToken: null,
        problem: {
          code: 'VAULT_LOCKED',
          message: 'Couldn’t use the token: tokens are locked.',
          hint: 'Enter the passphrase to unlock them.',
        },
      },
      expect.objectContaining({ name: 'No token', maskedToken: null }),
    ]);
    expect((await vault.list())[1]).not.toHaveProperty('problem');
  });

  it('no token is returned, even by a new worker or after a browser restart', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(session.text).toBe(null);
    for (const worker of [vault, startWorker(session), startWorker(createSession())])
      expect(await code(worker.connection(id))).toBe('VAULT_LOCKED');
  });

  it('an environment can be saved without a token, which keeps the stored one, but not with a token', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    const before = await disk();
    expect(await code(vault.save({ ...draft, id, name: 'Half' }))).toBe('VAULT_LOCKED');
    expect(await code(vault.save({ ...draft, name: 'New' }))).toBe('VAULT_LOCKED');
    expect(await disk()).toBe(before);
    expect(await vault.save({ ...without, id, name: 'Europe' })).toMatchObject({
      name: 'Europe',
      maskedToken: null,
      problem: { code: 'VAULT_LOCKED' },
    });
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('a base URL can’t be changed, because that deletes its token', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    const before = await disk();
    const moved = { ...without, id, baseUrl: 'https://moved.example.com' };
    expect(await code(vault.save(moved))).toBe('VAULT_LOCKED');
    expect(await disk()).toBe(before);
    await vault.unlock(PASSPHRASE);
    expect(await vault.save(moved)).toMatchObject({ baseUrl: 'https://moved.example.com', maskedToken: null });
    await vault.lock();
    // There’s no token left to lose.
    expect(await vault.save({ ...without, id })).toMatchObject({ baseUrl: without.baseUrl });
  });

  it('environments can be removed', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    await vault.remove(id);
    expect(await disk()).not.toContain(id);
  });
});

describe('unlocking', () => {
  it('needs the passphrase, and outlives a worker but not a session', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
    expect((await startWorker(session).connection(id)).token).toBe(TOKEN);
    expect((await startWorker(session).list())[0]).toMatchObject({ maskedToken: '••••abcd' });
    expect(await code(startWorker(createSession()).connection(id))).toBe('VAULT_LOCKED');
  });

  it('rejects another passphrase', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(await failure(vault.unlock(OTHER))).toEqual({
      code: 'PASSPHRASE_WRONG',
      message: 'The passphrase is wrong, or the stored key is damaged.',
      hint: 'Try again.',
    });
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it('accepts the same characters in any Unicode composition', async () => {
    const vault = startWorker(session);
    await vault.protect('gr\u00fcne Wiesen im Tal', 15);
    await vault.lock();
    await vault.unlock('gru\u0308ne Wiesen im Tal');
    expect((await vault.state()).lock.kind).toBe('unlocked');
  });

  it('doesn’t trim the passphrase: a space at its end is part of it', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(await code(vault.unlock(`${PASSPHRASE} `))).toBe('PASSPHRASE_WRONG');
  });

  it('upgrades a lock of an older version to today’s iterations, with a new salt and the same key', async () => {
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

describe('locking automatically', () => {
  it.each([
    ['one millisecond before', 15 * MINUTE - 1, 'ok'],
    ['at the end of', 15 * MINUTE, 'VAULT_LOCKED'],
    ['a night after', 12 * 60 * MINUTE, 'VAULT_LOCKED'],
  ])('happens %s the idle time: %i ms, %s', async (_when, passed, outcome) => {
    const { vault, id } = await protectedVault();
    clock.now += passed;
    expect(await code(vault.connection(id))).toBe(outcome);
  });

  it('happens when the clock is set back by more than the idle time, and not by less', async () => {
    const { vault, id } = await protectedVault();
    clock.now -= 15 * MINUTE;
    expect(await code(vault.connection(id))).toBe('ok');
    clock.now -= 1;
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it.each([
    ['a list', 'list'],
    ['a look at the state', 'state'],
  ] as const)('removes the key from the session on %s', async (_what, method) => {
    const { vault } = await protectedVault();
    clock.now += 15 * MINUTE;
    await vault[method]();
    expect(session.text).toBe(null);
    expect((await vault.state()).lock).toEqual({ kind: 'locked', idleMinutes: 15, retryAt: null });
    clock.now = NOW;
    expect((await vault.state()).lock.kind).toBe('locked');
  });

  it('reports its time, and sets an alarm for it', async () => {
    await protectedVault();
    expect(session.until).toBe(NOW + 15 * MINUTE);
  });

  it('is postponed by user activity, but not by automatic requests', async () => {
    const { vault, id } = await protectedVault();
    clock.now += 10 * MINUTE;
    await vault.connection(id);
    await vault.list();
    expect((await vault.state()).lock).toMatchObject({ locksAt: NOW + 15 * MINUTE });
    await vault.active();
    expect((await vault.state()).lock).toMatchObject({ locksAt: NOW + 25 * MINUTE });
    expect(session.until).toBe(NOW + 25 * MINUTE);
  });

  it('isn’t postponed by activity that comes too late', async () => {
    const { vault, id } = await protectedVault();
    clock.now += 15 * MINUTE;
    await vault.active();
    expect(session.text).toBe(null);
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
  });

  it('is stored at most every five seconds', async () => {
    const { vault } = await protectedVault();
    const set = vi.spyOn(session, 'set');
    for (let passed = 0; passed < 5000; passed += 500) {
      await vault.active();
      clock.now += 500;
    }
    expect(set).toHaveBeenCalledTimes(0);
    await vault.active();
    expect(set).toHaveBeenCalledTimes(1);
  });

  it('is counted from now on activity after the clock was set back a little', async () => {
    const { vault } = await protectedVault();
    clock.now -= 5 * MINUTE;
    await vault.active();
    expect((await vault.state()).lock).toMatchObject({ locksAt: clock.now + 15 * MINUTE });
  });

  it('isn’t undone by activity that was reported at the same moment', async () => {
    const { vault } = await protectedVault();
    clock.now += MINUTE;
    await Promise.all([vault.active(), vault.lock()]);
    expect(session.text).toBe(null);
    await Promise.all([vault.lock(), vault.active()]);
    expect(session.text).toBe(null);
  });
});

describe('the idle time', () => {
  it('can be changed while unlocked, and counts from then', async () => {
    const { vault } = await protectedVault();
    clock.now += MINUTE;
    expect((await vault.setIdle(5)).lock).toEqual({
      kind: 'unlocked',
      idleMinutes: 5,
      locksAt: clock.now + 5 * MINUTE,
    });
    expect(session.until).toBe(clock.now + 5 * MINUTE);
    await vault.lock();
    expect((await vault.state()).lock).toMatchObject({ idleMinutes: 5 });
  });

  it('can’t be changed while locked', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(await code(vault.setIdle(600))).toBe('VAULT_LOCKED');
    expect(await lockRecord()).toMatchObject({ idleMinutes: 15 });
  });
});
