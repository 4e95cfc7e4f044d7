/** Memory of panels, inspected pages, and platform over hours of work. `SOAK_HOURS=48` runs longer. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { CDPSession, Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Result } from '../../../lib/platform-api/index.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { OAUTH2_SCREEN } from '../../../lib/local-platform/index.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';
import { openWithToken } from '../../support/network.ts';
import type { PublishPreview, PublishRecord } from '../../../lib/extension/messaging/model/publishing.ts';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';

const HOURS = Number(process.env['SOAK_HOURS'] ?? 2);
/** A run every five minutes. */
const STEPS = HOURS * 12;
const STEP = 300_000;
const START = Date.parse('2026-11-02T08:00:00Z');
const APP = 101;

let bed: TestBed;
let run: PanelPage;
let login: PanelPage;
let popup: Page;
beforeAll(async () => {
  bed = await startTestBed({ clock: new Date(START), browser: {} });
  await bed.enter();
  run = await bed.panel();
  await run.choose({
    environment: 'Local',
    app: findAction(bed.platform, 'is-email-registered').app,
    action: 'is-email-registered',
  });
  await run.open();
  const page = await bed.extension.browser.newPage();
  const { baseUrl, authToken } = bed.platform;
  await openWithToken(
    page,
    `${baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`,
    authToken,
  );
  login = await bed.panelOf(page);
  await press(login.frame(), 'OAuth2', { role: 'tab' });
  await waitFor('the services', () => login.frame().$('[data-service="demo-code"]'));
  popup = await bed.extension.browser.newPage();
  await popup.goto(`chrome-extension://${bed.extension.extensionId}/popup.html`);
});
afterAll(() => bed?.close());

const send = <T>(name: string, takes?: unknown): Promise<Result<T>> =>
  popup.evaluate(
    (message) =>
      (
        globalThis as unknown as { chrome: { runtime: { sendMessage(message: unknown): Promise<Result<T>> } } }
      ).chrome.runtime.sendMessage(message),
    { to: 'background', name, takes },
  );
const api = async <T>(path: string, body?: object): Promise<T> =>
  (
    await fetch(`${bed.platform.baseUrl}/v1${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'auth-token': bed.platform.authToken, 'content-type': 'application/json' },
    })
  ).json() as Promise<T>;

async function value<T>(name: string, takes?: unknown): Promise<T> {
  const response = await send<T>(name, takes);
  if (!response.ok) throw new Error(`${name}: ${response.error.code}: ${response.error.message}`);
  return response.value;
}

/** Presses a button of a service on the demo page, as a user does. */
async function pressInPage(label: string): Promise<void> {
  await login.inspected.bringToFront();
  await click(login.inspected, `#demo-code ::-p-text(${label})`);
}
const session = (): Promise<string> =>
  login.inspected.$eval('#demo-code .session', (element) => element.textContent ?? '');

async function logIn(): Promise<void> {
  const opened = new Promise<Page>((resolve) => login.inspected.once('popup', (page) => resolve(page!)));
  await pressInPage('Log in');
  // The service skips the form for users who are already logged in.
  void (await opened)
    .waitForSelector('#allow', { timeout: 20_000 })
    .then((button) => button?.click())
    .catch(() => undefined);
  await waitFor('the session', async () => (await session()).startsWith('Logged in'));
}

async function publish(step: number): Promise<void> {
  const environmentId = (await value<{ id: string }[]>('environments.list'))[0]!.id;
  const { name, current } = await value<PublishPreview>('publish.preview', { environmentId, appId: APP });
  const id = `soak-${step}`;
  await value('publish.start', {
    environmentId,
    appId: APP,
    id,
    appName: name,
    release: { type: 'silent', changelog: `Step ${step}` },
    expected: current,
  });
  await waitFor(
    'the outcome of the publish',
    async () =>
      (await value<PublishRecord[]>('publish.list')).find((record) => record.id === id)?.outcome?.state === 'published',
  );
  await value('publish.seen', { ids: [id] });
}

/** Both panels share one heap. */
interface Heaps {
  panels: number;
  debugPage: number;
  demoPage: number;
  platform: number;
}

/** Bytes in use after garbage collection. */
async function heaps(): Promise<Heaps> {
  const of = async (frame: Frame): Promise<number> => {
    const { client } = frame as unknown as { client: CDPSession };
    await client.send('HeapProfiler.collectGarbage');
    // Finalizers and pending callbacks can still hold objects after the first collection.
    await frame.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1_000 })));
    await client.send('HeapProfiler.collectGarbage');
    return ((await client.send('Runtime.getHeapUsage')) as { usedSize: number }).usedSize;
  };
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return {
    panels: await of(run.frame()),
    debugPage: await of(run.inspected.mainFrame()),
    demoPage: await of(login.inspected.mainFrame()),
    platform: process.memoryUsage().heapUsed,
  };
}

/** The smallest sample: garbage that is collected late only adds to a sample. */
const least = (samples: readonly Heaps[], of: keyof Heaps): number => Math.min(...samples.map((sample) => sample[of]));

test(
  `${HOURS} hours of runs, logins, publishes, and killed workers leave memory as it was, within 10 %`,
  { timeout: 120_000 * HOURS },
  async () => {
    const samples: Heaps[] = [];
    for (let step = 1; step <= STEPS; step++) {
      await api('/clock', { to: new Date(START + step * STEP).toISOString() });
      expect(await run.run()).toBe('completed');
      if (step % 5 === 1) await logIn();
      await pressInPage('List items');
      if (step % 5 === 2) await publish(step);
      if (step % 5 === 3) await stopWorker(bed.extension);
      if (step % 5 === 4) await pressInPage('Log out');
      if (step % 3 === 0) samples.push(await heaps());
    }
    const quarter = samples.length / 4;
    // By then, caches have their full size, such as the values of the last ten runs.
    const [before, after] = [samples.slice(quarter * 1.5, quarter * 2.5), samples.slice(-quarter)];
    const grown = Object.fromEntries(
      (Object.keys(samples[0]!) as (keyof Heaps)[]).map((of) => [of, least(after, of) / least(before, of)]),
    );
    console.log(
      `memory after ${HOURS} hours, beside that after half of them: ${JSON.stringify(grown, (_, value: unknown) => (typeof value === 'number' ? Math.round(value * 1000) / 1000 : value))}`,
    );
    expect(Object.entries(grown).filter(([, by]) => by > 1.1)).toEqual([]);
  },
);
