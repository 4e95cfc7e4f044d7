/** The vault’s lock: sets, verifies, changes, and removes the passphrase. */
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

/** Minimum interval between writes of user activity, in milliseconds. */
const ACTIVITY_INTERVAL = 5000;

/** The key to replace and its ID. Both are null if there is no key yet. */
type PreviousKey = Pick<Extract<Access, { kind: 'open' }>, 'id' | 'key'>;

/** A new key, and the data to store for it in the database and in the session. */
interface NextKey {
  id: string;
  key: CryptoKey;
  browserKey: CryptoKey | null;
  lock: LockRecord | null;
  sessionKey: SessionKey | null;
}

/** The lock and its data key, once the passphrase has been verified. */
interface Opened {
  id: string;
  lock: LockRecord;
  raw: Bytes;
}

export class VaultLock {
  readonly #store: VaultStore;
  readonly #access: KeyAccess;
  readonly #session: SessionKeys;
  readonly #iterations: number;
  /**
   * Counts lock requests. Deriving a key takes time, and an operation that started before the last lock request must
   * not unlock.
   */
  #lockCount = 0;

  /** @param iterations of PBKDF2. A lock with fewer iterations is upgraded when it’s unlocked. */
  constructor(store: VaultStore, access: KeyAccess, session: SessionKeys, iterations: number) {
    this.#store = store;
    this.#access = access;
    this.#session = session;
    this.#iterations = iterations;
  }

  async state(): Promise<LockState> {
    const access = await this.#access.current();
    if (access.kind === 'unlocked') {
      const { idleMinutes } = access.lock;
      return { kind: 'unlocked', idleMinutes, locksAt: locksAt(access.sessionKey.lastActive, idleMinutes) };
    }
    if (access.kind === 'locked') return lockedState(this.#store, access);
    await this.#access.change(() => this.#removeStrayKey());
    return { kind: 'open' };
  }

  /** @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED` */
  async unlock(passphrase: string): Promise<void> {
    const started = this.#lockCount;
    const { id, lock, raw } = await this.#open(passphrase);
    const stronger = lock.iterations < this.#iterations ? await wrapKey(raw, passphrase, this.#iterations) : {};
    await this.#access.change(async () => {
      const { idleMinutes } = await amend(this.#store, id, { ...stronger, wrong: 0, triedAt: 0 });
      if (this.#lockCount === started)
        await this.#saveSession({ id, key: toBase64(raw), lastActive: Date.now() }, idleMinutes);
    });
  }

  /** Locks the vault. Unlocks in progress end in the locked state. */
  lock(): Promise<void> {
    this.#lockCount++;
    return this.#access.change(() => this.#session.clear());
  }

  /** Reports user activity. Ignored while locked. */
  async active(): Promise<void> {
    const access = await this.#access.current();
    if (access.kind !== 'unlocked' || Math.abs(Date.now() - access.sessionKey.lastActive) < ACTIVITY_INTERVAL) return;
    await this.#access.change(async () => {
      // If the vault was locked in the meantime, keep it locked.
      const stored = (await this.#session.get()) as Partial<SessionKey> | undefined;
      if (stored?.id !== access.id) return;
      await this.#saveSession({ ...access.sessionKey, lastActive: Date.now() }, access.lock.idleMinutes);
    });
  }

  /** @throws `VAULT_PROTECTED`, `VAULT_CHANGED` */
  async protect(passphrase: string, idleMinutes: number): Promise<void> {
    const started = this.#lockCount;
    const access = await this.#access.current();
    if (access.kind !== 'open') throw new CodedError(PROTECTED);
    await this.#rekey(started, access, await this.#newLock(passphrase, idleMinutes));
  }

  /** @throws the errors of `unlock` */
  async changePassphrase(current: string, passphrase: string): Promise<void> {
    const started = this.#lockCount;
    const { id, lock, raw } = await this.#open(current);
    const next = await this.#newLock(passphrase, lock.idleMinutes);
    await this.#rekey(started, { id, key: await importDataKey(raw) }, next);
  }

  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  async setIdle(idleMinutes: number): Promise<void> {
    const access = await this.#access.current();
    if (access.kind === 'open') throw new CodedError(NOT_PROTECTED);
    if (access.kind === 'locked') throw new CodedError(access.problem);
    await this.#access.change(async () => {
      if ((await this.#session.get()) === undefined) throw new CodedError(LOCKED);
      await amend(this.#store, access.id, { idleMinutes });
      await this.#saveSession({ ...access.sessionKey, lastActive: Date.now() }, idleMinutes);
    });
  }

  /** @throws the errors of `unlock`, and `VAULT_LOCKED_MEANWHILE` */
  async unprotect(passphrase: string): Promise<void> {
    const started = this.#lockCount;
    const { id, raw } = await this.#open(passphrase);
    const key = await newBrowserKey();
    const next = { id: crypto.randomUUID(), key, browserKey: key, lock: null, sessionKey: null };
    await this.#rekey(started, { id, key: await importDataKey(raw) }, next);
  }

  /** Deletes the lock, even a damaged one, and all tokens. Does nothing without a lock. */
  reset(): Promise<void> {
    return this.#access.change(async () => {
      await this.#store.transact(['tokens', 'keys'], 'readwrite', async (transaction) => {
        const keys = transaction.objectStore('keys');
        if ((await readKeys(keys)).lock === null) return;
        await transaction.objectStore('tokens').clear();
        await writeKeys(keys, { id: crypto.randomUUID(), browserKey: null, lock: null });
      });
      // The key in the browser’s memory decrypts nothing anymore.
      await this.#session.clear().catch(() => {});
    });
  }

  async #saveSession(key: SessionKey, idleMinutes: number): Promise<void> {
    await this.#session.set(key, locksAt(key.lastActive, idleMinutes));
  }

  /** Removes the key that a worker left in the session if it was stopped while removing the passphrase. */
  async #removeStrayKey(): Promise<void> {
    const { lock } = await this.#store.transact(['keys'], 'readonly', (transaction) =>
      readKeys(transaction.objectStore('keys')),
    );
    if (lock === null && (await this.#session.get()) !== undefined) await this.#session.clear();
  }

  async #open(passphrase: string): Promise<Opened> {
    const { id, lock } = await countTry(this.#store);
    const raw = await unwrapKey(lock, passphrase);
    if (raw) return { id, lock, raw };
    const now = Date.now();
    throw wrongPassphrase((retryAt(lock, now) ?? now) - now);
  }

  /** Creates a new data key. Otherwise, an old disk copy and the old passphrase could decrypt new tokens. */
  async #newLock(passphrase: string, idleMinutes: number): Promise<NextKey> {
    const raw = newDataKey();
    const id = crypto.randomUUID();
    return {
      id,
      key: await importDataKey(raw),
      browserKey: null,
      lock: { ...(await wrapKey(raw, passphrase, this.#iterations)), idleMinutes, wrong: 0, triedAt: 0 },
      sessionKey: { id, key: toBase64(raw), lastActive: Date.now() },
    };
  }

  /** Replaces the key `from`. Saves `next` in the session, unless a lock was requested after `started`. */
  async #rekey(started: number, from: PreviousKey, next: NextKey): Promise<void> {
    for (;;) {
      const tokens = await this.#store.transact(['tokens'], 'readonly', (transaction) =>
        transaction.objectStore('tokens').getAll(),
      );
      const reencrypted = await Promise.all(tokens.map((record) => reencryptToken(from.key, next.key, record)));
      const isDone = await this.#access.change(async () => {
        if (next.lock === null && this.#lockCount !== started) throw new CodedError(LOCKED_MEANWHILE);
        const written = await replaceKey(this.#store, from, next, tokens, reencrypted);
        if (written === null) return false;
        await this.#afterRekey(started, next, written.lock).catch(() => {});
        return true;
      });
      if (isDone) return;
    }
  }

  /** The key is replaced by now. If the browser’s memory fails, the tokens are locked, and the state says so. */
  async #afterRekey(started: number, { sessionKey }: NextKey, lock: LockRecord | null): Promise<void> {
    if (!sessionKey || !lock) await this.#session.clear();
    else if (this.#lockCount === started) await this.#saveSession(sessionKey, lock.idleMinutes);
  }
}

/** Counts an attempt on disk before the derivation starts, so that stopping the worker doesn’t undo the count. */
async function countTry(store: VaultStore): Promise<{ id: string; lock: LockRecord }> {
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
  // Throwing inside the transaction would roll back the write.
  if (counted.until !== null) throw tooSoon(counted.until - now);
  return counted;
}

/**
 * Writes the next key and the reencrypted tokens in one transaction, so that stopping the worker never leaves a mix of
 * keys. Returns null if a token was saved in the meantime, since it must be reencrypted too.
 */
function replaceKey(
  store: VaultStore,
  from: PreviousKey,
  next: NextKey,
  before: readonly unknown[],
  reencrypted: readonly (TokenRecord | null)[],
): Promise<{ lock: LockRecord | null } | null> {
  return store.transact(['tokens', 'keys'], 'readwrite', async (transaction) => {
    const [tokens, keys] = [transaction.objectStore('tokens'), transaction.objectStore('keys')];
    const stored = await readKeys(keys);
    if (stored.id !== from.id) throw new CodedError(CHANGED);
    if (fingerprint(await tokens.getAll()) !== fingerprint(before)) return null;
    for (const record of reencrypted) if (record) await tokens.put(record);
    const idleMinutes = typeof stored.lock === 'object' ? stored.lock?.idleMinutes : undefined;
    const lock = next.lock && { ...next.lock, ...(idleMinutes !== undefined && { idleMinutes }) };
    await writeKeys(keys, { ...next, lock });
    return { lock };
  });
}

const locksAt = (lastActive: number, idleMinutes: number): number => lastActive + idleMinutes * 60_000;

async function lockedState(
  store: VaultStore,
  { id, lock, problem }: Extract<Access, { kind: 'locked' }>,
): Promise<LockState> {
  if (!lock) return { kind: 'locked', idleMinutes: DEFAULT_IDLE_MINUTES, retryAt: null, problem };
  const now = Date.now();
  const tries = withCurrentClock(lock, now);
  // Otherwise, every read would restart the wait.
  if (tries !== lock) await amend(store, id, { triedAt: now });
  return { kind: 'locked', idleMinutes: lock.idleMinutes, retryAt: retryAt(tries, now) };
}

/**
 * Changes the lock of the key with this ID, and returns the lock.
 * @throws `VAULT_CHANGED`
 */
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

/** Identifies the stored ciphertexts. Initialization vectors are never reused. */
function fingerprint(tokens: readonly unknown[]): string {
  return JSON.stringify(
    tokens.map((token) => {
      const record = v.safeParse(TokenRecord, token);
      return record.success ? [record.output.environmentId, toBase64(record.output.iv)] : null;
    }),
  );
}
