/** Assembles the message handlers. */
import type { MainHandlers, HandlersOf } from '../messaging/receive.ts';
import type { Refusals } from '../messaging/refusals.ts';
import { KnownSecrets } from '../../shared/secrets/known-secrets.ts';
import type { Vault } from '../vault/index.ts';
import type { ChangeSender } from './changes/change-sender.ts';
import type { EndpointGates } from './handlers/endpoint-gates.ts';
import { Connections } from './handlers/connections.ts';
import { environmentHandlers } from './handlers/environments.ts';
import { guardHandlers, type ProductionUnlocks } from './handlers/production-unlocks.ts';
import { pageHandlers } from './handlers/pages.ts';
import { actionV3Handlers } from './handlers/actions-v3.ts';
import { actionHandlers, platformHandlers } from './handlers/platform.ts';
import { dropAccess, type Permissions } from './handlers/host-access.ts';
import type { PageOpener } from './pages/platform-page.ts';
import { type ActionButton, showBadge } from './publish-badge.ts';
import type { PublishNotifier } from './publish-notifications.ts';
import type { PublishStore } from './publish-store.ts';
import { Publisher } from './publish.ts';
import { SessionPages } from './session-pages.ts';

export interface HandlerParts {
  vault: Vault;
  permissions: Permissions;
  /** Default: changes are sent with `fetch`. */
  changes?: ChangeSender;
  gates: EndpointGates;
  unlocks: ProductionUnlocks;
  pages: PageOpener;
  publishes: PublishStore;
  button: ActionButton;
  notifier: Pick<PublishNotifier, 'update'>;
  refusals: Pick<Refusals, 'read'>;
  /** Erases all stored data except the vault. */
  eraseRest(): Promise<void>;
}

export function createHandlers(parts: HandlerParts): MainHandlers {
  const { vault, permissions, changes, gates, unlocks, pages, publishes, button, notifier, refusals, eraseRest } =
    parts;
  const connections = new Connections(vault, permissions, gates, changes);
  const sessions = new SessionPages(connections.coalescer);
  const publisher = new Publisher({
    store: publishes,
    connect: (environmentId) => connections.connect(environmentId),
    sessions,
    onRequest: () => connections.coalescer.clear(),
    onChange: async (records) => {
      await showBadge(button, records);
      await notifier.update(records);
    },
  });

  return {
    ...environmentHandlers(vault, permissions, connections, publisher, gates, unlocks),
    ...guardHandlers(vault, unlocks),
    ...platformHandlers(connections, sessions),
    ...actionHandlers(connections),
    ...actionV3Handlers(connections),
    ...pageHandlers(pages, connections),
    ...publishHandlers(connections, publisher),
    ...vaultHandlers(vault),
    'secrets.mask': async ({ texts }) => ({ masked: maskKnown(texts, await vault.tokens()) }),
    'messages.refused': () => refusals.read(),
    'data.erase': async () => {
      // Erase the vault even if it can’t be read. Its host permissions are then left in place.
      const before = await vault.list().catch(() => []);
      await vault.erase();
      connections.coalescer.clear();
      await dropAccess(permissions, before, []);
      await gates.keepOnly([]).catch(() => {});
      await eraseRest();
      await showBadge(button, []);
      return null;
    },
  };
}

function publishHandlers(connections: Connections, publisher: Publisher): HandlersOf<'publish'> {
  return {
    'publish.preview': (takes, signal) =>
      connections.read(takes.environmentId, ['preview', takes], signal, (_connection, options) =>
        publisher.preview(takes, options.signal),
      ),
    'publish.start': (order) => publisher.start(order),
    'publish.list': () => publisher.list(),
    'publish.settle': ({ id }) => publisher.settle(id),
    'publish.cancel': ({ id }) => publisher.cancel(id),
    'publish.discard': ({ id }) => publisher.discard(id),
    'publish.seen': async ({ ids }) => {
      await publisher.markSeen(ids);
      return null;
    },
  };
}

/** Those of the texts that have a secret. */
function maskKnown(texts: readonly string[], secrets: readonly string[]): [index: number, text: string][] {
  const known = new KnownSecrets(secrets);
  return texts.flatMap((text, index) => {
    const masked = known.mask(text);
    return masked === text ? [] : [[index, masked] as [number, string]];
  });
}

function vaultHandlers(vault: Vault): HandlersOf<'vault'> {
  return {
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
  };
}
