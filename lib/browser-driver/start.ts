/** Shows the demo: starts the local platform, and opens it and the extension in a browser. */
import { dirname, join, relative } from 'node:path';
import { OAUTH2_SCREEN, startPlatform } from '../local-platform/index.ts';
import { CodedError } from '../platform-api/coded-error.ts';
import { cacheFolder, IS_PACKAGE, moduleFile, ROOT } from '../local-platform/installation.ts';
import { makeFolder } from '../local-platform/make-folder.ts';
import type * as Build from './build.ts';
import { launchBrowser } from './chromium.ts';
import { ensureBrowser } from './find-browser.ts';
import { type Choice, enterEnvironment, openAction, type Outcome, runAction } from './job.ts';
import type { PanelPage } from './pages/panel-page.ts';

const DEMO: Choice = { app: 'Field Service', action: 'notify-admins', payload: '{}' };
/** What the package has instead of the sources. */
const BUILT_EXTENSION = join(ROOT, 'dist/extension/chrome-mv3');

export interface DemoOptions {
  /** Runs the action and ends, even with a display. */
  once: boolean;
  /** Default: whether windows can’t be shown. */
  headless?: boolean;
  /** File of the screenshot (.png) of a run. */
  screenshot?: string;
  /** Ends the demo. */
  signal: AbortSignal;
  /** Called with each line of the output. */
  print(line: string): void;
}

interface Closable {
  close(): Promise<unknown>;
}

/** Where the screenshot of a run is saved by default. */
export const defaultScreenshot = (): string =>
  IS_PACKAGE ? join(cacheFolder('screenshots'), 'panel.png') : join(ROOT, 'test-results/panel.png');

/** Whether windows can be shown. On Linux, that requires a display server. */
function hasDisplay(): boolean {
  return (
    process.platform === 'darwin' ||
    process.platform === 'win32' ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  );
}

/** The run, and where its screenshot is. */
export interface DemoRun extends Outcome {
  screenshot: string;
}

/**
 * Resolves with the run, or null without one, once everything that was started has ended. A call of the browser’s driver
 * can still be pending, so the process should be ended.
 * @throws CodedError `BROWSER_MISSING`, or the signal’s reason if it’s aborted
 */
export async function startDemo(options: DemoOptions): Promise<DemoRun | null> {
  /** Everything to close, newest first. */
  const opened: Closable[] = [];
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(options.signal.reason);
  aborted.catch(() => undefined);
  options.signal.addEventListener('abort', abort, { once: true });
  try {
    options.signal.throwIfAborted();
    return await Promise.race([show(options, opened), aborted]);
  } finally {
    options.signal.removeEventListener('abort', abort);
    for (const each of opened) await each.close().catch(() => undefined);
  }
}

async function show(options: DemoOptions, opened: Closable[]): Promise<DemoRun | null> {
  const { once, signal, print } = options;
  const headless = options.headless ?? !hasDisplay();
  const executablePath = ensureBrowser('chromium');
  const extensionPath = await extensionFolder(print);
  const platform = await opening(startPlatform({ port: 0, data: 'memory' }), opened, signal);
  print(`Local platform at ${platform.baseUrl}`);
  if (platform.oauthDemo)
    print(
      `OAuth2 demo services at ${platform.oauthDemo.code} and ${platform.oauthDemo.implicit} (screen ${OAUTH2_SCREEN.pageId} of ${DEMO.app} logs in to them)`,
    );
  const launched = launchBrowser({ executablePath, extension: extensionPath, headless });
  const extension = await opening(launched, opened, signal);
  await enterEnvironment(extension, platform);
  const panel = await openAction(extension, DEMO, headless);
  if (once || headless) return runOnce(panel, options.screenshot ?? defaultScreenshot(), print);
  print(
    `${DEMO.app} / ${DEMO.action} is open in the Platform panel. Press Run. Auth token for the platform: ${platform.authToken}`,
  );
  print('Close the browser or press Ctrl+C to stop.');
  await new Promise((closed) => extension.browser.once('disconnected', closed));
  return null;
}

/** In the repository, builds what the package has. */
async function extensionFolder(print: DemoOptions['print']): Promise<string> {
  if (IS_PACKAGE) return BUILT_EXTENSION;
  print('Building the extension…');
  // Not by its name, because the package doesn’t have it.
  const { href } = moduleFile('build', import.meta.url);
  const { buildExtension } = (await import(href)) as typeof Build;
  return buildExtension('chrome');
}

/** Notes what has to be closed. What opens after the end is closed at once. */
async function opening<T extends Closable>(starts: Promise<T>, opened: Closable[], signal: AbortSignal): Promise<T> {
  const started = await starts;
  if (signal.aborted) await started.close();
  signal.throwIfAborted();
  opened.unshift(started);
  return started;
}

async function runOnce(panel: PanelPage, screenshot: string, print: DemoOptions['print']): Promise<DemoRun> {
  print(`Action      ${DEMO.app} / ${DEMO.action}\nPayload     ${DEMO.payload}\nSteps`);
  const outcome = await runAction(panel);
  await save(panel, screenshot);
  const run = { ...outcome, screenshot };
  report(run, print);
  return run;
}

async function save(panel: PanelPage, screenshot: string): Promise<void> {
  try {
    await makeFolder(dirname(screenshot));
    await panel.picture(screenshot as `${string}.png`);
  } catch (cause) {
    const message = `Couldn’t save the screenshot ${screenshot}: ${(cause as Error).message}`;
    throw new CodedError(
      { code: 'FILES_NOT_WRITTEN', message, hint: 'Choose another file with --screenshot.' },
      { cause },
    );
  }
}

function report({ state, steps, result, screenshot }: DemoRun, print: DemoOptions['print']): void {
  for (const { state: ended, path, text } of steps) {
    const depth = path.split('/').filter((part) => part === 'functions' || part === 'elseFunctions').length;
    print(`  ${ended.padEnd(9)}  ${`${'  '.repeat(depth)}${text.replace(/^[▸▾] */, '')}`.padEnd(48)}  ${path}`);
  }
  print(`State       ${state}\nScreenshot  ${shownPath(screenshot)}`);
  print(`Result: ${result}`);
}

/** Relative to the current folder, if it’s in there. */
function shownPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith('..') ? path : short;
}
