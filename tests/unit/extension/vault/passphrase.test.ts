/** Tests changing, removing, and forgetting a passphrase, and that each deletes only the intended data. */
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import {
  MINUTE,
  NOW,
  OTHER,
  PASSPHRASE,
  TOKEN,
  change,
  changeLock,
  code,
  createSession,
  draft,
  lockRecord,
  lockWorld,
  startWorker,
  without,
} from './world.ts';

const { protectedVault, session } = lockWorld();

describe('changing the passphrase', () => {
  it('requires the current one, and then only the new one unlocks', async () => {
    const { vault, id } = await protectedVault();
    expect(await code(vault.changePassphrase(OTHER, OTHER))).toBe('PASSPHRASE_WRONG');
    expect((await vault.changePassphrase(PASSPHRASE, OTHER)).lock.kind).toBe('unlocked');
    expect((await vault.connection(id)).token).toBe(TOKEN);
    await vault.lock();
    expect(await code(vault.unlock(PASSPHRASE))).toBe('PASSPHRASE_WRONG');
    await vault.unlock(OTHER);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('creates a new key: neither an old copy of the session nor an old lock opens the vault', async () => {
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

describe('removing the passphrase', () => {
  it('requires the passphrase, and saves every token with a key of the browser', async () => {
    const { vault, id } = await protectedVault();
    expect(await code(vault.unprotect(OTHER))).toBe('PASSPHRASE_WRONG');
    expect((await vault.unprotect(PASSPHRASE)).lock).toEqual({ kind: 'open' });
    expect(session.text).toBe(null);
    expect((await startWorker(createSession()).connection(id)).token).toBe(TOKEN);
    expect(await change((db) => db.getAllKeys('keys'))).toEqual(['id', 'tokens']);
    expect(await change(async (db) => ((await db.get('keys', 'tokens')) as CryptoKey).extractable)).toBe(false);
  });

  it('removes what a worker stopped during it left in the session', async () => {
    const { vault } = await protectedVault();
    const held = session.key()!;
    await vault.unprotect(PASSPHRASE);
    await session.set(held, 0);
    await vault.state();
    expect(session.text).toBe(null);
  });
});

describe('a forgotten passphrase', () => {
  it('can be reset: tokens and lock are removed, environments stay, and the vault can be used again', async () => {
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

  it('can be reset while unlocked too, which removes the session’s key', async () => {
    const { vault } = await protectedVault();
    await vault.reset();
    expect(session.text).toBe(null);
  });
});

describe('erasing', () => {
  it('removes the key from the session first', async () => {
    const { vault } = await protectedVault();
    vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
      expect(session.text).toBe(null);
      throw new DOMException('no', 'UnknownError');
    });
    expect(await code(vault.erase())).toBe('VAULT_DAMAGED');
    expect(session.text).toBe(null);
  });
});
