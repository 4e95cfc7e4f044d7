/**
 * Tests that wrong passphrases are slowed down, and that stopping the worker or changing the clock doesn’t allow
 * another try.
 */
import 'fake-indexeddb/auto';
import { describe, expect, it, vi } from 'vitest';
import { MAX_WAIT, isIdle, retryAt, waitAfter } from '../../../../lib/extension/vault/tries.ts';
import {
  NOW,
  OTHER,
  PASSPHRASE,
  changeLock,
  code,
  createSession,
  failure,
  lockRecord,
  lockWorld,
  startWorker,
} from './world.ts';

const { session, clock, lockedVault } = lockWorld();

describe('the wait after wrong passphrases', () => {
  it('is 0 after two tries, then 1 s, 2 s, 4 s … up to five minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 1000, 1e300].map(waitAfter)).toEqual([
      0, 0, 0, 1000, 2000, 4000, 8000, 128_000, 256_000, 300_000, 300_000, 300_000, 300_000,
    ]);
    expect(MAX_WAIT).toBe(300_000);
  });

  it('is over at its exact end', () => {
    expect(retryAt({ wrong: 3, triedAt: NOW }, NOW + 999)).toBe(NOW + 1000);
    expect(retryAt({ wrong: 3, triedAt: NOW }, NOW + 1000)).toBe(null);
  });

  it('of an idle vault ends by the clock, even by one that was set back', () => {
    expect([59_999, 60_000, -60_000, -60_001].map((passed) => isIdle(NOW, 1, NOW + passed))).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('wrong passphrases', () => {
  it('are rejected unchecked until the wait is over, with the remaining seconds', async () => {
    const { vault } = await lockedVault();
    expect(await failure(vault.unlock(OTHER))).not.toHaveProperty('retryAfter');
    expect(await failure(vault.unlock(OTHER))).not.toHaveProperty('retryAfter');
    expect(await failure(vault.unlock(OTHER))).toMatchObject({
      code: 'PASSPHRASE_WRONG',
      retryAfter: 1,
      hint: 'Try again in 1 second.',
    });
    expect((await vault.state()).lock).toMatchObject({ kind: 'locked', retryAt: NOW + 1000 });
    clock.now += 500;
    expect(await failure(vault.unlock(PASSPHRASE))).toMatchObject({ code: 'PASSPHRASE_TOO_SOON', retryAfter: 1 });
    clock.now += 500;
    expect((await vault.state()).lock).toMatchObject({ retryAt: null });
    expect(await failure(vault.unlock(OTHER))).toMatchObject({
      code: 'PASSPHRASE_WRONG',
      retryAfter: 2,
      hint: 'Try again in 2 seconds.',
    });
    clock.now += 2000;
    expect(await failure(vault.unlock(OTHER))).toMatchObject({ retryAfter: 4 });
  });

  it('don’t count when they come too soon', async () => {
    const { vault } = await lockedVault();
    for (let i = 0; i < 3; i++) await code(vault.unlock(OTHER));
    for (let i = 0; i < 3; i++) expect(await code(vault.unlock(OTHER))).toBe('PASSPHRASE_TOO_SOON');
    expect(await lockRecord()).toMatchObject({ wrong: 3, triedAt: NOW });
  });

  it('are forgotten after the right one', async () => {
    const { vault } = await lockedVault();
    for (let i = 0; i < 2; i++) await code(vault.unlock(OTHER));
    await vault.unlock(PASSPHRASE);
    expect(await lockRecord()).toMatchObject({ wrong: 0, triedAt: 0 });
    await vault.lock();
    for (let i = 0; i < 2; i++) expect(await failure(vault.unlock(OTHER))).not.toHaveProperty('retryAfter');
  });

  it.each([
    ['changing the passphrase', (vault: ReturnType<typeof startWorker>) => vault.changePassphrase(OTHER, PASSPHRASE)],
    ['removing the passphrase', (vault: ReturnType<typeof startWorker>) => vault.unprotect(OTHER)],
  ])('count while %s too', async (_what, tryIt) => {
    const { vault } = await lockedVault();
    await vault.unlock(PASSPHRASE);
    expect([
      await code(tryIt(vault)),
      await code(tryIt(vault)),
      await code(tryIt(vault)),
      await code(tryIt(vault)),
    ]).toEqual(['PASSPHRASE_WRONG', 'PASSPHRASE_WRONG', 'PASSPHRASE_WRONG', 'PASSPHRASE_TOO_SOON']);
  });

  it('at the same moment count each, even from two workers', async () => {
    const { vault } = await lockedVault();
    const workers = [vault, startWorker(session), vault, startWorker(session), vault];
    const codes = await Promise.all(workers.map((worker) => code(worker.unlock(OTHER))));
    expect(codes.sort()).toEqual([
      'PASSPHRASE_TOO_SOON',
      'PASSPHRASE_TOO_SOON',
      'PASSPHRASE_WRONG',
      'PASSPHRASE_WRONG',
      'PASSPHRASE_WRONG',
    ]);
    expect(await lockRecord()).toMatchObject({ wrong: 3 });
  });

  it('are counted before they are checked, so stopping the worker doesn’t undo a try', async () => {
    const { vault } = await lockedVault();
    const { promise: never } = Promise.withResolvers<never>();
    const started = Promise.withResolvers<void>();
    vi.spyOn(crypto.subtle, 'deriveKey').mockImplementation(() => {
      started.resolve();
      return never;
    });
    void vault.unlock(OTHER);
    await started.promise;
    expect(await lockRecord()).toMatchObject({ wrong: 1, triedAt: NOW });
  });

  it('stay counted over a browser restart', async () => {
    const { vault } = await lockedVault();
    for (let i = 0; i < 3; i++) await code(vault.unlock(OTHER));
    expect(await code(startWorker(createSession()).unlock(PASSPHRASE))).toBe('PASSPHRASE_TOO_SOON');
  });
});

describe('a clock that was set back', () => {
  it('restarts the wait once, and never makes it longer', async () => {
    const { vault } = await lockedVault();
    await changeLock({ wrong: 1000, triedAt: NOW });
    clock.now -= 365 * 24 * 60 * 60_000;
    expect(await failure(vault.unlock(PASSPHRASE))).toMatchObject({ code: 'PASSPHRASE_TOO_SOON', retryAfter: 300 });
    clock.now += MAX_WAIT;
    await vault.unlock(PASSPHRASE);
  });

  it('is noticed when the state is read, and the wait continues from there', async () => {
    const { vault } = await lockedVault();
    await changeLock({ wrong: 1000, triedAt: NOW });
    clock.now -= 365 * 24 * 60 * 60_000;
    expect((await vault.state()).lock).toMatchObject({ retryAt: clock.now + MAX_WAIT });
    clock.now += MAX_WAIT - 1000;
    expect((await vault.state()).lock).toMatchObject({ retryAt: clock.now + 1000 });
    clock.now += 1000;
    await vault.unlock(PASSPHRASE);
  });

  it.each([1e300, Number.MAX_VALUE])('or a record with %d never makes the wait longer', async (triedAt) => {
    const { vault } = await lockedVault();
    await changeLock({ wrong: 1e300, triedAt });
    expect(await failure(vault.unlock(PASSPHRASE))).toMatchObject({ retryAfter: 300 });
    clock.now += MAX_WAIT;
    expect((await vault.unlock(PASSPHRASE)).lock.kind).toBe('unlocked');
  });
});
