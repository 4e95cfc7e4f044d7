/** Stores environments and their tokens. Tokens leave the vault only as part of a connection or encrypted in a file. */
import * as v from 'valibot';
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError, toErrorValue } from '../../platform-api/index.ts';
import { VAULT_NAME } from './database.ts';
import { TIMEOUT } from '../storage/delete-database.ts';
import {
  addEnvironments,
  identity,
  NOT_FOUND,
  quarantineDamaged,
  recordOf,
  writeEnvironment,
} from './environment-store.ts';
import type { Access, SessionKeys } from './keys.ts';
import { KeyAccess, sessionInMemory, sessionWithErrors } from './keys.ts';
import { LOCKED_MEANWHILE } from './lock-errors.ts';
import { VaultLock } from './lock.ts';
import { ITERATIONS } from './passphrase.ts';
import { EnvironmentRecord, TokenRecord } from './records.ts';
import { VaultStore } from './store.ts';
import { maskToken, decryptToken, encryptToken } from './token-cipher.ts';
import type { TokenEntry } from './transfer.ts';
import { readFile, writeFile, writeSealedFile } from './transfer.ts';
import type { EnvironmentDraft, StoredEnvironment } from '../messaging/model/environment.ts';
import type { ImportOutcome, ImportPreview, VaultState } from '../messaging/model/lock.ts';

export interface VaultParts {
  name?: string;
  /** How long to wait for another connection that blocks opening or deleting, in milliseconds. */
  timeout?: number;
  /** Without this, the unlocked key is lost when the worker stops. */
  session?: SessionKeys;
  /** PBKDF2 iterations. */
  iterations?: number;
}

const MISSING: ErrorValue = {
  code: 'TOKEN_MISSING',
  message: 'Couldn’t connect: no token is stored for this environment.',
  hint: 'Enter a token on the options page.',
};
const UNREADABLE: ErrorValue = {
  code: 'TOKEN_UNREADABLE',
  message: 'Couldn’t decrypt the stored token.',
  hint: 'Enter the token again on the options page.',
};
const SAVED_UNREAD = {
  message: 'The environment was saved, and can’t be shown.',
  hint: 'Reload the page to check it.',
};
/** Every method rejects with a `CodedError`. The `VAULT_…` codes of the database apply to all of them. */
export class Vault {
  readonly #store: VaultStore;
  readonly #session: SessionKeys;
  readonly #access: KeyAccess;
  readonly #lock: VaultLock;
  readonly #iterations: number;

  constructor({
    name = VAULT_NAME,
    timeout = TIMEOUT,
    session = sessionInMemory(),
    iterations = ITERATIONS,
  }: VaultParts = {}) {
    this.#store = new VaultStore(name, timeout);
    this.#session = sessionWithErrors(session);
    this.#access = new KeyAccess(this.#store, this.#session);
    this.#lock = new VaultLock(this.#store, this.#access, this.#session, iterations);
    this.#iterations = iterations;
  }

  async list(): Promise<StoredEnvironment[]> {
    const { records, access } = await this.#readAll();
    return Promise.all(records.map(({ record, token }) => present(record, token, access)));
  }

  /**
   * Without `token`, the stored token is kept, unless the base URL changed: then the token is deleted.
   * @throws `ENVIRONMENT_NOT_FOUND`; `VAULT_LOCKED` if a token would be stored or deleted
   */
  async save(draft: EnvironmentDraft): Promise<StoredEnvironment> {
    const { token, baseUrl } = draft;
    const id = draft.id ?? crypto.randomUUID();
    for (;;) {
      // Encrypt before the transaction, because a transaction commits while it waits for anything else.
      const key = token === undefined ? null : await this.#access.encryptionKey();
      const encrypted = key && { keyId: key.id, record: await encryptToken(key.key, token!, id, baseUrl) };
      const [, before] = await this.#access.read(() => Promise.resolve());
      const locked = before.kind === 'locked' ? before.problem : null;
      const record = await writeEnvironment(this.#store, draft, id, encrypted, locked);
      if (!record) continue;
      const [stored, access] = await this.#access
        .read((transaction) => transaction.objectStore('tokens').get(id))
        .catch((error: unknown) => {
          throw new CodedError({ ...toErrorValue(error), ...SAVED_UNREAD }, { cause: error });
        });
      return present(record, stored, access);
    }
  }

  /** Removes an environment and its token. Does nothing if the environment doesn’t exist. */
  remove(id: string): Promise<void> {
    return this.#store.transact(['environments', 'tokens'], 'readwrite', async (transaction) => {
      await transaction.objectStore('environments').delete(id);
      await transaction.objectStore('tokens').delete(id);
    });
  }

  /**
   * Returns the token, so only the worker may call this.
   * @throws `ENVIRONMENT_NOT_FOUND`, `TOKEN_MISSING`, `TOKEN_UNREADABLE`, `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`
   */
  async connection(id: string): Promise<{ baseUrl: string; namespace: string; token: string }> {
    const [{ environment, token }, access] = await this.#access.read(async (transaction) => ({
      environment: await transaction.objectStore('environments').get(id),
      token: await transaction.objectStore('tokens').get(id),
    }));
    const record = v.safeParse(EnvironmentRecord, environment);
    if (!record.success) throw new CodedError(NOT_FOUND);
    const read = await readToken(record.output, token, access);
    const { baseUrl, namespace } = record.output;
    if (typeof read === 'string') return { baseUrl, namespace, token: read };
    throw new CodedError(read ?? MISSING);
  }

  /**
   * Returns all tokens, so only the worker may call this. Leaves out those that can’t be read.
   * @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` if a token is locked
   */
  async tokens(): Promise<string[]> {
    const { records, access } = await this.#readAll();
    const read = await Promise.all(records.map(({ record, token }) => readToken(record, token, access)));
    if (access.kind === 'locked' && read.some((each) => each === access.problem)) throw new CodedError(access.problem);
    return read.filter((each) => typeof each === 'string');
  }

  /** Returns the state. Locks the vault first if it has been idle for too long. */
  async state(): Promise<VaultState> {
    const quarantined = await this.#store.transact(['aside'], 'readonly', (transaction) =>
      transaction.objectStore('aside').count(),
    );
    return { quarantined, lock: await this.#lock.state() };
  }

  /**
   * Attempts count before they are verified. After three or more wrong attempts, the next one has to wait for up to
   * five minutes.
   * @throws `PASSPHRASE_WRONG`, `PASSPHRASE_TOO_SOON`, `VAULT_NOT_PROTECTED`, `VAULT_LOCK_DAMAGED`, `VAULT_CHANGED`;
   * `VAULT_LOCKED_MEANWHILE` if `lock` is called while this runs
   */
  async unlock(passphrase: string): Promise<VaultState> {
    await this.#lock.unlock(passphrase);
    const state = await this.state();
    // The vault might have been locked right after the key was saved.
    if (state.lock.kind === 'locked') throw new CodedError(LOCKED_MEANWHILE);
    return state;
  }

  /** Locks the vault. Unlocks in progress end in the locked state. */
  lock(): Promise<VaultState> {
    return this.#lock.lock().then(() => this.state());
  }

  /** Reports user activity, which restarts the idle timer. */
  active(): Promise<void> {
    return this.#lock.active();
  }

  /**
   * Encrypts all tokens with a passphrase. Browsers might overwrite the old data hours later, so until then, a disk
   * copy can still contain tokens encrypted with the browser’s key.
   * @throws `VAULT_PROTECTED`, `VAULT_CHANGED`
   */
  protect(passphrase: string, idleMinutes: number): Promise<VaultState> {
    return this.#lock.protect(passphrase, idleMinutes).then(() => this.state());
  }

  /** @throws the errors of `unlock` */
  changePassphrase(current: string, next: string): Promise<VaultState> {
    return this.#lock.changePassphrase(current, next).then(() => this.state());
  }

  /** @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `VAULT_NOT_PROTECTED` */
  setIdle(idleMinutes: number): Promise<VaultState> {
    return this.#lock.setIdle(idleMinutes).then(() => this.state());
  }

  /**
   * Removes the passphrase and returns to a key that the browser stores.
   * @throws the errors of `unlock`
   */
  unprotect(passphrase: string): Promise<VaultState> {
    return this.#lock.unprotect(passphrase).then(() => this.state());
  }

  /** Deletes the lock, even a damaged one, and all tokens. Does nothing without a lock. */
  reset(): Promise<VaultState> {
    return this.#lock.reset().then(() => this.state());
  }

  /**
   * Returns the text of an export file. Includes encrypted tokens if a passphrase is given.
   * @throws `EXPORT_TOO_LARGE`; with tokens, also `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`, `TOKEN_UNREADABLE`
   */
  async exportText(passphrase?: string): Promise<string> {
    const { records, access } = await this.#readAll();
    if (passphrase === undefined) return writeFile(records.map(({ record }) => record));
    const entries = await Promise.all(
      records.map(async ({ record, token }): Promise<TokenEntry> => {
        const read = await readToken(record, token, access);
        if (read !== null && typeof read !== 'string')
          throw new CodedError(read.code === UNREADABLE.code ? unreadable(record.name) : read);
        return { ...record, token: read ?? undefined };
      }),
    );
    return writeSealedFile(entries, passphrase, this.#iterations);
  }

  /**
   * Reads a file without importing it, and without its tokens.
   * @throws `IMPORT_…`; for a file with tokens, also `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`
   */
  async readFile(text: string): Promise<ImportPreview> {
    const file = readFile(text);
    if (file.hasTokens) await this.#access.encryptionKey();
    const present = new Set((await this.#readAll()).records.map(({ record }) => identity(record)));
    const environments = file.environments.map(({ name, baseUrl, production, pageUrls = [], token }) => ({
      name,
      baseUrl,
      production,
      pageUrls,
      hasToken: token !== undefined,
      isPresent: present.has(identity({ name, baseUrl })),
    }));
    return { hasTokens: file.hasTokens, environments };
  }

  /**
   * Imports either the whole file or nothing. Existing environments with the same name and base URL aren’t changed.
   * @throws `IMPORT_…`; for a file with tokens, also `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`
   */
  async importText(text: string, passphrase?: string): Promise<ImportOutcome> {
    const file = readFile(text);
    if (file.hasTokens) await this.#access.encryptionKey();
    const entries = await file.entries(passphrase);
    for (;;) {
      const key = file.hasTokens ? await this.#access.encryptionKey() : null;
      const records = await Promise.all(
        entries.map(async ({ token, ...entry }) => {
          const record = recordOf(entry, crypto.randomUUID(), 0);
          const isEncrypted = key && token !== undefined;
          return { record, token: isEncrypted ? await encryptToken(key.key, token, record.id, record.baseUrl) : null };
        }),
      );
      const outcome = await addEnvironments(this.#store, records, key && key.id);
      if (outcome) return outcome;
    }
  }

  /** Deletes the database, even a damaged or newer one. @throws `DATA_IN_USE` */
  erase(): Promise<void> {
    return this.#access.change(async () => {
      await this.#session.clear();
      await this.#store.erase();
    });
  }

  /** All readable environments in order, each with its stored token, and the current access to the tokens. */
  async #readAll(): Promise<{ records: { record: EnvironmentRecord; token: unknown }[]; access: Access }> {
    const [{ stored, tokens }, access] = await this.#access.read(async (transaction) => ({
      stored: await transaction.objectStore('environments').getAll(),
      tokens: await transaction.objectStore('tokens').getAll(),
    }));
    const readable = stored.flatMap((record) => {
      const parsed = v.safeParse(EnvironmentRecord, record);
      return parsed.success ? [parsed.output] : [];
    });
    if (readable.length < stored.length) await quarantineDamaged(this.#store);
    const byEnvironment = new Map<string, unknown>(tokens.map((token) => [token.environmentId, token]));
    const records = readable
      .sort((a, b) => a.createdAt - b.createdAt)
      .map((record) => ({ record, token: byEnvironment.get(record.id) }));
    return { records, access };
  }
}

async function present(record: EnvironmentRecord, token: unknown, access: Access): Promise<StoredEnvironment> {
  const { createdAt: _, ...environment } = record;
  const read = await readToken(record, token, access);
  if (typeof read === 'string') return { ...environment, maskedToken: maskToken(read) };
  return { ...environment, maskedToken: null, ...(read ? { problem: read } : {}) };
}

const unreadable = (name: string): ErrorValue => ({
  ...UNREADABLE,
  message: `Couldn’t decrypt the stored token for ${name}. Nothing was exported.`,
  hint: 'Enter the token again or remove the environment, then export again.',
});

/** The token, null if there is none for this base URL, or the reason why it can’t be read. */
async function readToken(
  { id, baseUrl }: EnvironmentRecord,
  token: unknown,
  access: Access,
): Promise<string | null | ErrorValue> {
  if (token === undefined) return null;
  const record = v.safeParse(TokenRecord, token);
  if (!record.success) return UNREADABLE;
  if (record.output.environmentId !== id || record.output.baseUrl !== baseUrl) return null;
  if (access.kind === 'locked') return access.problem;
  return access.key ? decryptToken(access.key, record.output).catch(() => UNREADABLE) : UNREADABLE;
}
