/** All commands, as Commander has them. */
import { Command, Option } from 'commander';
import { VERSION } from '../../local-platform/version.ts';
import { CliContext, type GlobalOptions } from './context.ts';
import type { Host } from './host.ts';

/** Resolves with the exit code, or with nothing for 0. */
export type Handler<A extends unknown[]> = (context: CliContext, ...args: A) => Promise<number | void>;

/** Adds a command to the program. `run` wraps its handler. */
export type AddCommand = (program: Command, run: Run) => void;
export type Run = <A extends unknown[]>(handler: Handler<A>) => (...args: [...A, Command]) => Promise<void>;

/** In the order of the help. Loaded when it’s called, so that a command doesn’t wait for the others. */
const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  apps: async () => (await import('../commands/apps.ts')).addApps,
  publish: async () => (await import('../commands/publish.ts')).addPublish,
  sessions: async () => (await import('../commands/sessions.ts')).addSessions,
  logs: async () => (await import('../commands/logs.ts')).addLogs,
  actions: async () => (await import('../commands/actions/index.ts')).addActions,
  run: async () => (await import('../commands/run.ts')).addRun,
  replay: async () => (await import('../commands/replay.ts')).addReplay,
  explain: async () => (await import('../commands/explain.ts')).addExplain,
  migrate: async () => (await import('../commands/migrate.ts')).addMigrate,
  mcp: async () => (await import('../commands/mcp.ts')).addMcp,
  platform: async () => (await import('../commands/platform.ts')).addPlatform,
  start: async () => (await import('../commands/start.ts')).addStart,
  environments: async () => (await import('../commands/environments.ts')).addEnvironments,
  doctor: async () => (await import('../commands/doctor.ts')).addDoctor,
};

/**
 * @param ended gets the exit code of the command that ran
 * @param first the first argument: if it’s a command, the program has only this one
 */
export async function createProgram(
  host: Host,
  ended: (code: number | undefined) => void,
  first?: string,
): Promise<Command> {
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
        context.close();
      }
    };
  if (first !== undefined && Object.hasOwn(COMMANDS, first)) {
    (await COMMANDS[first]!())(program, run);
    return program;
  }
  for (const add of await Promise.all(Object.values(COMMANDS).map((load) => load()))) add(program, run);
  // Adds the command `complete`, which prints the script for a shell, and answers that script.
  const { default: tab } = await import('@bomb.sh/tab/commander');
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
