/** Measures what a user waits for in the panel: its size, and the time from a click on Run to the result. */
import { readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ExtensionBrowser, launchBrowser } from '../../lib/browser-driver/chromium.ts';
import { buildExtension } from '../../lib/browser-driver/build.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { enterEnvironment, openAction } from '../../lib/browser-driver/job.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';
import { filesOfPage, gzipped } from '../support/page-size.ts';
import { type Bench, type Row, row } from './measure.ts';

const FOLDER = `test-results/bench-${process.pid}`;
const ROUNDS = 15;
const KB = 1_000;

export const bench: Bench = async () => {
  const extension = await buildExtension('chrome', FOLDER);
  try {
    const { loaded, rows } = await clicks(extension);
    return [
      { title: 'size, min + gzip', unit: 'kB', rows: await sizes(extension, loaded) },
      { title: 'click on Run to the result shown: number-range, 43 steps', unit: 'ms', rows },
    ];
  } finally {
    await rm(resolve(import.meta.dirname, '../..', FOLDER), { recursive: true, force: true });
  }
};

/** The document names what is loaded before the first rendering. */
async function sizes(extension: string, loaded: readonly string[]): Promise<Row[]> {
  const sizeOf = async (files: readonly string[]): Promise<number> => (await gzipped(extension, files)) / KB;
  const scripts = await sizeOf(await filesOfPage(extension, 'panel', 'js'));
  const chunks = (await readdir(join(extension, 'chunks'))).map((name) => `chunks/${name}`);
  return [
    {
      ...row('panel, all its scripts', [scripts]),
      target: { text: '120 kB or less', met: scripts <= 120, isSpeed: false },
    },
    row('panel, all its styles', [await sizeOf(await filesOfPage(extension, 'panel', 'css'))]),
    row('all scripts it has loaded beside a debug page, nothing pressed yet', [await sizeOf(loaded)]),
    row('code editor, when first needed', [
      await sizeOf(chunks.filter((name) => name.startsWith('chunks/code-editor'))),
    ]),
    row('the other tabs, each when first opened', [await sizeOf(chunks.filter((name) => /-tab-.*\.js$/.test(name)))]),
  ];
}

async function clicks(extensionPath: string): Promise<{ loaded: string[]; rows: Row[] }> {
  const platform = await startPlatform({ port: 0, data: 'memory' });
  try {
    const extension = await launchBrowser({
      executablePath: ensureBrowser('chromium'),
      extension: extensionPath,
      headless: true,
    });
    try {
      await enterEnvironment(extension, platform);
      const panel = await openAction(extension, { app: 'Field Service', action: 'number-range', payload: '{}' }, true);
      const loaded = await reloaded(panel, extension);
      await panel.setPayload('{}');
      await panel.run();
      const inPage: number[] = [];
      const inPanel: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        inPage.push(await runInPage(panel));
        inPanel.push(await runInPanel(panel));
      }
      return {
        loaded,
        rows: [
          row('Pipeline.run() called in the page, unobserved', inPage),
          row('Run pressed in the panel, every step traced and shown', inPanel),
        ],
      };
    } finally {
      await extension.close();
    }
  } finally {
    await platform.close();
  }
}

/** The scripts that the panel has loaded after it was reopened on a debug page. */
async function reloaded(panel: PanelPage, { browser }: ExtensionBrowser): Promise<string[]> {
  await panel.frame().evaluate(() => void setTimeout(() => location.reload()));
  await waitFor('the panel opened again', () =>
    panel
      .frame()
      .evaluate(
        () =>
          document.querySelector('.code') === null &&
          ['[role=treeitem]', '[data-history]', 'option[value="template:manual"]'].every((shown) =>
            document.querySelector(shown),
          ),
      ),
  );
  const session = await browser
    .targets()
    .find((target) => target.url().endsWith('/panel.html'))
    ?.createCDPSession();
  const scripts = new Set<string>();
  session?.on(
    'Debugger.scriptParsed',
    ({ url }) => url.startsWith('chrome-extension://') && scripts.add(new URL(url).pathname.slice(1)),
  );
  // It reports all existing scripts before it responds.
  await session?.send('Debugger.enable');
  await session?.detach();
  if (scripts.size === 0) throw new Error('The panel tells of no script.');
  return [...scripts];
}

/** Milliseconds of the page's own `run()`, as the console would call it. */
function runInPage(panel: PanelPage): Promise<number> {
  return panel.inspected.evaluate(async () => {
    const { Platform } = globalThis as unknown as {
      Platform: { App: { Actions: { Pipeline: { run(): Promise<unknown> } } } };
    };
    const start = performance.now();
    await Platform.App.Actions.Pipeline.run();
    return performance.now() - start;
  });
}

/** Milliseconds from the click to the frame that shows the result of that very run. */
async function runInPanel(panel: PanelPage): Promise<number> {
  await waitFor('the button Run', () => panel.canPress('Run'));
  const button = await waitFor('the button Run', () => panel.frame().$('control/Run[role="button"]'));
  return button.evaluate(
    (button) =>
      new Promise<number>((resolve) => {
        // A short run may be drawn for the first time when it is over; its number distinguishes it from the previous one.
        const title = () => document.querySelector('[data-run-state=completed] h2')?.textContent ?? null;
        const old = title();
        const start = performance.now();
        const observer = new MutationObserver(() => {
          if (title() === null || title() === old || document.querySelector('[data-result]') === null) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - start));
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        (button as HTMLButtonElement).click();
      }),
  );
}
