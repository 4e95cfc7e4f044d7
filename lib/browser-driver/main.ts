/** Entry point of `npm start`. */
import { parseArgs } from 'node:util';
import { startDemo } from './start.ts';

const HELP = `npm start [-- OPTIONS]

Builds the extension and starts the local platform with its demo data in memory. Then opens a browser with the extension,
and DevTools on the debug page of an action. Without a display, the browser is headless: the command runs the action in
the panel, prints its steps and its result, and saves a screenshot of the panel.

  --once    run the action and exit, even with a display
  --help    show this text

CHROME_PATH is the path of the browser to use. The last line of a run is “Result: <json>”. The exit code is 0 if the run
completed.`;

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

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

const stop = new AbortController();
for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => stop.abort(code));
try {
  process.exitCode = await startDemo({ once: values.once, signal: stop.signal, print: console.log });
} catch (error) {
  if (!stop.signal.aborted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = stop.signal.aborted ? (stop.signal.reason as number) : 1;
}
// Otherwise, a pending driver call would keep the process alive until it times out.
process.exit();
