/** Owns the environments and their tokens. What was confirmed is on disk; a token leaves only as part of a connection, or sealed in a file. */
import * as v from 'valibot';
import type { Environment, EnvironmentDraft, ErrorValue, ImportOutcome, VaultState } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import { VAULT_NAME } from './database.ts';
import { PATIENCE } from './delete-database.ts';
import type { Access, SessionKeys } from './keys.ts';
import { createKeyAccess, readKeys, sessionInMemory, toldSession } from './keys.ts';
import { LOCKED_MEANWHILE } from './lock-errors.ts';
import { createLock } from './lock.ts';
import { ITERATIONS } from './passphrase.ts';
import { EnvironmentRecord, TokenRecord } from './records.ts';
import { VaultStore } from './store.ts';
import { maskToken, openToken, sealToken } from './token-cipher.ts';
import type { TokenEntry } from './transfer.ts';
import { readFile, writeFile, writeSealedFile } from './transfer.ts';

/** Every method rejects with a `CodedError`; besides those named, with the `VAULT_…` codes of the database. */
export interface Vault {
  list(): Promise<Environment[]>;
  /**
   * Without `token` the stored one stays, unless the base URL changed: then it is deleted.
   * @throws `ENVIRONMENT_NOT_FOUND`; `VAULT_LOCKED` for one with a token
   */
  save(draft: EnvironmentDraft): Promise<Environment>;
  /** Removes an environment with its token; one that is not there is no error. */
  remove(id: string): Promise<void>;
  /** For the worker alone. @throws `ENVIRONMENT_NOT_FOUND`, `TOKEN_MISSING`, `TOKEN_UNREADABLE`, `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` */
  connection(id: string): Promise<{ baseUrl: string; token: string }>;
  /** Also takes the key away when its time is over. */
  state(): Promise<VaultState>;
  /**
   * A wrong passphrase counts before it is tried; from the third on the next has to wait, for five minutes at most.
   * @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED`; `VAULT_LOCKED_MEANWHILE` when
   * `lock` was called before it had ended
   */
  unlock(passphrase: string): Promise<VaultState>;
  /** Also what is unlocked or given up at the moment ends as locked. */
  lock(): Promise<VaultState>;
  /** A person is at work: the idle time begins anew. */
  active(): Promise<void>;
  /**
   * Seals every token under a passphrase. What the disk held before is overwritten only when the browser tidies its files up:
   * a copy from the first hours may still hold tokens with the browser's own key.
   * @throws `VAULT_PROTECTED`, `VAULT_CHANGED`
   */
  protect(passphrase: string, idleMinutes: number): Promise<VaultState>;
  /** Also makes a new data key: an old copy of the disk with the old passphrase does not open what is entered from now on. @throws as `unlock` */
  changePassphrase(current: string, next: string): Promise<VaultState>;
  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  setIdle(idleMinutes: number): Promise<VaultState>;
  /** Back to a key that the browser keeps. @throws as `unlock` */
  unprotect(passphrase: string): Promise<VaultState>;
  /** Deletes the passphrase's lock, also a damaged one, and every token; where there is no lock, nothing. */
  reset(): Promise<VaultState>;
  /** A file's text, with the tokens when a passphrase is given for it. @throws `EXPORT_TOO_LARGE`; with tokens `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `TOKEN_UNREADABLE` */
  exportText(passphrase?: string): Promise<string>;
  /** All of a file, or nothing; what is there already, by name and base URL, stays as it is. @throws `IMPORT_…`; for a file with tokens `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` */
  importText(text: string, passphrase?: string): Promise<ImportOutcome>;
  /** Deletes the whole database, also one that is damaged or newer. @throws `VAULT_BLOCKED` */
  erase(): Promise<void>;
}

export interface VaultParts {
  name?: string;
  /** Milliseconds that another connection may hold up what needs the database alone. */
  patience?: number;
  /** Where the key is while it is unlocked; unless given, it goes with the worker. */
  session?: SessionKeys;
  /** Of PBKDF2. */
  iterations?: number;
}

const NOT_FOUND: ErrorValue = {
  code: 'ENVIRONMENT_NOT_FOUND',
  message: 'This environment was removed.',
  hint: 'Choose another one.',
};
const MISSING: ErrorValue = {
  code: 'TOKEN_MISSING',
  message: 'No token is stored for this environment.',
  hint: 'Enter one on the options page.',
};
const UNREADABLE: ErrorValue = {
  code: 'TOKEN_UNREADABLE',
  message: 'The stored token cannot be decrypted any more.',
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
  const session = toldSession(given);
  const access = createKeyAccess(store, session);
  const lock = createLock({ store, access, session, iterations });

  async function state(): Promise<VaultState> {
    const quarantined = await store.transact(['aside'], 'readonly', (transaction) =>
      transaction.objectStore('aside').count(),
    );
    return { quarantined, lock: await lock.state() };
  }
  const then = (work: Promise<void>): Promise<VaultState> => work.then(state);

  /** Every environment that can be read, in order, with its stored token; and what opens it. */
  async function everything(): Promise<{ records: { record: EnvironmentRecord; token: unknown }[]; now: Access }> {
    const [{ stored, tokens }, now] = await access.look(async (transaction) => ({
      stored: await transaction.objectStore('environments').getAll(),
      tokens: await transaction.objectStore('tokens').getAll(),
    }));
    const good = stored.flatMap((record) => {
      const parsed = v.safeParse(EnvironmentRecord, record);
      return parsed.success ? [parsed.output] : [];
    });
    if (good.length < stored.length) await setAside();
    const byEnvironment = new Map<string, unknown>(tokens.map((token) => [token.environmentId, token]));
    return {
      records: good
        .sort((a, b) => a.createdAt - b.createdAt)
        .map((record) => ({ record, token: byEnvironment.get(record.id) })),
      now,
    };
  }

  /** Moves environments that cannot be read out of the way, whole; their tokens stay where they are. */
  function setAside(): Promise<void> {
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

  /** Null when the token was sealed with a key that is no longer in use. */
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

  /** Null when the tokens were sealed with a key that is no longer in use. */
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
      const { records, now } = await everything();
      return Promise.all(records.map(({ record, token }) => present(record, token, now)));
    },

    async save(draft) {
      const { token, baseUrl } = draft;
      const id = draft.id ?? crypto.randomUUID();
      for (;;) {
        // Sealed before the transaction: one that waits for anything but the database commits by itself.
        const key = token === undefined ? null : await access.sealing();
        const record = await write(
          draft,
          id,
          key && { keyId: key.id, record: await sealToken(key.key, token!, id, baseUrl) },
        );
        if (!record) continue;
        const [stored, now] = await access.look((transaction) => transaction.objectStore('tokens').get(id));
        return present(record, stored, now);
      }
    },

    remove: (id) =>
      store.transact(BOTH, 'readwrite', async (transaction) => {
        await transaction.objectStore('environments').delete(id);
        await transaction.objectStore('tokens').delete(id);
      }),

    async connection(id) {
      const [{ environment, token }, now] = await access.look(async (transaction) => ({
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
      // Also where it was locked in the last moment, after the key was there.
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
      const { records, now } = await everything();
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
      // Told before the person is asked for the file's own passphrase.
      if (file.hasTokens) await access.sealing();
      const entries = await file.entries(passphrase);
      for (;;) {
        const key = file.hasTokens ? await access.sealing() : null;
        const made = await Promise.all(
          entries.map(async ({ token, ...entry }) => {
            const record = recordOf(entry, crypto.randomUUID(), 0);
            return {
              record,
              sealed: key && token !== undefined ? await sealToken(key.key, token, record.id, record.baseUrl) : null,
            };
          }),
        );
        const outcome = await add(made, key && key.id);
        if (outcome) return outcome;
      }
    },

    erase: () =>
      access.inTurn(async () => {
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

/** What makes an environment of a file one that is there already. */
const identity = ({ name, baseUrl }: EnvironmentRecord): string => JSON.stringify([name, baseUrl]);

const unreadable = (name: string): ErrorValue => ({
  ...UNREADABLE,
  message: `The stored token of ${name} cannot be decrypted any more, so nothing was exported.`,
  hint: 'Enter it again, or remove the environment, and export again.',
});

/** Now, but after every other: several can be added within one millisecond, as by an import. */
function later(others: readonly Partial<EnvironmentRecord>[]): number {
  return Math.max(Date.now(), ...others.map(({ createdAt }) => (Number.isSafeInteger(createdAt) ? createdAt! + 1 : 0)));
}

/** The token, or null when there is none for this base URL, or why it cannot be read. */
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
  return now.key ? openToken(now.key, record.output).catch(() => UNREADABLE) : UNREADABLE;
}
