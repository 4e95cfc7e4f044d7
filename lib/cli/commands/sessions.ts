/** `sessions`: reads the analytics sessions of an app. */
import type { AddCommand } from '../command/program.ts';
import { table } from '../command/text.ts';
import { parseInteger } from '../command/usage.ts';
import { sessionsFrom } from '../operations/sessions-from.ts';

export const addSessions: AddCommand = (program, run) => {
  program
    .command('sessions')
    .description('List the analytics sessions of an app')
    .option('--app <id>', 'the app (default: the project’s)')
    .option('--limit <number>', 'at most this many sessions')
    .option('--offset <number>', 'skip this many sessions')
    .action(
      run(async (context, options: { app?: string; limit?: string; offset?: string }) => {
        const appId = await context.app(options.app);
        const limit = options.limit === undefined ? undefined : parseInteger(options.limit, '--limit', 1, 100_000);
        const offset = options.offset === undefined ? 0 : parseInteger(options.offset, '--offset', 0, 1e9);
        const { connection } = await context.connect();
        const sessions = await sessionsFrom(connection, { appId, limit, offset }, context);
        context.print({ sessions }, () =>
          sessions.length === 0
            ? `No ${offset > 0 ? 'more ' : ''}sessions.\n`
            : table([
                ['ID', 'USER', 'DEVICE', 'BROWSER', 'VERSION', 'LAST ACCESSED'],
                ...sessions.map(({ id, user, identifier, appVersion, lastAccessedAt }) => [
                  id,
                  user?.email,
                  [identifier?.os?.family, identifier?.os?.major].filter(Boolean).join(' '),
                  [identifier?.browser?.family, identifier?.browser?.major].filter(Boolean).join(' '),
                  appVersion?.currentVersion,
                  lastAccessedAt,
                ]),
              ]),
        );
      }),
    );
};
