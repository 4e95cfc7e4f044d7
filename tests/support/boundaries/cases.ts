/** What the tests of boundaries need to know about each message. */
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { KnownRelease } from '../../../lib/extension/messaging/model/publishing.ts';
import type { MessageName, Surface, Takes } from '../../../lib/extension/messaging/protocol.ts';
import {
  PASSPHRASE,
  actions,
  actionsV3,
  allowLocalHosts,
  api,
  ask,
  draftV3,
  environments,
  ids,
  input,
  isThere,
  logsWith,
  makeAction,
  makeActionV3,
  ofAction,
  ofApp,
  protectedVault,
  published,
  publishes,
  settled,
  start,
  unprotected,
  vaultIs,
  type Round,
} from './world.ts';

/** What the tests need to know about a message besides its rule. */
export interface Boundary<N extends MessageName> {
  from: Surface;
  /** Prepares the round with messages whose worker isn’t killed. */
  takes(round: Round): Takes<N> | Promise<Takes<N>>;
  /** The platform request that the message causes. */
  requestPattern?: RegExp;
  /** How often a change has happened: once after a response, otherwise at most once. */
  done?(round: Round): Promise<number>;
  /** The code that it is refused with in these tests. */
  refused?: string;
}

const debugPage = ({ environmentId, tabId }: Round) => ({ environmentId, tabId, appId: ids.app, taskId: ids.action });
const appPage = ({ environmentId, tabId }: Round) => ({
  environmentId,
  tabId,
  appId: ids.app,
  page: 'preview' as const,
});

/** One for each message, in the order of the rounds: those that change the vault's lock come last. */
export const BOUNDARIES: { readonly [N in MessageName]: Boundary<N> } = {
  'worker.ping': { from: 'panel', takes: () => ({ id: 'another message' }) },
  'worker.cancel': { from: 'panel', takes: () => ({ id: 'another message' }) },
  'messages.refused': { from: 'options', takes: () => undefined },
  'environments.list': { from: 'panel', takes: () => undefined },
  'environments.save': { from: 'options', takes: ({ mark }) => input(mark), done: ({ mark }) => isThere(mark) },
  'environments.remove': {
    from: 'options',
    takes: async ({ mark }) => ({ id: (await ask<Environment>('options', 'environments.save', input(mark))).id }),
    done: async ({ mark }) => 1 - (await isThere(mark)),
  },
  'localPlatform.find': {
    from: 'options',
    takes: async () => (await allowLocalHosts(), { port: 1 }),
    refused: 'LOCAL_PLATFORM_NOT_FOUND',
  },
  'access.release': { from: 'options', takes: () => ({ baseUrl: 'http://localhost:1' }) },
  'environments.test': {
    from: 'options',
    takes: ({ environmentId }) => ({ id: environmentId }),
    requestPattern: /^GET \/v1\/apps$/,
  },
  'environments.export': { from: 'options', takes: () => ({}) },
  'environments.readFile': {
    from: 'options',
    takes: () => ({ text: JSON.stringify({ format: 'platform-devtools-environments', version: 1, environments: [] }) }),
  },
  'environments.import': {
    from: 'options',
    takes: ({ mark }) => ({
      text: JSON.stringify({ format: 'platform-devtools-environments', version: 1, environments: [input(mark)] }),
    }),
    done: ({ mark }) => isThere(mark),
  },
  'apps.list': { from: 'popup', takes: ({ environmentId }) => ({ environmentId }), requestPattern: /^GET \/v1\/apps$/ },
  'sessions.list': {
    from: 'app',
    takes: (round) => ({ ...ofApp(round), limit: 10, offset: 0 }),
    requestPattern: /\/sessions\?/,
  },
  'functions.list': {
    from: 'panel',
    takes: ({ environmentId }) => ({ environmentId }),
    requestPattern: /\/functions$/,
  },
  'dataSources.list': { from: 'panel', takes: ofApp, requestPattern: /\/data-?sources/i },
  'actions.list': { from: 'panel', takes: ofApp, requestPattern: /\/actions$/ },
  'actions.create': {
    from: 'panel',
    takes: (round) => ({ ...ofApp(round), action: { name: round.mark, functions: [] } }),
    requestPattern: /^POST .*\/actions$/,
    done: async ({ mark }) => (await actions()).filter(({ name }) => name === mark).length,
  },
  'actions.update': {
    from: 'panel',
    takes: async (round) => ({
      ...ofApp(round),
      actionId: await makeAction(round.mark),
      change: { name: `${round.mark}-new`, revision: 1 },
    }),
    requestPattern: /^PUT /,
    done: async ({ mark }) => (await actions()).filter(({ name }) => name === `${mark}-new`).length,
  },
  'actions.remove': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeAction(round.mark) }),
    requestPattern: /^DELETE /,
    done: async ({ mark }) => 1 - (await actions()).filter(({ name }) => name === mark).length,
  },
  'actions.publish': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeAction(round.mark), publish: true }),
    requestPattern: /^POST .*\/publish\?/,
    done: async ({ mark }) => (await actions()).filter(({ name, published }) => name === mark && published).length,
  },
  'actions.revisions': { from: 'panel', takes: ofAction, requestPattern: /\/revisions\?/ },
  'actions.revision': {
    from: 'panel',
    takes: (round) => ({ ...ofAction(round), revision: 1 }),
    requestPattern: /\/revisions\/1\?/,
  },
  'actions.restore': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeAction(round.mark), revision: 1, expected: 1 }),
    requestPattern: /^POST .*\/restore\?/,
    done: async ({ mark }) => (await actions()).filter(({ name, revision }) => name === mark && revision === 2).length,
  },
  'actions.run': {
    from: 'panel',
    takes: (round) => ({ ...ofAction(round), payload: { email: round.mark } }),
    requestPattern: /^POST .*\/run\?/,
  },
  'actions.runWithResult': {
    from: 'panel',
    takes: (round) => ({ ...ofAction(round), payload: { email: round.mark } }),
    requestPattern: /^POST .*\/run-with-result\?/,
  },
  'actionsV3.list': {
    from: 'panel',
    takes: (round) => ({ ...ofApp(round), limit: 10, offset: 0 }),
    requestPattern: /^GET .*\/v3\/.*\/actions\?/,
  },
  'actionsV3.get': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeActionV3(round.mark) }),
    requestPattern: /^GET .*\/v3\/.*\/actions\/\d+$/,
  },
  'actionsV3.create': {
    from: 'panel',
    takes: (round) => ({ ...ofApp(round), action: draftV3(round.mark) }),
    requestPattern: /^POST .*\/v3\/.*\/actions$/,
    done: async ({ mark }) => (await actionsV3(mark)).length,
  },
  'actionsV3.update': {
    from: 'panel',
    takes: async (round) => ({
      ...ofApp(round),
      actionId: await makeActionV3(round.mark),
      change: { active: true, triggers: [{ trigger: 'manual' as const }], frequency: null, timezone: null },
      revision: 1,
    }),
    requestPattern: /^PUT .*\/v3\//,
    done: async ({ mark }) => (await actionsV3(mark)).filter(({ active }) => active).length,
  },
  'actionsV3.publish': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeActionV3(round.mark), revision: 1 }),
    requestPattern: /^POST .*\/v3\/.*\/publish$/,
    done: async ({ mark }) => (await actionsV3(mark)).filter(({ publishedAt }) => publishedAt).length,
  },
  'actionsV3.unpublish': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeActionV3(round.mark) }),
    requestPattern: /^POST .*\/v3\/.*\/unpublish$/,
  },
  'actionsV3.remove': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeActionV3(round.mark) }),
    requestPattern: /^DELETE .*\/v3\//,
    done: async ({ mark }) => 1 - (await actionsV3(mark)).length,
  },
  'actionsV3.run': {
    from: 'panel',
    takes: async (round) => ({ ...ofApp(round), actionId: await makeActionV3(round.mark), payload: {} }),
    requestPattern: /^POST .*\/v3\/.*\/run\?/,
    refused: 'NOT_FOUND',
  },
  'logs.list': { from: 'panel', takes: (round) => ({ ...ofApp(round), query: {} }), requestPattern: /^GET .*\/logs/ },
  'logs.recording': {
    from: 'panel',
    takes: (round) => ({ ...ofApp(round), logId: 2 ** 31 - 1 }),
    requestPattern: /^GET .*\/recording$/,
    refused: 'NOT_FOUND',
  },
  'logs.create': {
    from: 'panel',
    takes: (round) => ({ ...ofApp(round), log: { type: 'boundary', data: { mark: round.mark } } }),
    requestPattern: /^POST .*\/logs$/,
    done: ({ mark }) => logsWith(mark, 'boundary'),
  },
  'secrets.mask': { from: 'panel', takes: () => ({ texts: ['a text'] }) },
  'clock.get': { from: 'app', takes: ({ environmentId }) => ({ environmentId }), requestPattern: /^GET \/v1\/clock$/ },
  'clock.move': {
    from: 'panel',
    takes: ({ environmentId }) => ({ environmentId, to: new Date().toISOString() }),
    requestPattern: /^POST \/v1\/clock$/,
    refused: 'CONFLICT',
  },
  'debugPage.open': { from: 'panel', takes: debugPage, requestPattern: /\/compile\?html$/ },
  'debugPage.allowReload': { from: 'panel', takes: debugPage },
  'pages.open': { from: 'panel', takes: appPage, requestPattern: /\/preview$/ },
  'pages.allowReload': { from: 'panel', takes: appPage },
  'publish.preview': { from: 'popup', takes: ofApp, requestPattern: /\/sessions\?/ },
  'publish.start': {
    from: 'popup',
    async takes(round) {
      await settled();
      const { apps } = await api<{ apps: ({ id: number } & KnownRelease)[] }>('/apps');
      const { version, updatedAt } = apps.find((one) => one.id === ids.app)!;
      return {
        ...ofApp(round),
        id: crypto.randomUUID(),
        appName: 'App',
        release: { type: 'silent', changelog: round.mark },
        expected: { version, updatedAt },
      };
    },
    requestPattern: /^POST .*\/publish$/,
    // The response only confirms the intent; its record has the outcome.
    done: async ({ mark }) => (await publishes()).filter(({ release }) => release.changelog === mark).length,
  },
  'publish.list': { from: 'popup', takes: () => undefined },
  'publish.settle': { from: 'popup', takes: async (round) => (await settled(), published(round)) },
  'publish.cancel': { from: 'popup', takes: async (round) => (await settled(), published(round)) },
  'publish.discard': { from: 'popup', takes: async (round) => (await settled(), published(round)) },
  'publish.seen': {
    from: 'popup',
    takes: async (round) => (await settled(), { ids: [(await published(round)).id] }),
    done: async () => Number((await publishes()).every(({ seen }) => seen)),
  },
  'guard.list': { from: 'panel', takes: () => undefined },
  'guard.unlock': { from: 'panel', takes: ({ environmentId }) => ({ environmentId }) },
  'guard.lock': { from: 'panel', takes: ({ environmentId }) => ({ environmentId }) },
  'vault.state': { from: 'panel', takes: () => undefined },
  'vault.active': { from: 'panel', takes: () => undefined },
  'vault.lock': {
    from: 'panel',
    takes: async () => void (await protectedVault()),
    done: () => vaultIs(({ lock }) => lock.kind === 'locked'),
  },
  'vault.unlock': {
    from: 'panel',
    takes: async () => (await protectedVault(), await ask('panel', 'vault.lock'), { passphrase: PASSPHRASE }),
    done: () => vaultIs(({ lock }) => lock.kind === 'unlocked'),
  },
  'vault.protect': {
    from: 'options',
    takes: async () => (await unprotected(), { passphrase: PASSPHRASE, idleMinutes: 15 }),
    done: () => vaultIs(({ lock }) => lock.kind !== 'open'),
  },
  'vault.setIdle': {
    from: 'options',
    takes: async () => (await protectedVault(), { idleMinutes: 40 }),
    done: () => vaultIs(({ lock }) => lock.kind !== 'open' && lock.idleMinutes === 40),
  },
  'vault.changePassphrase': {
    from: 'options',
    takes: async () => (await protectedVault(), { current: PASSPHRASE, passphrase: `${PASSPHRASE} more` }),
    async done() {
      await ask('options', 'vault.lock');
      const { reply } = await start('options', 'vault.unlock', { passphrase: `${PASSPHRASE} more` });
      return Number((await reply).response.ok);
    },
  },
  'vault.unprotect': {
    from: 'options',
    takes: async () => (await protectedVault(), { passphrase: PASSPHRASE }),
    done: () => vaultIs(({ lock }) => lock.kind === 'open'),
  },
  'vault.reset': {
    from: 'options',
    takes: async () => void (await protectedVault()),
    done: () => vaultIs(({ lock }) => lock.kind === 'open'),
  },
  'data.erase': {
    from: 'options',
    takes: async ({ mark }) => void (await ask('options', 'environments.save', input(mark))),
    done: async () => Number((await environments()).length === 0),
  },
};
export const NAMES = Object.keys(BOUNDARIES) as MessageName[];
