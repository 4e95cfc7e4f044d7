/** The world of tests that kill the worker at the boundaries of messages: pages that send them, and the platform behind a proxy. */
import { build } from 'esbuild';
import type { Page } from 'puppeteer-core';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { VaultState } from '../../../lib/extension/messaging/model/lock.ts';
import type { KnownRelease, PublishRecord } from '../../../lib/extension/messaging/model/publishing.ts';
import type { MessageName, Surface, Takes } from '../../../lib/extension/messaging/protocol.ts';
import type { ActionV3 } from '../../../lib/platform-api/actions-v3/record.ts';
import type { Action, Result } from '../../../lib/platform-api/index.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../servers/faulty-platform.ts';
import { openWithoutScripts } from '../network.ts';
import { LOCAL_ORIGINS } from '../shared-chromium.ts';
import { findAction, startTestBed, type TestBed } from '../test-bed.ts';
import { ask as askPlatform } from '../ask.ts';

export const PASSPHRASE = 'four words of one person';

export interface Round {
  /** Unique in each round, so that what is created under this name can be counted. */
  mark: string;
  environmentId: string;
  tabId: number;
}

export let bed: TestBed;
export let faulty: FaultyPlatform;
let tabId: number;
const pages = new Map<Surface, Page>();
export const ids = { app: 0, action: 0 };
/** The script with which a page sends messages as the surfaces do. */
export let sender = '';

export async function pageOf(surface: Surface): Promise<Page> {
  const open = pages.get(surface);
  if (open) return open;
  const page = await bed.extension.browser.newPage();
  // The surface’s URL without its scripts: only this test sends messages to the worker.
  await openWithoutScripts(page, `chrome-extension://${bed.extension.extensionId}/${surface}.html`);
  await page.evaluate(sender);
  pages.set(surface, page);
  return page;
}

export interface Reply {
  response: Result<unknown>;
  took: number;
}

/** Sends a message as the surfaces do. It is sent when this resolves; `reply` is what the sender receives, with its duration. */
export async function start<N extends MessageName>(
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

export async function ask<T>(from: Surface, name: MessageName, takes?: unknown): Promise<T> {
  const { response } = await (await start(from, name, takes as never)).reply;
  if (!response.ok) throw new Error(`${name}: ${response.error.code} ${response.error.message}`);
  return response.value as T;
}

export const api = <T>(path: string, body?: object): Promise<T> =>
  askPlatform<T>(bed.platform, `/v1${path}`, body && 'POST', body);

export const logsWith = async (mark: string, type: string): Promise<number> =>
  (await api<{ logs: object[] }>(`/apps/${ids.app}/logs?type=${type}&limit=1000`)).logs.filter((log) =>
    JSON.stringify(log).includes(mark),
  ).length;
export const actions = async () =>
  (await api<{ actions: Pick<Action, 'name' | 'published' | 'revision'>[] }>(`/apps/${ids.app}/actions`)).actions;
export const makeAction = async (name: string): Promise<number> =>
  (await api<{ action: { id: number } }>(`/apps/${ids.app}/actions`, { name, functions: [] })).action.id;
const apiV3 = <T>(body?: object): Promise<T> =>
  askPlatform<T>(bed.platform, `/v3/apps/${ids.app}/actions?limit=1000`, body && 'POST', body);
export const actionsV3 = async (mark: string) =>
  (await apiV3<{ actions: Pick<ActionV3, 'name' | 'active' | 'publishedAt'>[] }>()).actions.filter(
    ({ name }) => name === mark,
  );
export const draftV3 = (name: string) => ({
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
export const makeActionV3 = async (name: string): Promise<number> =>
  (await apiV3<{ action: { id: number } }>(draftV3(name))).action.id;
export const ofApp = ({ environmentId }: Round) => ({ environmentId, appId: ids.app });
export const ofAction = ({ environmentId }: Round) => ({ environmentId, appId: ids.app, actionId: ids.action });
export const environments = () => ask<Environment[]>('options', 'environments.list');
export const input = (name: string) => ({ name, preset: 'local' as const, baseUrl: 'http://localhost:1' });
/** Other tests in the same browser may have given up what all of them are allowed at the start. */
export async function allowLocalHosts(): Promise<void> {
  const options = await pageOf('options');
  const isAllowed = await options.evaluate(
    (origins) =>
      (
        globalThis as unknown as { chrome: { permissions: { request(of: object): Promise<boolean> } } }
      ).chrome.permissions.request({ origins }),
    LOCAL_ORIGINS,
  );
  if (!isAllowed) throw new Error('The browser doesn’t allow the hosts of this computer.');
}
export const isThere = async (name: string): Promise<number> =>
  (await environments()).filter((one) => one.name === name).length;
/** The vault as the next round expects it: without a passphrase. */
export async function unprotected(): Promise<undefined> {
  await ask('options', 'vault.reset');
  return undefined;
}
export async function protectedVault(): Promise<void> {
  await unprotected();
  await ask('options', 'vault.protect', { passphrase: PASSPHRASE, idleMinutes: 15 });
}
export const vaultIs = async (expected: (state: VaultState) => boolean): Promise<number> =>
  Number(expected(await ask<VaultState>('options', 'vault.state')));
export const publishes = () => ask<PublishRecord[]>('popup', 'publish.list');
export async function published(round: Round): Promise<{ id: string }> {
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
export async function settled(): Promise<void> {
  const ended = await waitFor(
    'all outcomes',
    async () => await publishes().then((all) => (all.every(({ outcome }) => outcome) ? all : null)),
  );
  for (const { id, outcome } of ended) if (outcome?.state === 'unknown') await ask('popup', 'publish.discard', { id });
  await ask('popup', 'publish.seen', { ids: ended.map(({ id }) => id) });
}

/** What every round has in common. */
export const firstRound = async (): Promise<Omit<Round, 'mark'>> => ({
  environmentId: (await environments())[0]!.id,
  tabId,
});

export async function startWorld(): Promise<void> {
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
  sender = outputFiles[0]!.text;
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
}

export async function closeWorld(): Promise<void> {
  pages.clear();
  await faulty?.close();
  await bed?.close();
}
