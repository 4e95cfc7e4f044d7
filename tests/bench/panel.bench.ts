/** Owns measuring what a person waits for in the panel: its size, and the time from a click on Run to the result. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { launchBrowser } from '../../lib/demo/browser.ts';
import { buildExtension } from '../../lib/demo/build.ts';
import { ensureBrowser } from '../../lib/demo/find-browser.ts';
import { enterEnvironment, openAction } from '../../lib/demo/job.ts';
import type { PanelPage } from '../../lib/demo/panel-page.ts';
import { until } from '../../lib/demo/until.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';
import { type Bench, type Row, row } from './measure.ts';

const FOLDER = `test-results/bench-${process.pid}`;
const ROUNDS = 15;
const KB = 1_000;

export const bench: Bench = async () => {
  const extension = await buildExtension('chrome', FOLDER);
  try {
    return [
      { title: 'size, min + gzip', unit: 'kB', rows: await sizes(extension) },
      { title: 'click on Run to the result shown: number-range, 43 steps', unit: 'ms', rows: await clicks(extension) },
    ];
  } finally {
    await rm(resolve(import.meta.dirname, '../..', FOLDER), { recursive: true, force: true });
  }
};

async function sizes(extension: string): Promise<Row[]> {
  const page = await readFile(join(extension, 'panel.html'), 'utf8');
  const initial = [...page.matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? '');
  const chunks = (await readdir(join(extension, 'chunks'))).map((name) => `chunks/${name}`);
  const editor = chunks.filter((name) => name.startsWith('chunks/code-editor'));
  const tabs = chunks.filter((name) => /-tab-/.test(name));
  const before = await closure(extension, initial, [...editor, ...tabs]);
  const first = await gzipped(extension, initial);
  const all = await gzipped(extension, before);
  return [
    { ...row('panel, first load', [first]), target: { text: '32 kB or less', met: first <= 32 } },
    { ...row('tab Run, all before an editor is opened', [all]), target: { text: '32 kB or less', met: all <= 32 } },
    row('code editor, when first needed', [await gzipped(extension, editor)]),
    row('the other tabs, each when first opened', [await gzipped(extension, tabs)]),
  ];
}

/** The files, and every chunk and style that they name, but for `without`. */
async function closure(extension: string, start: string[], without: string[]): Promise<string[]> {
  const found = new Set(start);
  for (const file of found) {
    if (!file.endsWith('.js')) continue;
    const text = await readFile(join(extension, file), 'utf8');
    for (const [, chunk] of text.matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) if (!without.includes(`chunks/${chunk}`)) found.add(`chunks/${chunk}`);
    for (const [, asset] of text.matchAll(/["'`]\/?(assets\/[\w.-]+\.css)["'`]/g)) found.add(asset ?? '');
  }
  return [...found];
}

async function gzipped(extension: string, files: string[]): Promise<number> {
  const texts = await Promise.all(files.map((file) => readFile(join(extension, file))));
  return texts.reduce((sum, text) => sum + (text.length === 0 ? 0 : gzipSync(text, { level: 9 }).length), 0) / KB;
}

async function clicks(extensionPath: string): Promise<Row[]> {
  const platform = await startPlatform({ port: 0, data: 'memory' });
  try {
    const extension = await launchBrowser({ executablePath: ensureBrowser('chromium'), extension: extensionPath, headless: true });
    try {
      await enterEnvironment(extension, platform);
      const panel = await openAction(extension, { app: 'Field Service', action: 'number-range', payload: '{}' }, true);
      await panel.run();
      const inPage: number[] = [];
      const inPanel: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        inPage.push(await runInPage(panel));
        inPanel.push(await runInPanel(panel));
      }
      return [row('Pipeline.run() called in the page, nobody watching', inPage), row('Run pressed in the panel, every step traced and shown', inPanel)];
    } finally {
      await extension.close();
    }
  } finally {
    await platform.close();
  }
}

/** Milliseconds of the page's own `run()`, as the console would call it. */
function runInPage(panel: PanelPage): Promise<number> {
  return panel.inspected.evaluate(async () => {
    const { Platform } = globalThis as unknown as { Platform: { App: { Actions: { Pipeline: { run(): Promise<unknown> } } } } };
    const start = performance.now();
    await Platform.App.Actions.Pipeline.run();
    return performance.now() - start;
  });
}

/** Milliseconds from the click to the frame that shows the result of that very run. */
async function runInPanel(panel: PanelPage): Promise<number> {
  await until('the button Run', () => panel.canPress('Run'));
  const button = await until('the button Run', () => panel.frame().$('aria/Run[role="button"]'));
  return button.evaluate(
    (button) =>
      new Promise<number>((resolve) => {
        // A short run can be drawn for the first time when it is over: its number tells it from the one before.
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
