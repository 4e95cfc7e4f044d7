/** Kills the worker at the boundary of every message: nothing is lost or doubled, and no sender waits over 5 seconds. */
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ActionV3 } from '../../../lib/platform-api/actions-v3/record.ts';
import type { Action, Result } from '../../../lib/platform-api/index.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { MessageName, Surface, Takes } from '../../../lib/extension/messaging/protocol.ts';
import { RULES } from '../../../lib/extension/messaging/rules.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { KnownRelease, PublishRecord } from '../../../lib/extension/messaging/model/publishing.ts';
import type { VaultState } from '../../../lib/extension/messaging/model/lock.ts';

/** Milliseconds that a user may wait for a response. */
const PATIENCE = 5_000;
const PASSPHRASE = 'four words of one person';

type PastTime = 'when it was sent' | 'when the platform received the request' | 'when it was answered';

interface Round {
  /** Unique in each round, so that what is created under this name can be counted. */
  mark: string;
  environmentId: string;
  tabId: number;
}

/** What the tests need to know about a message besides its rule. */
interface Boundary<N extends MessageName> {
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

let bed: TestBed;
let faulty: FaultyPlatform;
let tabId: number;
const pages = new Map<Surface, Page>();
const ids = { app: 0, action: 0 };
const { promise: sender, resolve: bundled } = Promise.withResolvers<string>();

async function pageOf(surface: Surface): Promise<Page> {
  const open = pages.get(surface);
  if (open) return open;
  const page = await bed.extension.browser.newPage();
  // The surface’s URL without its scripts: only this test sends messages to the worker.
  await page.setRequestInterception(true);
  page.on('request', (request) => void (request.resourceType() === 'script' ? request.abort() : request.continue()));
  await page.goto(`chrome-extension://${bed.extension.extensionId}/${surface}.html`);
  await page.evaluate(await sender);
  pages.set(surface, page);
  return page;
}

interface Reply {
  response: Result<unknown>;
  took: number;
}

/** Sends a message as the surfaces do. It is sent when this resolves; `reply` is what the sender receives, with its duration. */
async function start<N extends MessageName>(
  from: Surface,
  name: N,
  takes: Takes<N>,
): Promise<{ reply: Promise<Reply> }> {
  const page = await pageOf(from);
  await page.evaluate(
    (name, takes) => {
      const target = globalThis as unknown as {
        send(name: string, takes: unknown): Promise<Result<unknown>>;
        reply: Promise<Reply>;
      };
      const started = performance.now();
      target.reply = target.send(name, takes).then((response) => ({ response, took: performance.now() - started }));
    },
    name as string,
    takes as object,
  );
  return { reply: page.evaluate(() => (globalThis as unknown as { reply: Promise<Reply> }).reply) };
}

async function ask<T>(from: Surface, name: MessageName, takes?: unknown): Promise<T> {
  const { response } = await (await start(from, name, takes as never)).reply;
  if (!response.ok) throw new Error(`${name}: ${response.error.code} ${response.error.message}`);
  return response.value as T;
}

const api = async <T>(path: string, body?: object): Promise<T> =>
  (
    await fetch(`${bed.platform.baseUrl}/v1${path}`, {
      headers: { 'Auth-token': bed.platform.authToken, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  ).json() as Promise<T>;

const logsWith = async (mark: string, type: string): Promise<number> =>
  (await api<{ logs: object[] }>(`/apps/${ids.app}/logs?type=${type}&limit=1000`)).logs.filter((log) =>
    JSON.stringify(log).includes(mark),
  ).length;
const actions = async () =>
  (await api<{ actions: Pick<Action, 'name' | 'published' | 'revision'>[] }>(`/apps/${ids.app}/actions`)).actions;
const makeAction = async (name: string): Promise<number> =>
  (await api<{ action: { id: number } }>(`/apps/${ids.app}/actions`, { name, functions: [] })).action.id;
const apiV3 = async <T>(body?: object): Promise<T> =>
  (
    await fetch(`${bed.platform.baseUrl}/v3/apps/${ids.app}/actions?limit=1000`, {
      headers: { 'Auth-token': bed.platform.authToken, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  ).json() as Promise<T>;
const actionsV3 = async (mark: string) =>
  (await apiV3<{ actions: Pick<ActionV3, 'name' | 'active' | 'publishedAt'>[] }>()).actions.filter(
    ({ name }) => name === mark,
  );
const draftV3 = (name: string) => ({
  name,
  code: 'async function execute(context) {}',
  description: null,
  active: false as const,
  environment: 'server' as const,
  triggers: [],
  dependencies: [],
  frequency: null,
  timezone: null,
});
const makeActionV3 = async (name: string): Promise<number> =>
  (await apiV3<{ action: { id: number } }>(draftV3(name))).action.id;
const ofApp = ({ environmentId }: Round) => ({ environmentId, appId: ids.app });
const ofAction = ({ environmentId }: Round) => ({ environmentId, appId: ids.app, actionId: ids.action });
const environments = () => ask<Environment[]>('options', 'environments.list');
const input = (name: string) => ({ name, preset: 'local' as const, baseUrl: 'http://localhost:1' });
const isThere = async (name: string): Promise<number> =>
  (await environments()).filter((one) => one.name === name).length;
/** The vault as the next round expects it: without a passphrase. */
async function unprotected(): Promise<undefined> {
  await ask('options', 'vault.reset');
  return undefined;
}
async function protectedVault(): Promise<void> {
  await unprotected();
  await ask('options', 'vault.protect', { passphrase: PASSPHRASE, idleMinutes: 15 });
}
const vaultIs = async (expected: (state: VaultState) => boolean): Promise<number> =>
  Number(expected(await ask<VaultState>('options', 'vault.state')));
const publishes = () => ask<PublishRecord[]>('popup', 'publish.list');
async function published(round: Round): Promise<{ id: string }> {
  const id = crypto.randomUUID();
  const { apps } = await api<{ apps: ({ id: number } & KnownRelease)[] }>('/apps');
  const { version, updatedAt } = apps.find((one) => one.id === ids.app)!;
  await ask('popup', 'publish.start', {
    ...ofApp(round),
    id,
    appName: 'App',
    release: { type: 'silent', changelog: 'Made ready.' },
    expected: { version, updatedAt },
  });
  await waitFor('the publish', async () => (await publishes()).find((one) => one.id === id)?.outcome);
  return { id };
}
/** Waits for all outcomes, and discards unknown ones, which would block the next publish. */
async function settled(): Promise<void> {
  const ended = await waitFor(
    'all outcomes',
    async () => await publishes().then((all) => (all.every(({ outcome }) => outcome) ? all : null)),
  );
  for (const { id, outcome } of ended) if (outcome?.state === 'unknown') await ask('popup', 'publish.discard', { id });
  await ask('popup', 'publish.seen', { ids: ended.map(({ id }) => id) });
}
const debugPage = ({ environmentId, tabId }: Round) => ({ environmentId, tabId, appId: ids.app, taskId: ids.action });
const appPage = ({ environmentId, tabId }: Round) => ({
  environmentId,
  tabId,
  appId: ids.app,
  page: 'preview' as const,
});

/** One for each message, in the order of the rounds: those that change the vault's lock come last. */
const BOUNDARIES: { readonly [N in MessageName]: Boundary<N> } = {
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
  'localPlatform.find': { from: 'options', takes: () => ({ port: 1 }), refused: 'HOST_PERMISSION_MISSING' },
  'access.release': { from: 'options', takes: () => ({ baseUrl: 'http://localhost:1' }) },
  'environments.test': {
    from: 'options',
    takes: ({ environmentId }) => ({ id: environmentId }),
    requestPattern: /^GET \/v1\/apps$/,
  },
  'environments.export': { from: 'options', takes: () => ({}) },
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
const NAMES = Object.keys(BOUNDARIES) as MessageName[];

beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  const { appId, taskId } = findAction(bed.platform, 'is-email-registered');
  Object.assign(ids, { app: appId, action: taskId });
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createSend } from './lib/extension/messaging/send.ts'; globalThis.send = createSend(chrome.runtime);`,
      resolveDir: `${import.meta.dirname}/../../..`,
    },
    bundle: true,
    write: false,
    format: 'iife',
  });
  bundled(outputFiles[0]!.text);
  await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
  await bed.extension.browser.newPage();
  const tabs = await (
    await pageOf('options')
  ).evaluate(() =>
    (
      globalThis as unknown as { chrome: { tabs: { query(of: object): Promise<{ id: number; url?: string }[]> } } }
    ).chrome.tabs.query({ active: false }),
  );
  tabId = tabs[0]!.id;
});
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
});

/** Kills the worker at this moment of handling a message; returns what its sender received. */
async function killAt(
  moment: PastTime,
  { from, requestPattern }: Boundary<MessageName>,
  name: MessageName,
  takes: unknown,
): Promise<Reply> {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: killed, resolve: letGo } = Promise.withResolvers<void>();
  faulty.gate = (when, { method, path }) => {
    if (
      moment !== 'when the platform received the request' ||
      when !== 'received' ||
      !requestPattern?.test(`${method} ${path}`)
    )
      return undefined;
    // A request that is running when the worker dies continues, as on a real platform.
    reach();
    return killed;
  };
  const { reply } = await start(from, name, takes as never);
  if (moment === 'when it was answered') await reply;
  // A publish responds first, and sends its request then.
  if (moment === 'when the platform received the request')
    await Promise.race([
      reached,
      reply.then(({ response }) =>
        response.ok && name === 'publish.start'
          ? reached
          : Promise.reject(new Error(`${name} sent no request: ${JSON.stringify(response)}`)),
      ),
    ]);
  await stopWorker(bed.extension);
  faulty.gate = () => {};
  letGo();
  return reply;
}

test('every message has its case in this test', () => {
  expect([...NAMES].sort()).toEqual(Object.keys(RULES).sort());
});

test(
  'a worker killed at any boundary of any message loses nothing, does nothing twice, and leaves no sender waiting',
  { timeout: 300_000 },
  async () => {
    const environmentId = (await environments())[0]!.id;
    const slowest: [number, string][] = [];
    const counts: Record<string, number> = {};
    let kills = 0;
    for (const name of NAMES) {
      const boundary = BOUNDARIES[name] as Boundary<MessageName>;
      for (const moment of [
        'when it was sent',
        'when the platform received the request',
        'when it was answered',
      ] as const) {
        if (moment === 'when the platform received the request' && !boundary.requestPattern) continue;
        const where = `${name}, killed ${moment}`;
        const round: Round = { mark: `mark-${++kills}`, environmentId, tabId };
        const takes = await boundary.takes(round);
        const changes = () =>
          faulty.requests.filter(({ method, token }) => method !== 'GET' && token === bed.platform.authToken).length;
        const before = changes();
        const { response, took } = await killAt(moment, boundary, name, takes);
        slowest.push([Math.round(took), where]);
        const outcome = response.ok ? 'done' : response.error.code;
        counts[outcome] = (counts[outcome] ?? 0) + 1;
        // A killed worker delays no sender; how long the work itself takes depends on the machine.
        if (moment !== 'when it was answered') expect(took, where).toBeLessThan(PATIENCE);
        if (!response.ok)
          expect(response.error, where).toMatchObject({
            code: expect.stringMatching(/^[A-Z_]+$/),
            message: expect.stringMatching(/\.$/),
            hint: expect.stringMatching(/\.$/),
          });
        if (moment === 'when it was answered') expect(outcome, where).toBe(boundary.refused ?? 'done');
        expect(changes() - before, `${where}: requests that change something`).toBeLessThanOrEqual(1);
        if (!boundary.done) continue;
        const times = await waitFor(`what became of ${where}`, async () => [await boundary.done!(round)]);
        expect(times[0], where).toBeLessThanOrEqual(1);
        if (response.ok) expect(times[0], `${where}, and responded`).toBe(1);
      }
    }
    await settled();
    for (let round = 1; round <= kills; round++)
      expect(await logsWith(`"mark-${round}"`, 'app.publish'), `releases of round ${round}`).toBeLessThanOrEqual(1);
    // At least some kills happen in time.
    expect(counts['WORKER_UNREACHABLE'], JSON.stringify(counts)).toBeGreaterThanOrEqual(8);
    slowest.sort(([a], [b]) => b - a);
    console.log(
      `${kills} kills: ${JSON.stringify(counts)}; slowest answers: ${slowest
        .slice(0, 3)
        .map(([took, where]) => `${took} ms ${where}`)
        .join('; ')}`,
    );
  },
);

test('neither build lets a page or another extension send messages to the worker', async () => {
  for (const folder of [inject('chromeExtension'), inject('firefoxExtension')]) {
    const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, 'utf8')) as object;
    for (const entryPoint of [
      'content_scripts',
      'web_accessible_resources',
      'externally_connectable',
      'sandbox',
      'user_scripts',
    ])
      expect(manifest, `${folder}: ${entryPoint}`).not.toHaveProperty(entryPoint);
    const worker = await readFile(`${folder}/background.js`, 'utf8');
    // The polyfill names every API; to listen is what counts.
    for (const event of ['onMessageExternal', 'onConnectExternal', 'onUserScriptMessage'])
      expect(worker, `${folder}: ${event}`).not.toMatch(new RegExp(`${event}\\??\\.addListener`));
    // One for messages, and one for the port of the frame that sends a change.
    expect(worker.match(/\.onMessage\.addListener/g)).toHaveLength(2);
    expect(worker.match(/onConnect\.addListener/g)).toHaveLength(1);
  }
});

test('a page that tries every way of sending messages doesn’t reach the worker at all', async () => {
  const page = await bed.extension.browser.newPage();
  await page.goto(`${bed.platform.baseUrl}/`);
  const tried = await page.evaluate(async (id) => {
    const { chrome } = globalThis as unknown as {
      chrome?: {
        runtime?: { sendMessage(id: string, message: object): Promise<unknown>; connect(id: string): unknown };
      };
    };
    const message = { to: 'background', name: 'environments.list' };
    const sent = chrome?.runtime
      ? await Promise.resolve()
          .then(() => chrome.runtime!.sendMessage(id, message))
          .catch(() => 'refused')
      : 'no way';
    const framed = await Promise.all(
      ['options', 'panel', 'popup', 'app'].map(
        (surface) =>
          new Promise<string>((resolve) => {
            const frame = document.createElement('iframe');
            frame.src = `chrome-extension://${id}/${surface}.html`;
            // The frame may have any content, but must never be reachable from here as a page of the extension.
            frame.addEventListener('load', () => {
              frame.contentWindow?.postMessage(message, '*');
              resolve(frame.contentDocument === null ? 'closed' : frame.contentDocument.URL);
            });
            document.documentElement.append(frame);
          }),
      ),
    );
    window.postMessage(message, '*');
    return { sent, framed };
  }, bed.extension.extensionId);
  expect(tried.sent).toMatch(/^(no way|refused)$/);
  expect(new Set(tried.framed)).toEqual(new Set(['closed']));
  const frames = page.frames().slice(1);
  expect(frames.map((frame) => frame.url()).filter((url) => url.startsWith('chrome-extension:'))).toEqual([]);
  await page.close();
  expect(await ask('options', 'messages.refused')).toMatchObject({ refusals: [] });
});

test('when the extension is reloaded under an open panel, no message keeps waiting for a response', async () => {
  await bed.enter({ name: 'Stays' });
  const panel = await bed.panel();
  await panel.choose({ environment: 'Stays' });
  const frame = panel.frame();
  await frame.evaluate(await sender);
  const { id } = (await environments())[0]!;
  const options = await pageOf('options');
  pages.clear();
  const started = performance.now();
  await options
    .evaluate(() => (globalThis as unknown as { chrome: { runtime: { reload(): void } } }).chrome.runtime.reload())
    .catch(() => 'gone with it');
  const outcome = await frame
    .evaluate(
      (environmentId) =>
        (globalThis as unknown as { send(name: string, takes: unknown): Promise<Result<unknown>> }).send('apps.list', {
          environmentId,
        }),
      id,
    )
    .catch(() => 'gone');
  expect(performance.now() - started).toBeLessThan(PATIENCE);
  if (typeof outcome !== 'string')
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: expect.stringMatching(/^(EXTENSION_RELOADED|WORKER_UNREACHABLE)$/),
        hint: expect.stringContaining('close and reopen DevTools'),
      },
    });
});
