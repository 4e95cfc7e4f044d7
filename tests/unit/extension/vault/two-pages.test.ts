/** Tests the state of the lock after two pages change it at the same moment. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { describe, expect, it, vi } from 'vitest';
import { MINUTE, NOW, OTHER, PASSPHRASE, TOKEN, code, lockRecord, lockWorld } from './world.ts';

const { openVault, protectedVault, session } = lockWorld();

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

  it('that lock it and set the idle time leave it locked', async () => {
    const { vault } = await protectedVault();
    const [outcome] = await Promise.all([code(vault.setIdle(5)), vault.lock()]);
    expect(outcome).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    expect(await lockRecord()).toMatchObject({ idleMinutes: 15 });
  });

  it('that unlock and lock it leave the later lock in effect', async () => {
    const { vault, id } = await protectedVault();
    await vault.lock();
    expect(
      await during(
        () => vault.unlock(PASSPHRASE),
        () => vault.lock(),
      ),
    ).toBe('VAULT_LOCKED_MEANWHILE');
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    expect(session.text).toBe(null);
    // The passphrase was correct, so no wrong try is counted.
    expect(await lockRecord()).toMatchObject({ wrong: 0 });
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
  });

  it('that unlock and lock it when the session already has the key leave it locked, and the unlock fails', async () => {
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

  it('that unlock, lock, and unlock it again leave the last one in effect', async () => {
    const { vault } = await protectedVault();
    await vault.lock();
    expect(
      await during(
        () => vault.unlock(PASSPHRASE),
        async () => {
          await vault.lock();
          await vault.unlock(PASSPHRASE);
        },
      ),
    ).toBe('ok');
    expect((await vault.state()).lock.kind).toBe('unlocked');
  });

  it('that set or change a passphrase and lock it set the passphrase and lock', async () => {
    for (const started of ['protect', 'changePassphrase'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault, id } = started === 'protect' ? await openVault() : await protectedVault();
      expect(
        await during(
          () => (started === 'protect' ? vault.protect(OTHER, 15) : vault.changePassphrase(PASSPHRASE, OTHER)),
          () => vault.lock(),
        ),
      ).toBe('ok');
      expect((await vault.state()).lock.kind).toBe('locked');
      expect(session.text).toBe(null);
      await vault.unlock(OTHER);
      expect((await vault.connection(id)).token).toBe(TOKEN);
    }
  });

  it('that remove the passphrase and lock it remove nothing', async () => {
    const { vault, id } = await protectedVault();
    expect(
      await during(
        () => vault.unprotect(PASSPHRASE),
        () => vault.lock(),
      ),
    ).toBe('VAULT_LOCKED_MEANWHILE');
    expect(await code(vault.connection(id))).toBe('VAULT_LOCKED');
    await vault.unlock(PASSPHRASE);
    expect((await vault.connection(id)).token).toBe(TOKEN);
  });

  it('that change the passphrase and set the idle time do both', async () => {
    const { vault } = await protectedVault();
    expect(
      await during(
        () => vault.changePassphrase(PASSPHRASE, OTHER),
        () => vault.setIdle(7),
      ),
    ).toBe('ok');
    expect((await vault.state()).lock).toMatchObject({ kind: 'unlocked', idleMinutes: 7 });
    expect(session.until).toBe(NOW + 7 * MINUTE);
  });

  it('that change the passphrase twice, or change it and unlock, let the first one succeed and the other fail', async () => {
    for (const late of ['changePassphrase', 'unlock', 'unprotect'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault, id } = await protectedVault();
      expect(
        await during(
          () => vault[late](PASSPHRASE, 'a third passphrase, too'),
          () => vault.changePassphrase(PASSPHRASE, OTHER),
        ),
      ).toBe('VAULT_CHANGED');
      expect((await vault.connection(id)).token).toBe(TOKEN);
      await vault.lock();
      await vault.unlock(OTHER);
      expect((await vault.connection(id)).token).toBe(TOKEN);
    }
  });

  it('that unlock and remove the passphrase, or reset it, keep that outcome', async () => {
    for (const meanwhile of ['unprotect', 'reset'] as const) {
      globalThis.indexedDB = new IDBFactory();
      const { vault } = await protectedVault();
      expect(
        await during(
          () => vault.unlock(PASSPHRASE),
          () => vault[meanwhile](PASSPHRASE),
        ),
      ).toBe('VAULT_CHANGED');
      expect((await vault.state()).lock).toEqual({ kind: 'open' });
      expect(session.text).toBe(null);
    }
  });

  it('that unlock and erase leave nothing behind', async () => {
    const { vault } = await protectedVault();
    expect(
      await during(
        () => vault.unlock(PASSPHRASE),
        () => vault.erase(),
      ),
    ).toBe('VAULT_CHANGED');
    expect(session.text).toBe(null);
    expect(await vault.list()).toEqual([]);
    expect((await vault.state()).lock).toEqual({ kind: 'open' });
  });
});
