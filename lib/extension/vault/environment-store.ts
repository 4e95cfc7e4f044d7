/** Writes environments and their encrypted tokens, with one transaction per change. */
import * as v from 'valibot';
import { CodedError, type ErrorValue } from '../../platform-api/index.ts';
import type { EnvironmentDraft } from '../messaging/model/environment.ts';
import type { ImportOutcome } from '../messaging/model/lock.ts';
import { readKeys } from './keys.ts';
import { EnvironmentRecord, type TokenRecord } from './records.ts';
import type { VaultStore } from './store.ts';

const ALL = ['environments', 'tokens', 'keys'] as const;

export const NOT_FOUND = {
  code: 'ENVIRONMENT_NOT_FOUND',
  message: 'Couldn’t find the environment: it was removed, or its record is damaged.',
  hint: 'Choose another environment, or check the options page.',
};

/** Quarantines environments that can’t be read. Their tokens aren’t removed. */
export function quarantineDamaged(store: VaultStore): Promise<void> {
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

/**
 * Null if the token was encrypted with a key that has since been replaced.
 * @param locked why the stored token must not be deleted; null if it may be
 */
export function writeEnvironment(
  store: VaultStore,
  draft: EnvironmentDraft,
  id: string,
  encrypted: { keyId: string; record: TokenRecord } | null,
  locked: ErrorValue | null,
): Promise<EnvironmentRecord | null> {
  return store.transact(ALL, 'readwrite', async (transaction) => {
    if (encrypted && (await readKeys(transaction.objectStore('keys'))).id !== encrypted.keyId) return null;
    const environments = transaction.objectStore('environments');
    const tokens = transaction.objectStore('tokens');
    const before: Partial<EnvironmentRecord> | undefined = await environments.get(id);
    if (draft.id !== undefined && !before) throw new CodedError(NOT_FOUND);
    const createdAt =
      typeof before?.createdAt === 'number' ? before.createdAt : nextCreatedAt(await environments.getAll());
    const record = recordOf(draft, id, createdAt);
    const token = (await tokens.get(id)) as Partial<TokenRecord> | undefined;
    const isLeftBehind = !encrypted && token !== undefined && token.baseUrl !== draft.baseUrl;
    if (isLeftBehind && locked) throw new CodedError(locked);
    await environments.put(record);
    if (encrypted) await tokens.put(encrypted.record);
    else if (isLeftBehind) await tokens.delete(id);
    return record;
  });
}

/** Null if the tokens were encrypted with a key that has since been replaced. */
export function addEnvironments(
  store: VaultStore,
  entries: readonly { record: EnvironmentRecord; token: TokenRecord | null }[],
  keyId: string | null,
): Promise<ImportOutcome | null> {
  return store.transact(ALL, 'readwrite', async (transaction) => {
    if (keyId !== null && (await readKeys(transaction.objectStore('keys'))).id !== keyId) return null;
    const environments = transaction.objectStore('environments');
    const before: readonly Partial<EnvironmentRecord>[] = await environments.getAll();
    const present = new Set(before.filter((record) => v.is(EnvironmentRecord, record)).map(identity));
    const first = nextCreatedAt(before);
    const outcome = { added: 0, present: 0, tokens: 0 };
    for (const { record, token } of entries) {
      if (present.has(identity(record))) {
        outcome.present++;
        continue;
      }
      present.add(identity(record));
      const added: EnvironmentRecord = { ...record, createdAt: first + outcome.added++ };
      await environments.put(added);
      if (!token) continue;
      await transaction.objectStore('tokens').put(token);
      outcome.tokens++;
    }
    return outcome;
  });
}

export const recordOf = (
  { name, preset, baseUrl, namespace, production, pageUrls }: Omit<EnvironmentDraft, 'id' | 'token'>,
  id: string,
  createdAt: number,
): EnvironmentRecord => ({
  id,
  name,
  preset,
  baseUrl,
  namespace,
  production,
  ...(pageUrls?.length && { pageUrls }),
  createdAt,
});

/** Environments with the same identity are imported only once. */
export const identity = ({ name, baseUrl }: Pick<EnvironmentRecord, 'name' | 'baseUrl'>): string =>
  JSON.stringify([name, baseUrl]);

/**
 * The current time, or a millisecond after the latest of `others`. An import adds several environments within a
 * millisecond.
 */
function nextCreatedAt(others: readonly Partial<EnvironmentRecord>[]): number {
  return Math.max(Date.now(), ...others.map(({ createdAt }) => (Number.isSafeInteger(createdAt) ? createdAt! + 1 : 0)));
}
