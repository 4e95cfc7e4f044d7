/** The vault’s lock: sets, checks, changes, and removes the passphrase. */
import * as v from 'valibot';
import { CodedError } from '../../platform-api/index.ts';
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
import { reencryptToken } from './token-cipher.ts';
import { withCurrentClock, retryAt } from './tries.ts';
import { type LockState, DEFAULT_IDLE_MINUTES } from '../messaging/model/lock.ts';

export interface LockParts {
  store: VaultStore;
  access: KeyAccess;
  session: SessionKeys;
  /** Of PBKDF2. A lock with fewer is strengthened when it’s unlocked. */
  iterations: number;
}

export interface Lock {
  state(): Promise<LockState>;
  /** @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED` */
  unlock(passphrase: string): Promise<void>;
  /** Unlocks in progress end as locked. */
  lock(): Promise<void>;
  /** Reports user activity. Ignored while locked. */
  active(): Promise<void>;
  /** @throws `VAULT_PROTECTED`, `VAULT_CHANGED` */
  protect(passphrase: string, idleMinutes: number): Promise<void>;
  /** Creates a new data key, so that an old disk copy and the old passphrase can’t decrypt new tokens. @throws as `unlock` */
  changePassphrase(current: string, next: string): Promise<void>;
  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  setIdle(idleMinutes: number): Promise<void>;
  /** Goes back to a key that the browser keeps. @throws as `unlock`, and `VAULT_LOCKED_MEANWHILE` */
  unprotect(passphrase: string): Promise<void>;
  /** Deletes the lock, even a damaged one, and every token. Does nothing without a lock. */
  reset(): Promise<void>;
}

/** Activity is stored at most this often, in milliseconds. */
const ACTIVITY_INTERVAL = 5000;

/** A new key, and how it is stored. */
interface NextKey {
  id: string;
  key: CryptoKey;
  browserKey: CryptoKey | null;
  lock: LockRecord | null;
}

export function createLock({ store, access, session, iterations }: LockParts): Lock {
  const { change } = access;
  const readAccess = async (): Promise<Access> => (await access.read(() => Promise.resolve()))[1];
  /** Counts requested locks. Deriving takes time, and what began before the last lock must not unlock. */
  let lockCount = 0;

  async function saveSession(key: SessionKey, idleMinutes: number): Promise<void> {
    await session.set(key, locksAt(key.lastActive, idleMinutes));
  }

  /** Counts a try on disk before the derivation starts, so that stopping the worker doesn’t undo it. */
  async function countTry(): Promise<{ id: string; lock: LockRecord }> {
    const now = Date.now();
    const counted = await store.transact(['keys'], 'readwrite', async (transaction) => {
      const keys = transaction.objectStore('keys');
      const { id, lock } = await readKeys(keys);
      if (lock === null) throw new CodedError(NOT_PROTECTED);
      if (lock === 'damaged') throw new CodedError(LOCK_DAMAGED);
      const tries = withCurrentClock(lock, now);
      const until = retryAt(tries, now);
      const next = until === null ? { ...tries, wrong: tries.wrong + 1, triedAt: now } : tries;
      await keys.put(next, 'lock');
      return { id: id ?? '', lock: next, until };
    });
    // Throwing inside the transaction would undo its write.
    if (counted.until !== null) throw tooSoon(counted.until - now);
    return counted;
  }

  /** The lock and its data key, if the passphrase is right. */
  async function open(passphrase: string): Promise<{ id: string; lock: LockRecord; raw: Bytes }> {
    const { id, lock } = await countTry();
    const raw = await unwrapKey(lock, passphrase);
    if (raw) return { id, lock, raw };
    const now = Date.now();
    throw wrongPassphrase((retryAt(lock, now) ?? now) - now);
  }

  /** Creates a data key wrapped by a passphrase. */
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
   * Encrypts every token with the next key and replaces `from`, in one transaction, so that a stopped worker never leaves a mix. Then
   * saves `held` in the session, unless a lock was requested since `started`.
   */
  async function rekey(
    started: number,
    from: { id: string | null; key: CryptoKey | null },
    next: NextKey,
    held: SessionKey | null,
  ): Promise<void> {
    for (;;) {
      const before = await store.transact(['tokens'], 'readonly', (transaction) =>
        transaction.objectStore('tokens').getAll(),
      );
      const reencrypted = await Promise.all(before.map((record) => reencryptToken(from.key, next.key, record)));
      const isDone = await change(async () => {
        if (next.lock === null && lockCount !== started) throw new CodedError(LOCKED_MEANWHILE);
        const written = await store.transact(['tokens', 'keys'], 'readwrite', async (transaction) => {
          const [tokens, keys] = [transaction.objectStore('tokens'), transaction.objectStore('keys')];
          const stored = await readKeys(keys);
          if (stored.id !== from.id) throw new CodedError(CHANGED);
          // A token that was saved since must be encrypted with the new key too.
          if (fingerprint(await tokens.getAll()) !== fingerprint(before)) return null;
          for (const record of reencrypted) if (record) await tokens.put(record);
          const idleMinutes = typeof stored.lock === 'object' ? stored.lock?.idleMinutes : undefined;
          const lock = next.lock && { ...next.lock, ...(idleMinutes !== undefined && { idleMinutes }) };
          await writeKeys(keys, { ...next, lock });
          return { lock };
        });
        if (written === null) return false;
        if (!held || !written.lock) await session.clear();
        else if (lockCount === started) await saveSession(held, written.lock.idleMinutes);
        return true;
      });
      if (isDone) return;
    }
  }

  /** Removes a key that a worker left in the session when it was stopped while removing the passphrase. */
  async function removeStrayKey(): Promise<void> {
    const { lock } = await store.transact(['keys'], 'readonly', (transaction) =>
      readKeys(transaction.objectStore('keys')),
    );
    if (lock === null && (await session.get()) !== undefined) await session.clear();
  }

  return {
    async state() {
      const now = await readAccess();
      if (now.kind === 'unlocked')
        return {
          kind: 'unlocked',
          idleMinutes: now.lock.idleMinutes,
          locksAt: locksAt(now.held.lastActive, now.lock.idleMinutes),
        };
      if (now.kind === 'locked') return lockedState(store, now);
      await change(removeStrayKey);
      return { kind: 'open' };
    },

    async unlock(passphrase) {
      const started = lockCount;
      const { id, lock, raw } = await open(passphrase);
      const stronger = lock.iterations < iterations ? await wrapKey(raw, passphrase, iterations) : {};
      await change(async () => {
        const { idleMinutes } = await amend(store, id, { ...stronger, wrong: 0, triedAt: 0 });
        if (lockCount === started) await saveSession({ id, key: toBase64(raw), lastActive: Date.now() }, idleMinutes);
      });
    },

    lock() {
      lockCount++;
      return change(() => session.clear());
    },

    async active() {
      const now = await readAccess();
      if (now.kind !== 'unlocked' || Math.abs(Date.now() - now.held.lastActive) < ACTIVITY_INTERVAL) return;
      await change(async () => {
        // If it was locked since, it stays locked.
        const held = (await session.get()) as Partial<SessionKey> | undefined;
        if (held?.id === now.held.id) await saveSession({ ...now.held, lastActive: Date.now() }, now.lock.idleMinutes);
      });
    },

    async protect(passphrase, idleMinutes) {
      const started = lockCount;
      const now = await readAccess();
      if (now.kind !== 'open') throw new CodedError(PROTECTED);
      const { next, held } = await newLock(passphrase, idleMinutes);
      await rekey(started, now, next, held);
    },

    async changePassphrase(current, passphrase) {
      const started = lockCount;
      const { id, lock, raw } = await open(current);
      const { next, held } = await newLock(passphrase, lock.idleMinutes);
      await rekey(started, { id, key: await importDataKey(raw) }, next, held);
    },

    async setIdle(idleMinutes) {
      const now = await readAccess();
      if (now.kind === 'open') throw new CodedError(NOT_PROTECTED);
      if (now.kind === 'locked') throw new CodedError(now.problem);
      await change(async () => {
        if ((await session.get()) === undefined) throw new CodedError(LOCKED);
        await amend(store, now.id, { idleMinutes });
        await saveSession({ ...now.held, lastActive: Date.now() }, idleMinutes);
      });
    },

    async unprotect(passphrase) {
      const started = lockCount;
      const { id, raw } = await open(passphrase);
      const browserKey = await newBrowserKey();
      await rekey(
        started,
        { id, key: await importDataKey(raw) },
        { id: crypto.randomUUID(), key: browserKey, browserKey, lock: null },
        null,
      );
    },

    reset: () =>
      change(async () => {
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
  const tries = withCurrentClock(lock, now);
  // Otherwise the wait would restart with each read.
  if (tries !== lock) await amend(store, id, { triedAt: now });
  return { kind: 'locked', idleMinutes: lock.idleMinutes, retryAt: retryAt(tries, now) };
}

/** Changes the lock of the key with this ID, and returns it. @throws `VAULT_CHANGED` */
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

/** Identifies the stored ciphertexts: an initialization vector is never used twice. */
function fingerprint(tokens: readonly unknown[]): string {
  return JSON.stringify(
    tokens.map((token) => {
      const record = v.safeParse(TokenRecord, token);
      return record.success ? [record.output.environmentId, toBase64(record.output.iv)] : null;
    }),
  );
}
