/** Handles messages that save, remove, test, export, and import environments. */
import { CodedError } from '../../../platform-api/index.ts';
import type { Environment, EnvironmentDraft, StoredEnvironment } from '../../messaging/model/environment.ts';
import type { HandlersOf } from '../../messaging/receive.ts';
import type { Vault } from '../../vault/index.ts';
import { testConnection } from './connection-test.ts';
import type { Connections } from './connections.ts';
import { dropAccess, type Permissions } from './host-access.ts';
import type { EndpointGates } from './endpoint-gates.ts';
import { findLocalPlatform } from './local-platform.ts';
import type { ProductionUnlocks } from './production-unlocks.ts';
import type { Publisher } from '../publish.ts';

export function environmentHandlers(
  vault: Vault,
  permissions: Permissions,
  connections: Connections,
  publisher: Publisher,
  gates: EndpointGates,
  unlocks: Pick<ProductionUnlocks, 'lock'>,
): HandlersOf<'environments' | 'access' | 'localPlatform'> {
  /** Changes the environments, then drops host permissions that no environment needs anymore. */
  async function change<T>(work: () => Promise<T>): Promise<T> {
    const before = await vault.list();
    const result = await work();
    connections.coalescer.clear();
    // The change is stored by now, and what’s left over has no effect.
    const after = vault.list();
    await after.then((all) => dropAccess(permissions, before, all)).catch(() => {});
    await after.then((all) => connections.replace(all)).catch(() => {});
    await after.then((all) => gates.keepOnly(all.map(({ baseUrl }) => baseUrl))).catch(() => {});
    return result;
  }

  const withEndpoints = async (environment: StoredEnvironment): Promise<Environment> => ({
    ...environment,
    endpoints: await gates.known(environment.baseUrl),
  });

  return {
    'environments.list': async () => Promise.all((await vault.list()).map(withEndpoints)),
    'environments.save': async (draft) => {
      // It might no longer be the platform that was unlocked, also by a panel during the save.
      if (draft.id !== undefined) await unlocks.lock(draft.id);
      const saved = await change(() => vault.save(draft));
      await unlocks.lock(saved.id).catch(() => {});
      return withEndpoints(saved);
    },
    'environments.remove': async ({ id }) => {
      await change(() => vault.remove(id));
      await unlocks.lock(id).catch(() => {});
      const isHistoryRemoved = await publisher.forget(id).then(
        () => true,
        () => false,
      );
      return { isHistoryRemoved };
    },
    'environments.test': async (takes) => {
      const connection =
        'id' in takes
          ? await vault.connection(takes.id)
          : { baseUrl: takes.draft.baseUrl, token: await tokenOf(vault, takes.draft) };
      await connections.prepare(connection.baseUrl);
      await gates.forget(connection.baseUrl);
      return testConnection(connection);
    },
    'environments.export': async ({ passphrase }) => ({ text: await vault.exportText(passphrase) }),
    'environments.readFile': ({ text }) => vault.readFile(text),
    'environments.import': ({ text, passphrase }) => change(() => vault.importText(text, passphrase)),
    'access.release': async (unused) => {
      const environments = await vault.list();
      await dropAccess(permissions, [unused], environments);
      await connections.replace(environments);
      return null;
    },
    'localPlatform.find': ({ port }) => findLocalPlatform(permissions, port),
  };
}

/** The draft’s token, or the stored token if it was entered for the same base URL. */
async function tokenOf(vault: Vault, { id, baseUrl, token }: EnvironmentDraft): Promise<string> {
  if (token !== undefined) return token;
  const stored = id === undefined ? null : await vault.connection(id);
  if (stored?.baseUrl === baseUrl) return stored.token;
  throw new CodedError({
    code: 'TOKEN_MISSING',
    message: stored
      ? `Couldn’t test the connection: the stored token belongs to ${stored.baseUrl}.`
      : 'Couldn’t test the connection: no token is stored.',
    hint: 'Enter the token for this base URL.',
  });
}
