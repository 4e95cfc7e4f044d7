/** Owns what the worker does for each message. Tokens come from the vault, go to the platform, and nowhere else. */
import type { EnvironmentDraft } from '../../lib/contract/index.ts';
import { CodedError } from '../../lib/contract/index.ts';
import type { Handlers } from '../../lib/messaging/receive.ts';
import type { Connection } from '../../lib/rest/index.ts';
import { listActions, listApps } from '../../lib/rest/index.ts';
import type { Vault } from '../../lib/vault/index.ts';
import type { DebugPages } from './debug-page.ts';
import type { Permissions } from './host-access.ts';
import { dropAccess, needAccess } from './host-access.ts';
import { createShare } from './share.ts';

export interface HandlerParts {
  vault: Vault;
  permissions: Permissions;
  debugPages: DebugPages;
  /** Deletes all that the extension stores beside the vault. */
  eraseRest(): Promise<void>;
}

export function createHandlers({ vault, permissions, debugPages, eraseRest }: HandlerParts): Handlers {
  const share = createShare();

  /** The stored connection of an environment that may be asked. */
  async function connect(environmentId: string): Promise<Connection> {
    const connection = await vault.connection(environmentId);
    await needAccess(permissions, connection.baseUrl);
    return connection;
  }

  /** A draft's own token, or the stored one when it was entered for the same base URL. */
  async function tokenOf({ id, baseUrl, token }: EnvironmentDraft): Promise<string> {
    if (token !== undefined) return token;
    const stored = id === undefined ? null : await vault.connection(id);
    if (stored?.baseUrl === baseUrl) return stored.token;
    throw new CodedError({
      code: 'TOKEN_MISSING',
      message: stored ? `The stored token belongs to ${stored.baseUrl}, and goes to no other address.` : 'There is no token to test with.',
      next: 'Enter the token of this address.',
    });
  }

  return {
    'environments.list': () => vault.list(),
    'environments.save': async (draft) => {
      const before = await vault.list();
      const saved = await vault.save(draft);
      share.forget();
      await dropAccess(permissions, before, await vault.list());
      return saved;
    },
    'environments.remove': async ({ id }) => {
      const before = await vault.list();
      await vault.remove(id);
      share.forget();
      await dropAccess(permissions, before, await vault.list());
      return null;
    },
    'access.release': async (unused) => {
      await dropAccess(permissions, [unused], await vault.list());
      return null;
    },
    'environments.test': async (takes) => {
      const connection = 'id' in takes ? await vault.connection(takes.id) : { baseUrl: takes.draft.baseUrl, token: await tokenOf(takes.draft) };
      await needAccess(permissions, connection.baseUrl);
      const started = performance.now();
      const apps = await listApps(connection);
      return { apps: apps.length, milliseconds: Math.round(performance.now() - started) };
    },
    'apps.list': ({ environmentId }) => share.join(['apps', environmentId], async () => listApps(await connect(environmentId))),
    'actions.list': ({ environmentId, appId }) => share.join(['actions', environmentId, appId], async () => listActions(await connect(environmentId), { appId })),
    'debugPage.open': async ({ environmentId, ...page }) => ({ url: await debugPages.open(await connect(environmentId), page) }),
    'debugPage.allowReload': async ({ environmentId, ...page }) => ({ url: await debugPages.allowReload(await connect(environmentId), page) }),
    'vault.state': () => vault.state(),
    'data.erase': async () => {
      // A vault that cannot be read is erased all the same; its access then stays until an environment of that origin goes.
      const before = await vault.list().catch(() => []);
      await vault.erase();
      share.forget();
      await dropAccess(permissions, before, []);
      await eraseRest();
      return null;
    },
  };
}
