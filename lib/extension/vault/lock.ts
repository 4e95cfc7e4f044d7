/** Owns the lock: putting the tokens under a passphrase, unlocking, locking, and changing or giving up the passphrase. */
import * as v from 'valibot';
import type { LockState } from '../../platform-api/index.ts';
import { CodedError, DEFAULT_IDLE_MINUTES } from '../../platform-api/index.ts';
import type { Bytes } from './bytes.ts';
import { toBase64 } from './bytes.ts';
import type { Access, KeyAccess, SessionKey, SessionKeys } from './keys.ts';
import { newBrowserKey, readKeys, writeKeys } from './keys.ts';
import {
  CHANGED,
  LOCKED,
  LOCKED_MEANWHILE,
  LOCK_DAMAGED,
  NOT_PROTECTED,
  PROTECTED,
  tooSoon,
  wrongPassphrase,
} from './lock-errors.ts';
import { importDataKey, newDataKey, unwrapKey, wrapKey } from './passphrase.ts';
import type { LockRecord } from './records.ts';
import { TokenRecord } from './records.ts';
import type { VaultStore } from './store.ts';
import { resealToken } from './token-cipher.ts';
import { asOfNow, retryAt } from './tries.ts';

export interface LockParts {
  store: VaultStore;
  access: KeyAccess;
  session: SessionKeys;
  /** Of PBKDF2, today; a lock that was made with fewer gets as many when it is unlocked next. */
  iterations: number;
}

export interface Lock {
  state(): Promise<LockState>;
  /** @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED` */
  unlock(passphrase: string): Promise<void>;
  /** Also what is unlocked or given up at the moment ends as locked. */
  lock(): Promise<void>;
  /** A person is at work; nothing when it is locked. */
  active(): Promise<void>;
  /** @throws `VAULT_PROTECTED`, `VAULT_CHANGED` */
  protect(passphrase: string, idleMinutes: number): Promise<void>;
  /** Also makes a new data key: an old copy of the disk with the old passphrase does not open what is entered from now on. @throws as `unlock` */
  changePassphrase(current: string, next: string): Promise<void>;
  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  setIdle(idleMinutes: number): Promise<void>;
  /** Back to a key that the browser keeps. @throws as `unlock`, and `VAULT_LOCKED_MEANWHILE` */
  unprotect(passphrase: string): Promise<void>;
  /** Deletes the lock, also a damaged one, and every token; nothing where there is no lock. */
  reset(): Promise<void>;
}

/** A person's signs of life that come sooner after one another are not written, in milliseconds. */
const ACTIVE_EVERY = 5000;

/** A key to come, and what the database is to hold of it. */
interface NextKey {
  id: string;
  key: CryptoKey;
  browserKey: CryptoKey | null;
  lock: LockRecord | null;
}

export function createLock({ store, access, session, iterations }: LockParts): Lock {
  const { inTurn } = access;
  const look = async (): Promise<Access> => (await access.look(() => Promise.resolve()))[1];
  /** How often a lock was asked for. Deriving takes its time: what began before the last of them unlocks nothing any more. */
  let locks = 0;

  async function hold(key: SessionKey, idleMinutes: number): Promise<void> {
    await session.set(key, locksAt(key.lastActive, idleMinutes));
  }

  /** The lock with one more try counted, which is on disk before the derivation starts: who stops the worker then has had the try. */
  async function countTry(): Promise<{ id: string; lock: LockRecord }> {
    const now = Date.now();
    const counted = await store.transact(['keys'], 'readwrite', async (transaction) => {
      const keys = transaction.objectStore('keys');
      const { id, lock } = await readKeys(keys);
      if (lock === null) throw new CodedError(NOT_PROTECTED);
      if (lock === 'damaged') throw new CodedError(LOCK_DAMAGED);
      const tries = asOfNow(lock, now);
      const until = retryAt(tries, now);
      const next = until === null ? { ...tries, wrong: tries.wrong + 1, triedAt: now } : tries;
      await keys.put(next, 'lock');
      return { id: id ?? '', lock: next, until };
    });
    // Not in the transaction, which would not keep what it wrote.
    if (counted.until !== null) throw tooSoon(counted.until - now);
    return counted;
  }

  /** The lock and its data key, when the passphrase is right. */
  async function open(passphrase: string): Promise<{ id: string; lock: LockRecord; raw: Bytes }> {
    const { id, lock } = await countTry();
    const raw = await unwrapKey(lock, passphrase);
    if (raw) return { id, lock, raw };
    const now = Date.now();
    throw wrongPassphrase((retryAt(lock, now) ?? now) - now);
  }

  /** A new data key under a passphrase. */
  async function newLock(passphrase: string, idleMinutes: number): Promise<{ next: NextKey; held: SessionKey }> {
    const raw = newDataKey();
    const id = crypto.randomUUID();
    const lock: LockRecord = { ...(await wrapKey(raw, passphrase, iterations)), idleMinutes, wrong: 0, triedAt: 0 };
    return {
      next: { id, key: await importDataKey(raw), browserKey: null, lock },
      held: { id, key: toBase64(raw), lastActive: Date.now() },
    };
  }

  /**
   * Seals every token anew and puts the next key in the place of `from`, in one transaction: a worker that is stopped leaves all as
   * it was or all as it is to be. Then, before anybody looks, `held` is in the session, unless a lock was asked for since `begun`.
   */
  async function rekey(
    begun: number,
    from: { id: string | null; key: CryptoKey | null },
    next: NextKey,
    held: SessionKey | null,
  ): Promise<void> {
    for (;;) {
      const before = await store.transact(['tokens'], 'readonly', (transaction) =>
        transaction.objectStore('tokens').getAll(),
      );
      const resealed = await Promise.all(before.map((record) => resealToken(from.key, next.key, record)));
      const isDone = await inTurn(async () => {
        if (next.lock === null && locks !== begun) throw new CodedError(LOCKED_MEANWHILE);
        const written = await store.transact(['tokens', 'keys'], 'readwrite', async (transaction) => {
          const [tokens, keys] = [transaction.objectStore('tokens'), transaction.objectStore('keys')];
          const stored = await readKeys(keys);
          if (stored.id !== from.id) throw new CodedError(CHANGED);
          // One that was saved meanwhile is still to be sealed anew.
          if (seals(await tokens.getAll()) !== seals(before)) return null;
          for (const record of resealed) if (record) await tokens.put(record);
          const idleMinutes = typeof stored.lock === 'object' ? stored.lock?.idleMinutes : undefined;
          const lock = next.lock && { ...next.lock, ...(idleMinutes !== undefined && { idleMinutes }) };
          await writeKeys(keys, { ...next, lock });
          return { lock };
        });
        if (written === null) return false;
        if (!held || !written.lock) await session.clear();
        else if (locks === begun) await hold(held, written.lock.idleMinutes);
        return true;
      });
      if (isDone) return;
    }
  }

  /** Drops the key that a worker left in the session which was stopped while it gave the passphrase up. */
  async function dropStray(): Promise<void> {
    const { lock } = await store.transact(['keys'], 'readonly', (transaction) =>
      readKeys(transaction.objectStore('keys')),
    );
    if (lock === null && (await session.get()) !== undefined) await session.clear();
  }

  return {
    async state() {
      const now = await look();
      if (now.kind === 'unlocked')
        return {
          kind: 'unlocked',
          idleMinutes: now.lock.idleMinutes,
          locksAt: locksAt(now.held.lastActive, now.lock.idleMinutes),
        };
      if (now.kind === 'locked') return lockedState(store, now);
      await inTurn(dropStray);
      return { kind: 'open' };
    },

    async unlock(passphrase) {
      const begun = locks;
      const { id, lock, raw } = await open(passphrase);
      const stronger = lock.iterations < iterations ? await wrapKey(raw, passphrase, iterations) : {};
      await inTurn(async () => {
        const { idleMinutes } = await amend(store, id, { ...stronger, wrong: 0, triedAt: 0 });
        if (locks === begun) await hold({ id, key: toBase64(raw), lastActive: Date.now() }, idleMinutes);
      });
    },

    lock() {
      locks++;
      return inTurn(() => session.clear());
    },

    async active() {
      const now = await look();
      if (now.kind !== 'unlocked' || Math.abs(Date.now() - now.held.lastActive) < ACTIVE_EVERY) return;
      await inTurn(async () => {
        // Locked meanwhile: it stays so.
        const held = (await session.get()) as Partial<SessionKey> | undefined;
        if (held?.id === now.held.id) await hold({ ...now.held, lastActive: Date.now() }, now.lock.idleMinutes);
      });
    },

    async protect(passphrase, idleMinutes) {
      const begun = locks;
      const now = await look();
      if (now.kind !== 'open') throw new CodedError(PROTECTED);
      const { next, held } = await newLock(passphrase, idleMinutes);
      await rekey(begun, now, next, held);
    },

    async changePassphrase(current, passphrase) {
      const begun = locks;
      const { id, lock, raw } = await open(current);
      const { next, held } = await newLock(passphrase, lock.idleMinutes);
      await rekey(begun, { id, key: await importDataKey(raw) }, next, held);
    },

    async setIdle(idleMinutes) {
      const now = await look();
      if (now.kind === 'open') throw new CodedError(NOT_PROTECTED);
      if (now.kind === 'locked') throw new CodedError(now.problem);
      await inTurn(async () => {
        if ((await session.get()) === undefined) throw new CodedError(LOCKED);
        await amend(store, now.id, { idleMinutes });
        await hold({ ...now.held, lastActive: Date.now() }, idleMinutes);
      });
    },

    async unprotect(passphrase) {
      const begun = locks;
      const { id, raw } = await open(passphrase);
      const browserKey = await newBrowserKey();
      await rekey(
        begun,
        { id, key: await importDataKey(raw) },
        { id: crypto.randomUUID(), key: browserKey, browserKey, lock: null },
        null,
      );
    },

    reset: () =>
      inTurn(async () => {
        await store.transact(['tokens', 'keys'], 'readwrite', async (transaction) => {
          const keys = transaction.objectStore('keys');
          if ((await readKeys(keys)).lock === null) return;
          await transaction.objectStore('tokens').clear();
          await writeKeys(keys, { id: crypto.randomUUID(), browserKey: null, lock: null });
        });
        await session.clear();
      }),
  };
}

const locksAt = (lastActive: number, idleMinutes: number): number => lastActive + idleMinutes * 60_000;

async function lockedState(
  store: VaultStore,
  { id, lock, problem }: Extract<Access, { kind: 'locked' }>,
): Promise<LockState> {
  if (!lock) return { kind: 'locked', idleMinutes: DEFAULT_IDLE_MINUTES, retryAt: null, problem };
  const now = Date.now();
  const tries = asOfNow(lock, now);
  // Or the wait would begin anew with each look.
  if (tries !== lock) await amend(store, id, { triedAt: now });
  return { kind: 'locked', idleMinutes: lock.idleMinutes, retryAt: retryAt(tries, now) };
}

/** Changes the lock of the key with this name, and answers it. @throws `VAULT_CHANGED` */
function amend(store: VaultStore, id: string, changes: Partial<LockRecord>): Promise<LockRecord> {
  return store.transact(['keys'], 'readwrite', async (transaction) => {
    const keys = transaction.objectStore('keys');
    const stored = await readKeys(keys);
    if (stored.id !== id || stored.lock === null || stored.lock === 'damaged') throw new CodedError(CHANGED);
    const amended = { ...stored.lock, ...changes };
    await keys.put(amended, 'lock');
    return amended;
  });
}

/** What tells whether tokens are still sealed as they were: no initialisation vector comes twice. */
function seals(tokens: readonly unknown[]): string {
  return JSON.stringify(
    tokens.map((token) => {
      const record = v.safeParse(TokenRecord, token);
      return record.success ? [record.output.environmentId, toBase64(record.output.iv)] : null;
    }),
  );
}
