/** Fixtures for tests of the lock: session storage that outlives workers, and vaults with a fast key derivation. */
import { IDBFactory } from 'fake-indexeddb';
import { openDB } from 'idb';
import { afterEach, beforeEach, vi } from 'vitest';
import { CodedError, toErrorValue } from '../../../../lib/platform-api/index.ts';
import type { SessionKey, SessionKeys } from '../../../../lib/extension/vault/index.ts';
import { VAULT_NAME, Vault } from '../../../../lib/extension/vault/index.ts';
import type { EnvironmentDraft } from '../../../../lib/extension/messaging/model/environment.ts';

export const PASSPHRASE = 'correct horse battery staple';
export const OTHER = 'another passphrase, as long';
export const TOKEN = 'eu-token-0123456789-abcd';
/** The minimum number; a separate test uses the real one. */
export const FEW = 1000;

export const draft: EnvironmentDraft = {
  name: 'EU',
  preset: 'eu',
  baseUrl: 'https://api.example.com',
  namespace: 'Platform',
  production: true,
  token: TOKEN,
};
export const { token: _, ...without } = draft;

/** The browser's session storage: JSON in, JSON out. */
export interface TestSession extends SessionKeys {
  text: string | null;
  until: number | null;
  key(): SessionKey | null;
}

export function createSession(): TestSession {
  const session: TestSession = {
    text: null,
    until: null,
    key: () => JSON.parse(session.text ?? 'null') as SessionKey | null,
    get: () => Promise.resolve(session.key() ?? undefined),
    set(key, until) {
      session.text = JSON.stringify(key);
      session.until = until;
      return Promise.resolve();
    },
    clear() {
      session.text = null;
      session.until = null;
      return Promise.resolve();
    },
  };
  return session;
}

/** A worker. Another one on the same session simulates a restart by the browser. */
export const startWorker = (session: SessionKeys, iterations = FEW): Vault => new Vault({ session, iterations });

export const MINUTE = 60_000;
export const NOW = Date.parse('2026-03-01T10:00:00Z');

/** Sets up each test: an empty database, an empty session, and a clock that stays at `NOW` until the test moves it. */
export function lockWorld() {
  const session = createSession();
  const clock = { now: NOW };
  beforeEach(async () => {
    globalThis.indexedDB = new IDBFactory();
    await session.clear();
    clock.now = NOW;
    vi.spyOn(Date, 'now').mockImplementation(() => clock.now);
  });
  afterEach(() => vi.restoreAllMocks());

  /** A worker with one environment. */
  async function openVault() {
    const vault = startWorker(session);
    const { id } = await vault.save(draft);
    return { vault, id };
  }
  /** A vault with a passphrase, unlocked. */
  async function protectedVault() {
    const opened = await openVault();
    await opened.vault.protect(PASSPHRASE, 15);
    return opened;
  }
  async function lockedVault() {
    const opened = await protectedVault();
    await opened.vault.lock();
    return opened;
  }
  return { session, clock, openVault, protectedVault, lockedVault };
}

export const code = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof CodedError ? error.code : error),
  );
export const failure = (work: Promise<unknown>) => work.then(() => null, toErrorValue);

/** Everything that is on disk, as text. */
export async function disk(): Promise<string> {
  const db = await openDB(VAULT_NAME);
  const all = await Promise.all(
    [...db.objectStoreNames].map(async (store) => [store, await db.getAllKeys(store), await db.getAll(store)]),
  );
  db.close();
  return JSON.stringify(all, (_key, value: unknown) =>
    value instanceof ArrayBuffer
      ? Buffer.from(value).toString('latin1')
      : ArrayBuffer.isView(value)
        ? Buffer.from(value.buffer).toString('latin1')
        : value,
  );
}

export async function change<T>(work: (db: Awaited<ReturnType<typeof openDB>>) => Promise<T>): Promise<T> {
  const db = await openDB(VAULT_NAME);
  try {
    return await work(db);
  } finally {
    db.close();
  }
}

/** The stored lock. */
export const lockRecord = () =>
  change(async (db) => (await db.get('keys', 'lock')) as Record<string, unknown> | undefined);
export const changeLock = (part: Record<string, unknown>) =>
  change(async (db) => db.put('keys', { ...((await db.get('keys', 'lock')) as object), ...part }, 'lock'));
