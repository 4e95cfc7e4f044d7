/** Tests that a token saved while the key changes is encrypted with the final key. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Vault } from '../../../../lib/extension/vault/index.ts';
import type { TestSession } from './world.ts';
import { OTHER, PASSPHRASE, TOKEN, code, createSession, draft, startWorker } from './world.ts';

afterEach(() => vi.restoreAllMocks());

const CIPHERS = ['decrypt', 'deriveKey', 'encrypt', 'generateKey', 'importKey'] as const;

/**
 * Delays each cryptographic operation and session access by as many event-loop turns as `delays` lists, in order,
 * repeatedly.
 */
function slowDown(delays: readonly number[], session: TestSession): void {
  let next = 0;
  const wait = async (): Promise<void> => {
    for (let turns = delays[next++ % delays.length]!; turns > 0; turns--)
      await new Promise((resolve) => setImmediate(resolve));
  };
  for (const name of ['get', 'set', 'clear'] as const) {
    const word = session[name] as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(session, name).mockImplementation((async (...args: unknown[]) => {
      await wait();
      return word(...args);
    }) as never);
  }
  for (const name of CIPHERS) {
    const cipher = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(crypto.subtle, name).mockImplementation((async (...args: unknown[]) => {
      await wait();
      return cipher(...args);
    }) as never);
  }
}

/** Each operation, with the passphrase before and after it. */
const CHANGES: [string, { before?: string; after?: string }, (vault: Vault) => Promise<unknown>][] = [
  ['a passphrase is set', { after: PASSPHRASE }, (vault) => vault.protect(PASSPHRASE, 15)],
  [
    'the passphrase is changed',
    { before: PASSPHRASE, after: OTHER },
    (vault) => vault.changePassphrase(PASSPHRASE, OTHER),
  ],
  ['the passphrase is given up', { before: PASSPHRASE }, (vault) => vault.unprotect(PASSPHRASE)],
  ['it is unlocked', { before: PASSPHRASE, after: PASSPHRASE }, (vault) => vault.unlock(PASSPHRASE)],
  ['the idle time is changed', { before: PASSPHRASE, after: PASSPHRASE }, (vault) => vault.setIdle(5)],
  ['the passphrase is reset', { before: PASSPHRASE }, (vault) => vault.reset()],
];
const delays = fc.array(
  fc.oneof({ weight: 3, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.constantFrom(30, 120) }),
  { minLength: 1, maxLength: 8 },
);

describe('while', () => {
  it.each(CHANGES)(
    '%s, tokens are saved, replaced and imported, and all can be read',
    async (what, { before, after }, change) => {
      await fc.assert(
        fc.asyncProperty(delays, fc.boolean(), async (turns, twoWorkers) => {
          vi.restoreAllMocks();
          globalThis.indexedDB = new IDBFactory();
          const session = createSession();
          const vault = startWorker(session);
          const other = twoWorkers ? startWorker(session) : vault;
          const { id: passing } = await vault.save({ ...draft, name: 'From a file' });
          const file = await vault.exportText(OTHER);
          await vault.remove(passing);
          const { id } = await vault.save(draft);
          const { id: replaced } = await vault.save({ ...draft, name: 'US', token: 'us-token-0123456789' });
          if (before !== undefined) await vault.protect(before, 15);
          slowDown(turns, session);
          const [changed, saved, imported, looked] = await Promise.allSettled([
            change(vault),
            other.save({ ...draft, id: replaced, name: 'US', token: TOKEN }),
            other.importText(file, OTHER),
            other.connection(id),
          ]);
          expect(changed.status).toBe('fulfilled');
          vi.restoreAllMocks();
          const end = startWorker(session);
          // Of two workers one may have seen the new lock beside the old key, which is locked.
          if (twoWorkers && (await end.state()).lock.kind === 'locked') await end.unlock(after!);
          // A worker beside that one may have found it locked for a moment; then it has written nothing.
          if (!twoWorkers) expect(saved.status).toBe('fulfilled');
          const isReset = what.endsWith('reset');
          const stored = isReset ? [TOKEN, 'TOKEN_MISSING'] : [TOKEN];
          const read = (one: string) =>
            end.connection(one).then(
              ({ token }) => token,
              (error: { code: string }) => error.code,
            );
          expect(stored).toContain(await read(id));
          expect([...stored, ...(saved.status === 'fulfilled' ? [] : ['us-token-0123456789'])]).toContain(
            await read(replaced),
          );
          const added = (await end.list()).find(({ name }) => name === 'From a file');
          expect(added !== undefined).toBe(imported.status === 'fulfilled');
          if (added) expect(stored).toContain(await read(added.id));
          // No token may be unreadable, or stored without its lock.
          expect(looked.status === 'fulfilled' ? 'ok' : (looked.reason as { code: string }).code).toMatch(
            isReset ? /^(ok|TOKEN_MISSING|VAULT_LOCKED)$/ : twoWorkers ? /^(ok|VAULT_LOCKED)$/ : /^ok$/,
          );
        }),
        { numRuns: 25 },
      );
    },
  );

  it.each(CHANGES.filter(([what]) => !/unlocked|idle/.test(what)))(
    '%s, a token that was encrypted before and stored after is encrypted again',
    async (_what, { before }, change) => {
      globalThis.indexedDB = new IDBFactory();
      const vault = startWorker(createSession());
      const { id } = await vault.save(draft);
      if (before !== undefined) await vault.protect(before, 15);
      const [sealing, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const encrypt = crypto.subtle.encrypt.bind(crypto.subtle);
      vi.spyOn(crypto.subtle, 'encrypt').mockImplementationOnce(async (...args) => {
        const sealed = await encrypt(...args);
        sealing.resolve();
        await changed.promise;
        return sealed;
      });
      const saving = vault.save({ ...draft, id, token: 'late-token-0123456789' });
      await sealing.promise;
      await change(vault);
      changed.resolve();
      await saving;
      expect((await vault.connection(id)).token).toBe('late-token-0123456789');
    },
  );

  it('it is locked, a save is complete or refused, never partial', async () => {
    await fc.assert(
      fc.asyncProperty(delays, async (turns) => {
        vi.restoreAllMocks();
        globalThis.indexedDB = new IDBFactory();
        const session = createSession();
        const vault = startWorker(session);
        await vault.protect(PASSPHRASE, 15);
        slowDown(turns, session);
        const [, outcome] = await Promise.all([vault.lock(), code(vault.save(draft))]);
        expect(['ok', 'VAULT_LOCKED']).toContain(outcome);
        await vault.unlock(PASSPHRASE);
        const all = await vault.list();
        expect(all.map(({ maskedToken }) => maskedToken)).toEqual(outcome === 'ok' ? ['••••abcd'] : []);
      }),
      { numRuns: 25 },
    );
  });
});
