/** Stores environments and their tokens. A token leaves the vault only in a connection or encrypted in a file. */
import * as v from 'valibot';
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import { VAULT_NAME } from './database.ts';
import { PATIENCE } from './delete-database.ts';
import type { Access, SessionKeys } from './keys.ts';
import { createKeyAccess, readKeys, sessionInMemory, sessionWithErrors } from './keys.ts';
import { LOCKED_MEANWHILE } from './lock-errors.ts';
import { createLock } from './lock.ts';
import { ITERATIONS } from './passphrase.ts';
import { EnvironmentRecord, TokenRecord } from './records.ts';
import { VaultStore } from './store.ts';
import { maskToken, decryptToken, encryptToken } from './token-cipher.ts';
import type { TokenEntry } from './transfer.ts';
import { readFile, writeFile, writeSealedFile } from './transfer.ts';
import type { Environment, EnvironmentDraft } from '../messaging/model/environment.ts';
import type { ImportOutcome, VaultState } from '../messaging/model/lock.ts';

/** Every method rejects with a `CodedError`; besides those named, with the `VAULT_…` codes of the database. */
export interface Vault {
  list(): Promise<Environment[]>;
  /**
   * Without `token`, the stored one stays, unless the base URL changed: then it’s deleted.
   * @throws `ENVIRONMENT_NOT_FOUND`; `VAULT_LOCKED` for one with a token
   */
  save(draft: EnvironmentDraft): Promise<Environment>;
  /** Removes an environment with its token. A missing one isn’t an error. */
  remove(id: string): Promise<void>;
  /** Only for the worker. @throws `ENVIRONMENT_NOT_FOUND`, `TOKEN_MISSING`, `TOKEN_UNREADABLE`, `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` */
  connection(id: string): Promise<{ baseUrl: string; token: string }>;
  /** Also locks when the idle time is over. */
  state(): Promise<VaultState>;
  /**
   * A try counts before it’s checked. After the third wrong one, the next has to wait, at most five minutes.
   * @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED`; `VAULT_LOCKED_MEANWHILE` when
   * `lock` was called before it ended
   */
  unlock(passphrase: string): Promise<VaultState>;
  /** Unlocks in progress end as locked. */
  lock(): Promise<VaultState>;
  /** Reports user activity, which restarts the idle time. */
  active(): Promise<void>;
  /**
   * Encrypts every token with a passphrase. The browser may overwrite the old data hours later, so a disk copy may still contain
   * tokens encrypted with the browser’s key.
   * @throws `VAULT_PROTECTED`, `VAULT_CHANGED`
   */
  protect(passphrase: string, idleMinutes: number): Promise<VaultState>;
  /** Creates a new data key, so that an old disk copy and the old passphrase can’t decrypt new tokens. @throws as `unlock` */
  changePassphrase(current: string, next: string): Promise<VaultState>;
  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  setIdle(idleMinutes: number): Promise<VaultState>;
  /** Goes back to a key that the browser keeps. @throws as `unlock` */
  unprotect(passphrase: string): Promise<VaultState>;
  /** Deletes the lock, even a damaged one, and every token. Does nothing without a lock. */
  reset(): Promise<VaultState>;
  /** The text of a file, with encrypted tokens if a passphrase is given. @throws `EXPORT_TOO_LARGE`; with tokens `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `TOKEN_UNREADABLE` */
  exportText(passphrase?: string): Promise<string>;
  /** Imports all of a file or nothing. Environments with the same name and base URL stay as they are. @throws `IMPORT_…`; for a file with tokens `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` */
  importText(text: string, passphrase?: string): Promise<ImportOutcome>;
  /** Deletes the database, even a damaged or newer one. @throws `VAULT_BLOCKED` */
  erase(): Promise<void>;
}

export interface VaultParts {
  name?: string;
  /** How long another connection may block opening or deleting, in milliseconds. */
  patience?: number;
  /** By default, the unlocked key is lost when the worker stops. */
  session?: SessionKeys;
  /** Of PBKDF2. */
  iterations?: number;
}

const NOT_FOUND: ErrorValue = {
  code: 'ENVIRONMENT_NOT_FOUND',
  message: 'Couldn’t find the environment: it was removed.',
  hint: 'Choose another environment.',
};
const MISSING: ErrorValue = {
  code: 'TOKEN_MISSING',
  message: 'Couldn’t connect: no token is stored for this environment.',
  hint: 'Enter one on the options page.',
};
const UNREADABLE: ErrorValue = {
  code: 'TOKEN_UNREADABLE',
  message: 'Couldn’t decrypt the stored token.',
  hint: 'Enter it again on the options page.',
};
const BOTH = ['environments', 'tokens'] as const;
const SEALING = ['environments', 'tokens', 'keys'] as const;

export function createVault({
  name = VAULT_NAME,
  patience = PATIENCE,
  session: given = sessionInMemory(),
  iterations = ITERATIONS,
}: VaultParts = {}): Vault {
  const store = new VaultStore(name, patience);
  const session = sessionWithErrors(given);
  const access = createKeyAccess(store, session);
  const lock = createLock({ store, access, session, iterations });

  async function state(): Promise<VaultState> {
    const quarantined = await store.transact(['aside'], 'readonly', (transaction) =>
      transaction.objectStore('aside').count(),
    );
    return { quarantined, lock: await lock.state() };
  }
  const then = (work: Promise<void>): Promise<VaultState> => work.then(state);

  /** Every readable environment in order, with its stored token, and the current access. */
  async function readAll(): Promise<{ records: { record: EnvironmentRecord; token: unknown }[]; now: Access }> {
    const [{ stored, tokens }, now] = await access.read(async (transaction) => ({
      stored: await transaction.objectStore('environments').getAll(),
      tokens: await transaction.objectStore('tokens').getAll(),
    }));
    const good = stored.flatMap((record) => {
      const parsed = v.safeParse(EnvironmentRecord, record);
      return parsed.success ? [parsed.output] : [];
    });
    if (good.length < stored.length) await quarantineDamaged();
    const byEnvironment = new Map<string, unknown>(tokens.map((token) => [token.environmentId, token]));
    return {
      records: good
        .sort((a, b) => a.createdAt - b.createdAt)
        .map((record) => ({ record, token: byEnvironment.get(record.id) })),
      now,
    };
  }

  /** Quarantines environments that can’t be read. Their tokens stay. */
  function quarantineDamaged(): Promise<void> {
    return store.transact(['environments', 'aside'], 'readwrite', async (transaction) => {
      const environments = transaction.objectStore('environments');
      for (const key of await environments.getAllKeys()) {
        const record = await environments.get(key);
        if (v.is(EnvironmentRecord, record)) continue;
        await transaction.objectStore('aside').add({ store: 'environments', record, at: Date.now() });
        await environments.delete(key);
      }
    });
  }

  /** Null when the token was encrypted with a key that has been replaced. */
  function write(
    draft: EnvironmentDraft,
    id: string,
    sealed: { keyId: string; record: TokenRecord } | null,
  ): Promise<EnvironmentRecord | null> {
    return store.transact(SEALING, 'readwrite', async (transaction) => {
      if (sealed && (await readKeys(transaction.objectStore('keys'))).id !== sealed.keyId) return null;
      const environments = transaction.objectStore('environments');
      const tokens = transaction.objectStore('tokens');
      const before = await environments.get(id);
      if (draft.id !== undefined && !before) throw new CodedError(NOT_FOUND);
      const { createdAt } = (before ?? {}) as Partial<EnvironmentRecord>;
      const record = recordOf(
        draft,
        id,
        typeof createdAt === 'number' ? createdAt : later(await environments.getAll()),
      );
      await environments.put(record);
      if (sealed) await tokens.put(sealed.record);
      else if (((await tokens.get(id)) as Partial<TokenRecord> | undefined)?.baseUrl !== draft.baseUrl)
        await tokens.delete(id);
      return record;
    });
  }

  /** Null when the tokens were encrypted with a key that has been replaced. */
  function add(
    made: readonly { record: EnvironmentRecord; sealed: TokenRecord | null }[],
    keyId: string | null,
  ): Promise<ImportOutcome | null> {
    return store.transact(SEALING, 'readwrite', async (transaction) => {
      if (keyId !== null && (await readKeys(transaction.objectStore('keys'))).id !== keyId) return null;
      const environments = transaction.objectStore('environments');
      const before: readonly Partial<EnvironmentRecord>[] = await environments.getAll();
      const there = new Set(before.filter((record) => v.is(EnvironmentRecord, record)).map(identity));
      const first = later(before);
      const outcome = { added: 0, present: 0, tokens: 0 };
      for (const { record, sealed } of made) {
        if (there.has(identity(record))) {
          outcome.present++;
          continue;
        }
        there.add(identity(record));
        const last: EnvironmentRecord = { ...record, createdAt: first + outcome.added++ };
        await environments.put(last);
        if (!sealed) continue;
        await transaction.objectStore('tokens').put(sealed);
        outcome.tokens++;
      }
      return outcome;
    });
  }

  return {
    async list() {
      const { records, now } = await readAll();
      return Promise.all(records.map(({ record, token }) => present(record, token, now)));
    },

    async save(draft) {
      const { token, baseUrl } = draft;
      const id = draft.id ?? crypto.randomUUID();
      for (;;) {
        // Encrypted before the transaction, because a transaction commits when it waits for anything else.
        const key = token === undefined ? null : await access.encryptionKey();
        const record = await write(
          draft,
          id,
          key && { keyId: key.id, record: await encryptToken(key.key, token!, id, baseUrl) },
        );
        if (!record) continue;
        const [stored, now] = await access.read((transaction) => transaction.objectStore('tokens').get(id));
        return present(record, stored, now);
      }
    },

    remove: (id) =>
      store.transact(BOTH, 'readwrite', async (transaction) => {
        await transaction.objectStore('environments').delete(id);
        await transaction.objectStore('tokens').delete(id);
      }),

    async connection(id) {
      const [{ environment, token }, now] = await access.read(async (transaction) => ({
        environment: await transaction.objectStore('environments').get(id),
        token: await transaction.objectStore('tokens').get(id),
      }));
      const record = v.safeParse(EnvironmentRecord, environment);
      if (!record.success) throw new CodedError(NOT_FOUND);
      const read = await readToken(record.output, token, now);
      if (typeof read === 'string') return { baseUrl: record.output.baseUrl, token: read };
      throw new CodedError(read ?? MISSING);
    },

    state,
    async unlock(passphrase) {
      const after = await then(lock.unlock(passphrase));
      // It may have been locked right after the key was saved.
      if (after.lock.kind === 'locked') throw new CodedError(LOCKED_MEANWHILE);
      return after;
    },
    lock: () => then(lock.lock()),
    active: () => lock.active(),
    protect: (passphrase, idleMinutes) => then(lock.protect(passphrase, idleMinutes)),
    changePassphrase: (current, next) => then(lock.changePassphrase(current, next)),
    setIdle: (idleMinutes) => then(lock.setIdle(idleMinutes)),
    unprotect: (passphrase) => then(lock.unprotect(passphrase)),
    reset: () => then(lock.reset()),

    async exportText(passphrase) {
      const { records, now } = await readAll();
      if (passphrase === undefined) return writeFile(records.map(({ record }) => record));
      const entries = await Promise.all(
        records.map(async ({ record, token }): Promise<TokenEntry> => {
          const read = await readToken(record, token, now);
          if (read !== null && typeof read !== 'string')
            throw new CodedError(read.code === UNREADABLE.code ? unreadable(record.name) : read);
          return { ...record, token: read ?? undefined };
        }),
      );
      return writeSealedFile(entries, passphrase, iterations);
    },

    async importText(text, passphrase) {
      const file = readFile(text);
      // Reports a locked vault before the user has to enter the file’s passphrase.
      if (file.hasTokens) await access.encryptionKey();
      const entries = await file.entries(passphrase);
      for (;;) {
        const key = file.hasTokens ? await access.encryptionKey() : null;
        const made = await Promise.all(
          entries.map(async ({ token, ...entry }) => {
            const record = recordOf(entry, crypto.randomUUID(), 0);
            return {
              record,
              sealed: key && token !== undefined ? await encryptToken(key.key, token, record.id, record.baseUrl) : null,
            };
          }),
        );
        const outcome = await add(made, key && key.id);
        if (outcome) return outcome;
      }
    },

    erase: () =>
      access.change(async () => {
        await session.clear();
        await store.erase();
      }),
  };
}

async function present(record: EnvironmentRecord, token: unknown, now: Access): Promise<Environment> {
  const { createdAt: _, ...environment } = record;
  const read = await readToken(record, token, now);
  if (typeof read === 'string') return { ...environment, maskedToken: maskToken(read) };
  return { ...environment, maskedToken: null, ...(read ? { problem: read } : {}) };
}

const recordOf = (
  { name, preset, baseUrl, namespace, production }: Omit<EnvironmentDraft, 'id' | 'token'>,
  id: string,
  createdAt: number,
): EnvironmentRecord => ({ id, name, preset, baseUrl, namespace, production, createdAt });

/** Environments with the same identity aren’t imported twice. */
const identity = ({ name, baseUrl }: EnvironmentRecord): string => JSON.stringify([name, baseUrl]);

const unreadable = (name: string): ErrorValue => ({
  ...UNREADABLE,
  message: `Couldn’t decrypt the stored token of ${name}. Nothing was exported.`,
  hint: 'Enter the token again or remove the environment, then export again.',
});

/** Now, but later than every other: an import adds several within a millisecond. */
function later(others: readonly Partial<EnvironmentRecord>[]): number {
  return Math.max(Date.now(), ...others.map(({ createdAt }) => (Number.isSafeInteger(createdAt) ? createdAt! + 1 : 0)));
}

/** The token, null when there is none for this base URL, or why it can’t be read. */
async function readToken(
  { id, baseUrl }: EnvironmentRecord,
  token: unknown,
  now: Access,
): Promise<string | null | ErrorValue> {
  if (token === undefined) return null;
  const record = v.safeParse(TokenRecord, token);
  if (!record.success) return UNREADABLE;
  if (record.output.environmentId !== id || record.output.baseUrl !== baseUrl) return null;
  if (now.kind === 'locked') return now.problem;
  return now.key ? decryptToken(now.key, record.output).catch(() => UNREADABLE) : UNREADABLE;
}
