/** Implements `npm start`: builds the extension, starts the local platform, and opens both in a browser. */
import { mkdir } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { OAUTH2_SCREEN, startPlatform } from '../local-platform/index.ts';
import { launchBrowser } from './chromium.ts';
import { buildExtension } from './build.ts';
import { ensureBrowser } from './find-browser.ts';
import { type Choice, enterEnvironment, openAction, type Outcome, runAction } from './job.ts';

const HELP = `npm start [-- OPTIONS]

Builds the extension and starts the local platform with its demo data in memory. Then opens a browser with the extension,
and DevTools on the debug page of an action. Without a display, the browser is headless: the command runs the action in
the panel, prints its steps and its result, and saves a screenshot of the panel.

  --once    run the action and exit, even with a display
  --help    show this text

CHROME_PATH is the path of the browser to use. The last line of a run is “Result: <json>”. The exit code is 0 if the run
completed.`;

const DEMO: Choice = { app: 'Field Service', action: 'notify-admins', payload: '{}' };
const PICTURE = resolve(import.meta.dirname, '../../test-results/panel.png');

interface Closable {
  close(): Promise<unknown>;
}

/** Whether windows can be shown. On Linux, that requires a display server. */
function hasDisplay(): boolean {
  return (
    process.platform === 'darwin' ||
    process.platform === 'win32' ||
    Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY)
  );
}

async function main(once: boolean, stopped: Promise<unknown>, opened: Closable[]): Promise<number> {
  const headless = !hasDisplay();
  const executablePath = ensureBrowser('chromium');
  console.log('Building the extension…');
  const extensionPath = await buildExtension('chrome');
  const platform = await startPlatform({ port: 0, data: 'memory' });
  opened.unshift(platform);
  console.log(`Local platform at ${platform.baseUrl}`);
  if (platform.oauthDemo)
    console.log(
      `OAuth2 demo services at ${platform.oauthDemo.code} and ${platform.oauthDemo.implicit} (screen ${OAUTH2_SCREEN.pageId} of ${DEMO.app} logs in to them)`,
    );
  const extension = await launchBrowser({ executablePath, extension: extensionPath, headless });
  opened.unshift(extension);
  await enterEnvironment(extension, platform);
  const panel = await openAction(extension, DEMO, headless);

  if (once || headless) {
    console.log(`Action      ${DEMO.app} / ${DEMO.action}\nPayload     ${DEMO.payload}\nSteps`);
    const outcome = await runAction(panel);
    await mkdir(dirname(PICTURE), { recursive: true });
    await panel.picture(PICTURE as `${string}.png`);
    report(outcome);
    return outcome.state === 'completed' ? 0 : 1;
  }
  console.log(
    `${DEMO.app} / ${DEMO.action} is open in the Platform panel. Press Run. Auth token for the platform: ${platform.authToken}`,
  );
  console.log('Close the browser or press Ctrl+C to stop.');
  await Promise.race([stopped, new Promise((closed) => extension.browser.once('disconnected', closed))]);
  return 0;
}

function report({ state, steps, result }: Outcome): void {
  for (const { state: ended, path, text } of steps) {
    const depth = path.split('/').filter((part) => part === 'functions' || part === 'elseFunctions').length;
    console.log(`  ${ended.padEnd(9)}  ${`${'  '.repeat(depth)}${text.replace(/^[▸▾] */, '')}`.padEnd(48)}  ${path}`);
  }
  console.log(`State       ${state}\nScreenshot  ${relative(process.cwd(), PICTURE)}`);
  console.log(`Result: ${result}`);
}

const { values } = (() => {
  try {
    return parseArgs({
      options: { once: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    });
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nSee npm start -- --help.`);
    process.exit(2);
  }
})();
if (values.help) {
  console.log(HELP);
  process.exit(0);
}

/** Everything to close on exit, newest first. */
const opened: Closable[] = [];
const stopped = new Promise<number>((stop) => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)
    process.once(signal, () => stop(code));
});
try {
  process.exitCode = await Promise.race([main(values.once, stopped, opened), stopped]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const each of opened) await each.close().catch(() => undefined);
}
// Otherwise, a pending driver call would keep the process alive until it times out.
process.exit();
