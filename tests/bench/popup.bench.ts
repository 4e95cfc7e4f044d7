/** Owns measuring what a person waits for in the popup: its size, and the time from its opening to where one can type. */
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { launchBrowser } from '../../lib/demo/browser.ts';
import { buildExtension } from '../../lib/demo/build.ts';
import { ensureBrowser } from '../../lib/demo/find-browser.ts';
import { enterEnvironment } from '../../lib/demo/job.ts';
import { until } from '../../lib/demo/until.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';
import { PopupPage } from '../support/popup-page.ts';
import { type Bench, type Row, row } from './measure.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = `test-results/bench-popup-${process.pid}`;
const ROUNDS = 15;
const KB = 1_000;

export const bench: Bench = async () => {
  const extension = await buildExtension('chrome', FOLDER);
  try {
    return [
      { title: 'size, min + gzip', unit: 'kB', rows: await sizes(extension) },
      { title: 'popup opened to ready to type, apps kept from before', unit: 'ms', rows: await openings(extension) },
    ];
  } finally {
    await rm(resolve(ROOT, FOLDER), { recursive: true, force: true });
  }
};

async function sizes(extension: string): Promise<Row[]> {
  const page = await readFile(join(extension, 'popup.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/([^"]+\.(js|css))"/g)].map(([, file = '', kind = '']) => ({ file, kind }));
  const sizeOf = async (kind: string): Promise<number> => {
    const texts = await Promise.all(files.filter((one) => one.kind === kind).map(({ file }) => readFile(join(extension, file))));
    return texts.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0) / KB;
  };
  const scripts = await sizeOf('js');
  return [
    row('preact + hooks + signals, nothing else', [await reference()]),
    { ...row('popup, all its scripts', [scripts]), target: { text: '15 kB or less', met: scripts <= 15 } },
    row('popup, all its styles', [await sizeOf('css')]),
  ];
}

async function reference(): Promise<number> {
  const contents = "import { render } from 'preact'; import { useState } from 'preact/hooks'; import { computed, signal } from '@preact/signals'; globalThis.all = [render, useState, signal, computed];";
  const { outputFiles } = await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', target: 'chrome120', write: false });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length / KB;
}

async function openings(extensionPath: string): Promise<Row[]> {
  const platform = await startPlatform({ port: 0, data: 'memory' });
  try {
    const extension = await launchBrowser({ executablePath: ensureBrowser('chromium'), extension: extensionPath, headless: true });
    try {
      await enterEnvironment(extension, platform);
      const first = await PopupPage.open(extension);
      await first.chooseApp('Field Service');
      await first.close();
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const popup = await PopupPage.open(extension);
        times.push(await until('the mark', () => popup.page.evaluate(() => performance.getEntriesByName('ready to type')[0]?.startTime)));
        await popup.close();
      }
      const typed = row('from the start of its navigation to the caret in the notes', times);
      return [{ ...typed, target: { text: '150 ms or less', met: typed.median <= 150 } }];
    } finally {
      await extension.close();
    }
  } finally {
    await platform.close();
  }
}
