/** Owns the environments and their tokens. What was confirmed is on disk; a token leaves only as part of a connection. */
import * as v from 'valibot';
import type { Environment, EnvironmentDraft, ErrorValue } from '../contract/index.ts';
import { CodedError } from '../contract/index.ts';
import type { VaultDatabase } from './database.ts';
import { VAULT_NAME, asVaultError, openVaultDatabase, transact, vaultError } from './database.ts';
import { PATIENCE, deleteDatabase } from './delete-database.ts';
import { EnvironmentRecord, TokenRecord } from './records.ts';
import { maskToken, openToken, sealToken, tokenKey } from './token-cipher.ts';

/** Every method rejects with a `CodedError`; besides those named, with the `VAULT_…` codes of the database. */
export interface Vault {
  list(): Promise<Environment[]>;
  /** Without `token` the stored one stays, unless the base URL changed: then it is deleted. @throws `ENVIRONMENT_NOT_FOUND` */
  save(draft: EnvironmentDraft): Promise<Environment>;
  /** Removes an environment with its token; one that is not there is no error. */
  remove(id: string): Promise<void>;
  /** For the worker alone. @throws `ENVIRONMENT_NOT_FOUND`, `TOKEN_MISSING`, `TOKEN_UNREADABLE` */
  connection(id: string): Promise<{ baseUrl: string; token: string }>;
  /** How many damaged records were set aside. */
  state(): Promise<{ aside: number }>;
  /** Deletes the whole database, also one that is damaged or newer. @throws `VAULT_BLOCKED` */
  erase(): Promise<void>;
}

const NOT_FOUND: ErrorValue = { code: 'ENVIRONMENT_NOT_FOUND', message: 'This environment was removed.', next: 'Choose another one.' };
const MISSING: ErrorValue = { code: 'TOKEN_MISSING', message: 'No token is stored for this environment.', next: 'Enter one on the options page.' };
const UNREADABLE: ErrorValue = { code: 'TOKEN_UNREADABLE', message: 'The stored token cannot be decrypted any more.', next: 'Enter it again on the options page.' };
const BOTH = ['environments', 'tokens'] as const;

/** `patience` in milliseconds: how long another connection may hold up what needs the database alone. */
export function createVault(name: string = VAULT_NAME, patience: number = PATIENCE): Vault {
  let opened: Promise<VaultDatabase> | null = null;

  /** Runs `work` on an open database; once more when the browser had closed the connection meanwhile. */
  async function use<T>(work: (db: VaultDatabase) => Promise<T>, again = true): Promise<T> {
    opened ??= openVaultDatabase(name, patience, () => (opened = null));
    const mine = opened;
    try {
      return await work(await mine);
    } catch (error) {
      const closed = error instanceof Error && error.name === 'InvalidStateError';
      if (opened === mine && (closed || error instanceof CodedError && error.code.startsWith('VAULT_'))) opened = null;
      if (closed && again) return use(work, false);
      throw asVaultError(error);
    }
  }

  return {
    list: () => use(async (db) => {
      const [stored, tokens] = await transact(db, BOTH, 'readonly', (transaction) =>
        Promise.all([transaction.objectStore('environments').getAll(), transaction.objectStore('tokens').getAll()]));
      const good = stored.flatMap((record) => {
        const parsed = v.safeParse(EnvironmentRecord, record);
        return parsed.success ? [parsed.output] : [];
      });
      if (good.length < stored.length) await setAside(db);
      const byEnvironment = new Map(tokens.map((token) => [token.environmentId, token]));
      return Promise.all(good.sort((a, b) => a.createdAt - b.createdAt).map((record) => present(db, record, byEnvironment.get(record.id))));
    }),

    save(draft) {
      // Before `use`, which may do it all again: the same environment then, and not a second one.
      const id = draft.id ?? crypto.randomUUID();
      return use(async (db) => {
        // Sealed before the transaction: one that waits for anything but the database commits by itself.
        const sealed = draft.token === undefined ? null : await sealToken(await tokenKey(db), draft.token, id, draft.baseUrl);
        return present(db, ...(await transact(db, BOTH, 'readwrite', async (transaction) => {
          const environments = transaction.objectStore('environments');
          const tokens = transaction.objectStore('tokens');
          const before = await environments.get(id);
          if (draft.id !== undefined && !before) throw new CodedError(NOT_FOUND);
          const createdAt = (before as Partial<EnvironmentRecord> | undefined)?.createdAt ?? later(await environments.getAll());
          const record: EnvironmentRecord = { id, name: draft.name, preset: draft.preset, baseUrl: draft.baseUrl, namespace: draft.namespace, production: draft.production, createdAt };
          const held = sealed ?? ((await tokens.get(id)) as Partial<TokenRecord> | undefined);
          const keeps = held?.baseUrl === draft.baseUrl;
          await environments.put(record);
          if (sealed) await tokens.put(sealed);
          else if (!keeps) await tokens.delete(id);
          return [record, keeps ? held : undefined] as const;
        })));
      });
    },

    remove: (id) => use((db) => transact(db, BOTH, 'readwrite', async (transaction) => {
      await transaction.objectStore('environments').delete(id);
      await transaction.objectStore('tokens').delete(id);
    })),

    connection: (id) => use(async (db) => {
      const [environment, token] = await transact(db, BOTH, 'readonly', (transaction) =>
        Promise.all([transaction.objectStore('environments').get(id), transaction.objectStore('tokens').get(id)]));
      const record = v.safeParse(EnvironmentRecord, environment);
      if (!record.success) throw new CodedError(NOT_FOUND);
      const { baseUrl } = record.output;
      const read = await readToken(db, record.output, token);
      if (typeof read === 'string') return { baseUrl, token: read };
      throw new CodedError(read ?? MISSING);
    }),

    state: () => use(async (db) => ({ aside: await db.count('aside') })),

    async erase() {
      await opened?.then((db) => db.close(), () => {});
      opened = null;
      const deleted = await deleteDatabase(name, patience).catch((error: unknown) => {
        throw asVaultError(error);
      });
      if (!deleted) throw vaultError('VAULT_BLOCKED');
    },
  };
}

async function present(db: VaultDatabase, record: EnvironmentRecord, token: unknown): Promise<Environment> {
  const { createdAt: _, ...environment } = record;
  const read = await readToken(db, record, token);
  if (typeof read === 'string') return { ...environment, maskedToken: maskToken(read) };
  return { ...environment, maskedToken: null, ...(read ? { problem: read } : {}) };
}

/** Now, but after every other: several can be added within one millisecond, as by an import. */
function later(others: readonly Partial<EnvironmentRecord>[]): number {
  return Math.max(Date.now(), ...others.map(({ createdAt }) => (Number.isSafeInteger(createdAt) ? createdAt! + 1 : 0)));
}

/** The token, or null when there is none for this base URL, or why it cannot be read. */
async function readToken(db: VaultDatabase, { id, baseUrl }: EnvironmentRecord, token: unknown): Promise<string | null | ErrorValue> {
  if (token === undefined) return null;
  const record = v.safeParse(TokenRecord, token);
  if (!record.success) return UNREADABLE;
  if (record.output.environmentId !== id || record.output.baseUrl !== baseUrl) return null;
  const key = await db.get('keys', 'tokens');
  return key ? openToken(key, record.output).catch(() => UNREADABLE) : UNREADABLE;
}

/** Moves environments that cannot be read out of the way, whole; their tokens stay where they are. */
function setAside(db: VaultDatabase): Promise<void> {
  return transact(db, ['environments', 'aside'], 'readwrite', async (transaction) => {
    const environments = transaction.objectStore('environments');
    for (const key of await environments.getAllKeys()) {
      const record = await environments.get(key);
      if (v.is(EnvironmentRecord, record)) continue;
      await transaction.objectStore('aside').add({ store: 'environments', record, at: Date.now() });
      await environments.delete(key);
    }
  });
}
