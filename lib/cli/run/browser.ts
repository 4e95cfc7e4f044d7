/** Starts an installed browser with a profile of its own, and leaves neither a process nor the profile. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Browser, launch } from 'puppeteer-core';
import { chromiumArguments } from '../../browser-driver/chromium-arguments.ts';
import { findBrowser } from '../../browser-driver/find-browser.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { canceled } from './page-ready.ts';

export interface RunBrowser {
  browser: Pick<Browser, 'newPage' | 'pages'>;
  /** Ends the browser and removes its profile. Never rejects. */
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Shows a window. */
  headed?: boolean | undefined;
  /** Aborting it ends a browser that is starting. */
  signal?: AbortSignal | undefined;
}

export type StartBrowser = (options?: BrowserOptions) => Promise<RunBrowser>;

const PREFIX = 'platform-devtools-run-';
/** How long the browser may take to close before it’s killed, in milliseconds. */
const CLOSE_LIMIT = 5_000;
/** A browser that was killed can still be writing, on a busy machine for seconds. */
const REMOVED = { recursive: true, force: true, maxRetries: 25, retryDelay: 50 };

/** @throws CodedError `BROWSER_MISSING`, `BROWSER_NOT_STARTED`, `ABORTED` */
export async function startBrowser({ headed = false, signal }: BrowserOptions = {}): Promise<
  RunBrowser & { browser: Browser }
> {
  const executablePath = installedBrowser();
  void removeLeftProfiles();
  let profile: string | undefined;
  let browser: Browser | undefined;
  // A browser that is killed while it closes has removed the link to its socket, but maybe not yet the socket’s folder.
  let folders: string[] = [];
  const allFolders = (): Set<string> => new Set([...folders, ...foldersOf(profile)]);
  // Also if the process ends early, such as after a second Ctrl+C.
  const atExit = (): void => {
    if (browser) kill(browser);
    for (const folder of allFolders()) rmSync(folder, REMOVED);
  };
  process.once('exit', atExit);
  const cleanUp = async (): Promise<void> => {
    if (browser) await closed(browser);
    for (const folder of allFolders()) await rm(folder, REMOVED).catch(() => undefined);
    process.off('exit', atExit);
  };
  try {
    profile = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    browser = await untilStarted(signal, (aborted) =>
      launch({ ...launchOptions(headed), executablePath, userDataDir: profile!, signal: aborted }),
    );
    folders = foldersOf(profile);
  } catch (cause) {
    await cleanUp();
    throw signal?.aborted ? canceled() : notStarted(executablePath, cause);
  }
  return { browser, close: cleanUp };
}

/** A later abort leaves the browser open, so that what runs in it can be stopped first. */
async function untilStarted<T>(
  signal: AbortSignal | undefined,
  start: (aborted: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    return await start(controller.signal);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

function installedBrowser(): string {
  let problem = 'No Chrome, Chromium, or Edge is installed.';
  try {
    const found = findBrowser('chromium');
    if (found) return found;
  } catch (error) {
    problem = (error as Error).message;
  }
  throw new CodedError({
    code: 'BROWSER_MISSING',
    message: `Couldn’t start a browser: ${problem}`,
    hint: `Install Chrome, Chromium, or Edge${process.platform === 'linux' ? ' (on Debian: apt-get install chromium)' : ''}, or set CHROME_PATH to its path.`,
  });
}

const launchOptions = (headed: boolean) => ({
  headless: !headed,
  // The browser ends with this process, however it ends.
  pipe: true,
  defaultViewport: null,
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
  args: chromiumArguments(!headed),
});

/** The profile, and the folder of its socket, which a browser that is killed leaves in the folder for temporary files. */
function foldersOf(profile: string | undefined): string[] {
  if (profile === undefined) return [];
  try {
    const folder = dirname(readlinkSync(join(profile, 'SingletonSocket')));
    // Other users can create such a profile, too, with a link to any place.
    const isSocketFolder = dirname(folder) === tmpdir() && /^\.?(?:com|org)\.\w+\.\w+\.\w+$/.test(basename(folder));
    return isSocketFolder ? [profile, folder] : [profile];
  } catch {
    return [profile];
  }
}

function notStarted(executablePath: string, cause: unknown): CodedError {
  const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
  return new CodedError(
    {
      code: 'BROWSER_NOT_STARTED',
      message: `Couldn’t start ${executablePath}: ${reason}`,
      hint: 'Check that the browser starts, or set CHROME_PATH to another one.',
    },
    { cause },
  );
}

/** Closes the browser, or kills it if it doesn’t respond. */
async function closed(browser: Browser): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, CLOSE_LIMIT)));
  await Promise.race([browser.close().catch(() => undefined), late]);
  clearTimeout(timer);
  kill(browser);
}

/** With the processes that it started, which can outlive it. Does nothing if all have ended. */
function kill(browser: Browser): void {
  const child = browser.process();
  if (child?.pid === undefined) return;
  const hasEnded = child.exitCode !== null || child.signalCode !== null;
  try {
    if (process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else if (!hasEnded) spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  } catch {
    if (!hasEnded) child.kill('SIGKILL');
  }
}

/** Profiles of processes that were killed before they could remove them. */
async function removeLeftProfiles(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(PREFIX)) continue;
    const pid = Number.parseInt(name.slice(PREFIX.length), 10);
    const profile = join(tmpdir(), name);
    if (pid === process.pid || isRunning(pid) || (await isOfOtherHost(profile))) continue;
    try {
      for (const folder of foldersOf(profile)) await rm(folder, { recursive: true, force: true });
    } catch {
      // It belongs to someone else.
    }
  }
}

/** Containers can share the folder. The browser’s lock is a link to its host and process. */
async function isOfOtherHost(profile: string): Promise<boolean> {
  const lock = await readlink(join(profile, 'SingletonLock')).catch(() => null);
  return lock !== null && !lock.startsWith(`${hostname()}-`);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
