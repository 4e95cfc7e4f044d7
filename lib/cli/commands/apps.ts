/** `apps`: lists the apps that the token can access. */
import { listApps } from '../../rest/index.ts';
import type { AddCommand } from '../command/program.ts';
import { table } from '../command/text.ts';
import { matching } from '../operations/matching.ts';

export const addApps: AddCommand = (program, run) => {
  program
    .command('apps')
    .description('List the apps that the token can access')
    .option('--search <text>', 'only apps whose name or ID contains it')
    .action(
      run(async (context, { search }: { search?: string }) => {
        const { connection } = await context.connect();
        const apps = matching(await listApps(connection, { signal: context.signal }), search);
        context.print({ apps }, () =>
          apps.length === 0
            ? 'No apps.\n'
            : table([['ID', 'NAME', 'VERSION'], ...apps.map(({ id, name, version }) => [id, name, version])]),
        );
      }),
    );
};
