/** All commands, as Commander has them. */
import { readFileSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { Command, Option } from 'commander';
import { addActions } from '../commands/actions/index.ts';
import { addApps } from '../commands/apps.ts';
import { addEnvironments } from '../commands/environments.ts';
import { addExplain } from '../commands/explain.ts';
import { addMigrate } from '../commands/migrate.ts';
import { addPlatform } from '../commands/platform.ts';
import { addPublish } from '../commands/publish.ts';
import { addReplay } from '../commands/replay.ts';
import { addRun } from '../commands/run.ts';
import { addSessions } from '../commands/sessions.ts';
import { CliContext, type GlobalOptions } from './context.ts';
import type { Host } from './host.ts';

/** Resolves with the exit code, or with nothing for 0. */
export type Handler<A extends unknown[]> = (context: CliContext, ...args: A) => Promise<number | void>;

/** Adds a command to the program. `run` wraps its handler. */
export type AddCommand = (program: Command, run: Run) => void;
export type Run = <A extends unknown[]>(handler: Handler<A>) => (...args: [...A, Command]) => Promise<void>;

const COMMANDS: readonly AddCommand[] = [
  addApps,
  addPublish,
  addSessions,
  addActions,
  addRun,
  addReplay,
  addExplain,
  addMigrate,
  addPlatform,
  addEnvironments,
];

export const VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

/** @param ended gets the exit code of the command that ran */
export function createProgram(host: Host, ended: (code: number | undefined) => void): Command {
  const program = new Command('platform-devtools')
    .description('Run, debug, migrate, and publish apps of the platform.')
    .version(VERSION, '--version', 'print the version')
    .addOption(new Option('--env <name>', 'the environment (default: PLATFORM_ENV, or the default environment)'))
    .addOption(new Option('--url <url>', 'the platform’s URL, instead of an environment'))
    .addOption(
      new Option('--token-file <file>', 'a file with the token (default: PLATFORM_TOKEN, or the stored token)'),
    )
    .option('--json', 'print JSON')
    .option('--yes', 'change production environments without asking')
    .option('--no-color', 'print without colors')
    .helpOption('--help', 'print this help')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: host.out, writeErr: () => {}, getOutHelpWidth: () => host.columns })
    .exitOverride();
  const run: Run =
    (handler) =>
    async (...args) => {
      const command = args.pop() as Command;
      const context = new CliContext(host, command.optsWithGlobals<GlobalOptions>());
      try {
        ended((await handler(context, ...(args as never))) as number | undefined);
      } finally {
        context.endProgress();
      }
    };
  for (const add of COMMANDS) add(program, run);
  // Adds the command `complete`, which prints the script for a shell, and answers that script.
  tab(program);
  return program;
}

/** The name of the command that the arguments call, such as “actions push”. */
export function commandName(program: Command, args: readonly string[]): string {
  const names: string[] = [];
  let command: Command | undefined = program;
  for (const arg of args) {
    command = command.commands.find((each) => each.name() === arg || each.aliases().includes(arg));
    if (!command) break;
    names.push(command.name());
  }
  return names.join(' ');
}
