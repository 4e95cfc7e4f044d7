/** `publish`: publishes a release of an app. */
import { Option } from 'commander';
import { ReleaseType } from '../../platform-api/app.ts';
import { toErrorValue } from '../../platform-api/coded-error.ts';
import { isOutputLost } from '../command/host.ts';
import type { AddCommand } from '../command/program.ts';
import { invalidArgument } from '../command/usage.ts';
import { readText } from '../files.ts';
import { publish } from '../operations/publish.ts';

interface Options {
  app?: string;
  type: ReleaseType;
  notes?: string;
  notesFile?: string;
  again?: boolean;
}

export const addPublish: AddCommand = (program, run) => {
  program
    .command('publish')
    .description('Publish a release of an app')
    .option('--app <id>', 'the app (default: the project’s)')
    .addOption(new Option('--type <type>', 'the type of the release').choices(ReleaseType.options).default('silent'))
    .option('--notes <text>', 'the release notes')
    .option('--notes-file <file>', 'a file with the release notes; - reads standard input')
    .option('--again', 'publish although it’s unknown how an earlier publish ended')
    .action(
      run(async (context, options: Options) => {
        const appId = await context.app(options.app);
        const notes = await notesOf(options, () => context.host.readInput());
        const { environment, connection } = await context.connect();
        await context.confirmChange(environment, `Publish app ${appId}?`);
        context.progress(`Publishing app ${appId}…`);
        const args = { appId, release: { type: options.type, changelog: notes }, again: options.again ?? false };
        const { app, settle } = await publish(connection, args, { env: context.host.env, signal: context.signal });
        context.print({ app }, () => `Published version ${app.version} of app ${app.id}.\n`);
        if (await isOutputLost(context.host)) return;
        await settle().catch((error: unknown) =>
          context.warn(`${toErrorValue(error).message} The next publish will need --again.`),
        );
      }),
    );
};

async function notesOf({ notes, notesFile }: Options, readInput: () => Promise<string>): Promise<string> {
  if ((notes === undefined) === (notesFile === undefined))
    throw invalidArgument('Either --notes or --notes-file is required.');
  const text = notes ?? (notesFile === '-' ? await readInput() : await readText(notesFile!));
  if (!text.trim()) throw invalidArgument('The release notes must not be empty.');
  return text.trim();
}
