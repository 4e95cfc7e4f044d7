import { type AppPage, CodedError, appPageUrl, compileUrl } from '../../platform-api/index.ts';
import type { Handlers } from '../messaging/receive.ts';
import type { Refusals } from '../messaging/refusals.ts';
import type { CallOptions, Connection } from '../../rest/index.ts';
import {
  createAction,
  createLog,
  listActions,
  listApps,
  listDataSources,
  listFunctions,
  listLogs,
  moveClock,
  publishAction,
  readClock,
  removeAction,
  runAction,
  runWithResult,
  updateAction,
} from '../../rest/index.ts';
import type { Vault } from '../vault/index.ts';
import type { Permissions } from './host-access.ts';
import { dropAccess, needAccess } from './host-access.ts';
import type { PlatformPage, PlatformPages } from './platform-page.ts';
import type { ActionButton } from './publish-badge.ts';
import { showBadge } from './publish-badge.ts';
import type { PublishNotifier } from './publish-notifications.ts';
import type { PublishStore } from './publish-store.ts';
import { Publisher } from './publish.ts';
import { SessionPages } from './session-pages.ts';
import { Coalescer } from './coalesce.ts';
import type { EnvironmentDraft } from '../messaging/model/environment.ts';

export interface HandlerParts {
  vault: Vault;
  permissions: Permissions;
  pages: PlatformPages;
  publishes: PublishStore;
  button: ActionButton;
  notifier: Pick<PublishNotifier, 'update'>;
  refusals: Pick<Refusals, 'read'>;
  /** Erases everything that is stored besides the vault. */
  eraseRest(): Promise<void>;
}

export function createHandlers({
  vault,
  permissions,
  pages,
  publishes,
  button,
  notifier,
  refusals,
  eraseRest,
}: HandlerParts): Omit<Handlers, `worker.${string}`> {
  const coalescer = new Coalescer();

  /** The stored connection of an environment that the browser allows requests to. */
  async function connect(environmentId: string): Promise<Connection> {
    const connection = await vault.connection(environmentId);
    await needAccess(permissions, connection.baseUrl);
    return connection;
  }

  /** Joins concurrent callers. Each one reads the vault itself, so none gets a response from before the vault was locked. */
  async function coalesced<T>(
    environmentId: string,
    key: readonly unknown[],
    caller: AbortSignal | undefined,
    work: (connection: Connection, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    let own: Promise<Connection> | undefined;
    const shared = coalescer.join(
      [...key, environmentId],
      async (signal) => work(await (own = connect(environmentId)), { signal }),
      caller,
    );
    shared.catch(() => {});
    await (own ?? connect(environmentId));
    return shared;
  }

  const sessions = new SessionPages(coalescer);

  const publisher = new Publisher({
    store: publishes,
    connect,
    sessions,
    onRequest: () => coalescer.clear(),
    onChange: async (records) => {
      await showBadge(button, records);
      await notifier.update(records);
    },
  });

  /** Changes something on the platform. Later callers don’t join requests from before. */
  const change = async <T>(environmentId: string, work: (connection: Connection) => Promise<T>): Promise<T> =>
    work(await connect(environmentId)).finally(() => coalescer.clear());

  /** A draft’s token, or the stored one if it was entered for the same base URL. */
  async function tokenOf({ id, baseUrl, token }: EnvironmentDraft): Promise<string> {
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

  return {
    'environments.list': () => vault.list(),
    'environments.save': async (draft) => {
      const before = await vault.list();
      const saved = await vault.save(draft);
      coalescer.clear();
      await dropAccess(permissions, before, await vault.list());
      return saved;
    },
    'environments.remove': async ({ id }) => {
      const before = await vault.list();
      await vault.remove(id);
      coalescer.clear();
      await dropAccess(permissions, before, await vault.list());
      // Publishes of a removed environment aren’t shown, so a failure here has no effect.
      await publisher.forget(id).catch(() => {});
      return null;
    },
    'access.release': async (unused) => {
      await dropAccess(permissions, [unused], await vault.list());
      return null;
    },
    'environments.test': async (takes) => {
      const connection =
        'id' in takes
          ? await vault.connection(takes.id)
          : { baseUrl: takes.draft.baseUrl, token: await tokenOf(takes.draft) };
      await needAccess(permissions, connection.baseUrl);
      const started = performance.now();
      const apps = await listApps(connection);
      return { apps: apps.length, milliseconds: Math.round(performance.now() - started) };
    },
    'apps.list': ({ environmentId }, signal) => coalesced(environmentId, ['apps'], signal, listApps),
    'actions.list': ({ environmentId, ...args }, signal) =>
      coalesced(environmentId, ['actions', args], signal, (connection, options) =>
        listActions(connection, args, options),
      ),
    'sessions.list': async ({ environmentId, ...piece }, signal) => {
      const connection = await connect(environmentId);
      signal?.throwIfAborted();
      return sessions.list(connection, piece, { signal });
    },
    'functions.list': ({ environmentId }, signal) => coalesced(environmentId, ['functions'], signal, listFunctions),
    'dataSources.list': ({ environmentId, appId }, signal) =>
      coalesced(environmentId, ['dataSources', appId], signal, (connection, options) =>
        listDataSources(connection, { appId }, options),
      ),
    'actions.create': ({ environmentId, ...args }) =>
      change(environmentId, (connection) => createAction(connection, args)),
    'actions.update': ({ environmentId, ...args }) =>
      change(environmentId, (connection) => updateAction(connection, args)),
    'actions.remove': ({ environmentId, ...args }) =>
      change(environmentId, (connection) => removeAction(connection, args)),
    'actions.publish': ({ environmentId, ...args }) =>
      change(environmentId, (connection) => publishAction(connection, args)),
    'actions.run': ({ environmentId, ...args }) => change(environmentId, (connection) => runAction(connection, args)),
    'actions.runWithResult': ({ environmentId, ...args }) =>
      change(environmentId, async (connection) => {
        const started = performance.now();
        const result = await runWithResult(connection, args);
        return { result, milliseconds: Math.round(performance.now() - started) };
      }),
    'logs.list': ({ environmentId, ...args }, signal) =>
      coalesced(environmentId, ['logs', args], signal, (connection, options) => listLogs(connection, args, options)),
    'logs.create': ({ environmentId, ...args }) => change(environmentId, (connection) => createLog(connection, args)),
    'clock.get': ({ environmentId }, signal) => coalesced(environmentId, ['clock'], signal, readClock),
    'clock.move': ({ environmentId, ...args }) => change(environmentId, (connection) => moveClock(connection, args)),
    'debugPage.open': async ({ environmentId, leaveFirst, ...task }, signal) => ({
      url: await pages.open(await connect(environmentId), { ...debugPage(task), leaveFirst }, signal),
    }),
    'debugPage.allowReload': async ({ environmentId, ...task }) => ({
      url: await pages.allowReload(await connect(environmentId), debugPage(task)),
    }),
    'pages.open': async ({ environmentId, ...page }, signal) => ({
      url: await pages.open(await connect(environmentId), appPage(page), signal),
    }),
    'pages.allowReload': async ({ environmentId, ...page }) => ({
      url: await pages.allowReload(await connect(environmentId), appPage(page)),
    }),
    'publish.preview': (takes, signal) =>
      coalesced(takes.environmentId, ['preview', takes], signal, (_connection, options) =>
        publisher.preview(takes, options.signal),
      ),
    'publish.start': (order) => publisher.start(order),
    'publish.list': () => publisher.list(),
    'publish.settle': ({ id }) => publisher.settle(id),
    'publish.discard': ({ id }) => publisher.discard(id),
    'publish.seen': async ({ ids }) => {
      await publisher.markSeen(ids);
      return null;
    },
    'environments.export': async ({ passphrase }) => ({ text: await vault.exportText(passphrase) }),
    'environments.import': ({ text, passphrase }) => vault.importText(text, passphrase),
    'vault.state': () => vault.state(),
    'vault.unlock': ({ passphrase }) => vault.unlock(passphrase),
    'vault.lock': () => vault.lock(),
    'vault.active': async () => {
      await vault.active();
      return null;
    },
    'vault.protect': ({ passphrase, idleMinutes }) => vault.protect(passphrase, idleMinutes),
    'vault.changePassphrase': ({ current, passphrase }) => vault.changePassphrase(current, passphrase),
    'vault.setIdle': ({ idleMinutes }) => vault.setIdle(idleMinutes),
    'vault.unprotect': ({ passphrase }) => vault.unprotect(passphrase),
    'vault.reset': () => vault.reset(),
    'messages.refused': () => refusals.read(),
    'data.erase': async () => {
      // A vault that can’t be read is erased too. Its host permissions then stay.
      const before = await vault.list().catch(() => []);
      await vault.erase();
      coalescer.clear();
      await dropAccess(permissions, before, []);
      await eraseRest();
      await showBadge(button, []);
      return null;
    },
  };
}

const appPage = ({
  tabId,
  appId,
  page,
  screen,
}: {
  tabId: number;
  appId: number;
  page: AppPage;
  screen?: number | undefined;
}): PlatformPage => ({ tabId, path: appPageUrl('', appId, page, screen), title: `${page} page` });
const debugPage = ({ tabId, appId, taskId }: { tabId: number; appId: number; taskId: number }): PlatformPage => ({
  tabId,
  path: compileUrl('', appId, taskId),
  title: 'debug page',
});
