/** One Chromium for the runs of all test files of a worker process. Each run has a context of its own. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';
import { chromiumArguments } from '../../lib/browser-driver/chromium-arguments.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import type { RunBrowser } from '../../lib/cli/run/browser.ts';
import { atExit } from './at-exit.ts';

let shared: Promise<Browser> | undefined;

/** As `startBrowser` of the command line. Closing it leaves the browser for the next run. */
export async function sharedRunBrowser(): Promise<RunBrowser> {
  const browser = await (shared ??= start());
  const context = await browser.createBrowserContext();
  return { browser: context, close: () => context.close() };
}

async function start(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'run-browser-'));
  const browser = await launch({
    executablePath: ensureBrowser('chromium'),
    headless: true,
    pipe: true,
    defaultViewport: null,
    userDataDir: profile,
    args: chromiumArguments(true),
  });
  atExit(() => {
    browser.process()?.kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  });
  return browser;
}
