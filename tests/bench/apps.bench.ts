/** Measures the Apps tab with 100,000 sessions in a real Chromium: frames while scrolling, a filter, the charts. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser } from 'puppeteer-core';
import { launchBrowser, openDevToolsPanel } from '../../lib/browser-driver/chromium.ts';
import { buildExtension } from '../../lib/browser-driver/build.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { enterEnvironment } from '../../lib/browser-driver/job.ts';
import { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import type { Platform } from '../../lib/local-platform/index.ts';
import { manySessions, startFilled } from '../support/data/many-apps.ts';
import { filesOfPage } from '../support/page-size.ts';
import { type Bench, type Row, row } from './measure.ts';
import { slowScripts } from './slow.ts';
import { click, press } from '../../lib/browser-driver/pages/press.ts';

const FOLDER = `test-results/bench-${process.pid}`;
const SESSIONS = 100_000;
/** Of the previous app. */
const DEMO = 320;
const APP = 101;
const FRAMES = 300;
/** How often the sessions are read by a plain loop. */
const ROUNDS = 3;

export const bench: Bench = async () => {
  const extensionPath = await buildExtension('chrome', FOLDER);
  await slowScripts(extensionPath, (await filesOfPage(extensionPath, 'panel', 'js')).slice(0, 1));
  const platform = await startFilled((db) => manySessions(db, APP, SESSIONS - DEMO), { oauthDemoPort: null });
  const extension = await launchBrowser({
    executablePath: ensureBrowser('chromium'),
    extension: extensionPath,
    headless: true,
  });
  try {
    await enterEnvironment(extension, platform);
    const page = await extension.browser.newPage();
    const panel = new PanelPage(page, await openDevToolsPanel(page, extension));
    await panel.resize(1200);
    const plain = await plainReadings(extension.browser, platform);
    const read = await openApp(panel);
    await tab(panel, 'Sessions');
    const scroll = await frames(panel);
    const filter = await changes(panel, '[data-session-count]');
    await tab(panel, 'Charts');
    const first = await waitFor('the charts', () => panel.frame().$('.chart canvas')).then(() => opened(panel));
    const charts = await changes(panel, '[data-charts]');
    return [
      {
        title: `Apps tab, ${SESSIONS.toLocaleString('en')} sessions`,
        unit: 'ms',
        rows: [
          row('a plain loop that fetches and parses the sessions, and shows nothing', plain),
          atMost(3_000, row('sessions read and shown', [read])),
          atMost(50, row(`frames while scrolling, ${FRAMES} of them: the longest`, [Math.max(...scroll)])),
          row('frames while scrolling: 95 % are shorter', [
            scroll.toSorted((a, b) => a - b)[Math.floor(scroll.length * 0.95)] ?? 0,
          ]),
          atMost(100, row('a filter changed to the table shown', filter)),
          atMost(300, row('tab Charts pressed to all charts shown', first)),
          atMost(300, row('a filter changed to all charts shown', charts)),
        ],
      },
    ];
  } finally {
    await extension.close();
    await platform.close();
    await rm(resolve(import.meta.dirname, '../..', FOLDER), { recursive: true, force: true });
  }
};

const atMost = (most: number, one: Row): Row => ({
  ...one,
  target: { text: `${most} ms or less`, met: one.median <= most },
});

const tab = (panel: PanelPage, name: string): Promise<void> => press(panel.frame(), name, { role: 'tab' });

/** Milliseconds that a page on the platform's origin takes to fetch and parse all sessions, one page after another. */
async function plainReadings(browser: Browser, { baseUrl, authToken }: Platform): Promise<number[]> {
  const page = await browser.newPage();
  await page.goto(`${baseUrl}/v1/apps`);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++)
    times.push(
      await page.evaluate(
        async (path, limit, token) => {
          const start = performance.now();
          for (let offset = 0, count = limit; count === limit; offset += limit) {
            const response = await fetch(`${path}?limit=${limit}&offset=${offset}`, {
              headers: { 'auth-token': token },
            });
            count = ((await response.json()) as { sessions: unknown[] }).sessions.length;
          }
          return performance.now() - start;
        },
        `/v1/apps/${APP}/analytics/sessions`,
        5_000,
        authToken,
      ),
    );
  await page.close();
  return times;
}

/** Milliseconds from opening the app's page until all of its sessions are loaded. */
async function openApp(panel: PanelPage): Promise<number> {
  await tab(panel, 'Apps');
  await click(panel.frame(), `[data-app="${APP}"]`);
  const start = performance.now();
  await panel.press('Open');
  await waitFor(
    'the sessions',
    () =>
      panel
        .frame()
        .$eval('[data-summary=ready]', (element) => element.textContent?.includes('users'))
        .catch(() => false),
    120_000,
  );
  return performance.now() - start;
}

/** Milliseconds of each frame while the table is scrolled, a third of its length in all. */
function frames(panel: PanelPage): Promise<number[]> {
  return panel.frame().evaluate(async (count) => {
    const grid = document.querySelector('[data-sessions]') as HTMLElement;
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const times: number[] = [];
    let last = await frame();
    for (let done = 0; done < count; done++) {
      grid.scrollTop += done % 2 === 0 ? 300 : grid.scrollHeight / 3 / count;
      const now = await frame();
      times.push(now - last);
      last = now;
    }
    return times;
  }, FRAMES);
}

/** Milliseconds from each of some filter changes to the frame after `shown` has another count. */
function changes(panel: PanelPage, shown: string): Promise<number[]> {
  return panel.frame().evaluate(async (shown) => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const shownCounts = (): string =>
      JSON.stringify(Object.values((document.querySelector(shown) as HTMLElement | null)?.dataset ?? {}));
    const set = (name: string, value: string): void => {
      const field = document.querySelector(`[name=${name}]`) as HTMLInputElement;
      field.value = value;
      for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
    };
    const times: number[] = [];
    for (const [name, value] of [
      ['session-query', 'iphone'],
      ['session-query', 'iphone user-12'],
      ['session-query', ''],
      ['session-version', '11'],
      ['session-version', ''],
      ['session-behind', '2'],
      ['session-behind', ''],
      ['session-from', '2020-01-01'],
      ['session-query', 'firefox'],
      ['session-query', ''],
    ] as const) {
      const before = shownCounts();
      const start = performance.now();
      set(name, value);
      let after = shownCounts();
      for (let waited = 0; waited < 20 && after === before; waited++) {
        await frame();
        after = shownCounts();
      }
      // A filter that matches every row changes nothing visible.
      if (after === before) continue;
      await frame();
      times.push(performance.now() - start);
    }
    return times;
  }, shown);
}

/** Milliseconds from pressing the tab, each time with another filter, to the frame after the last picture is there. */
function opened(panel: PanelPage): Promise<number[]> {
  return panel.frame().evaluate(async () => {
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const press = (name: string): void =>
      [...document.querySelectorAll<HTMLElement>('.app-page [role=tab]')]
        .find((each) => each.textContent?.startsWith(name))
        ?.click();
    const times: number[] = [];
    for (const query of ['', 'a', 'b', 'c', 'd', '']) {
      press('Sessions');
      await frame();
      const field = document.querySelector('[name=session-query]') as HTMLInputElement;
      field.value = query;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await frame();
      await frame();
      const start = performance.now();
      press('Charts');
      while (document.querySelectorAll('.chart canvas').length < 3) await frame();
      await frame();
      times.push(performance.now() - start);
    }
    return times;
  });
}
