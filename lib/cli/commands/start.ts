/** `start`: shows the demo, which is a local platform, and a browser with the extension on one of its actions. */
import { resolve } from 'node:path';
import type { DemoRun } from '../../browser-driver/start.ts';
import type { CliContext } from '../command/context.ts';
import { EXIT } from '../command/exit-codes.ts';
import type { AddCommand } from '../command/program.ts';
import { invalidArgument } from '../command/usage.ts';

const HELP = `
Starts the local platform with its demo data in memory. Then opens a browser with the extension, and DevTools on the
debug page of an action. Without a display, the browser is headless: the command runs the action in the panel, prints
its steps and its result, and saves a screenshot of the panel.

CHROME_PATH is the path of the browser to use. The last line of a run is “Result: <json>”. The exit code is 0 if the run
completed.
`;

/** A pending call of the browser’s driver would keep the process alive for longer, in milliseconds. */
const EXIT_DELAY = 500;

interface StartFlags {
  once?: boolean;
  screenshot?: string;
}

export const addStart: AddCommand = (program, run) => {
  program
    .command('start')
    .description('Open the demo: DevTools on an action of a local platform')
    .option('--once', 'run the action and exit, even with a display')
    .option('--screenshot <file>', 'where to save the screenshot (.png)')
    .addHelpText('after', HELP)
    .action(
      run(async (context, flags: StartFlags) => {
        const ended = await demo(context, flags).finally(() => setTimeout(() => process.exit(), EXIT_DELAY).unref());
        // The exit code says which signal it was.
        if (context.signal.aborted) return;
        if (ended && context.json) context.print(ended, () => '');
        return !ended || ended.state === 'completed' ? EXIT.done : EXIT.failed;
      }),
    );
};

/** Null if it was stopped. */
async function demo(context: CliContext, { once = false, screenshot }: StartFlags): Promise<DemoRun | null> {
  const { signal, host, json } = context;
  const { startDemo } = await import('../../browser-driver/start.ts');
  const print = (line: string): void => (json ? undefined : host.out(`${line}\n`));
  if (screenshot !== undefined && !screenshot.endsWith('.png'))
    throw invalidArgument(`--screenshot must be a file that ends with .png, not “${screenshot}”.`);
  const file = screenshot === undefined ? {} : { screenshot: resolve(host.cwd, screenshot) };
  try {
    return await startDemo({ once: once || json, ...file, signal, print });
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
