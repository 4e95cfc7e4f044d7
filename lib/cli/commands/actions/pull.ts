/** `actions pull`: writes the actions of an app to files. */
import type { AddCommand } from '../../command/program.ts';
import { printable, table } from '../../command/text.ts';

interface Options {
  app?: string;
  force?: boolean;
  prune?: boolean;
}

export const addPull: AddCommand = (actions, run) => {
  actions
    .command('pull [names...]')
    .description('Write the actions of an app to files')
    .option('--app <id>', 'the app (default: the project’s)')
    .option('--force', 'overwrite files that have edits')
    .option('--prune', 'remove files whose action the platform no longer has')
    .action(
      run(async (context, names: string[], { app, ...flags }: Options) => {
        const appId = await context.app(app);
        const { actionsFolder } = await import('../../actions/files.ts');
        const { pullActions } = await import('../../actions/pull.ts');
        const project = await context.project();
        const folder = await actionsFolder(project);
        const { connection } = await context.connect();
        context.progress(`Reading the actions of app ${appId}…`);
        const pulled = await pullActions(
          { connection, appId, folder, project: project.folder, names, ...flags },
          context,
        );
        context.print({ folder, actions: pulled }, () => {
          const changed = pulled.filter(({ result }) => result !== 'unchanged');
          const unchanged = pulled.length - changed.length;
          return (
            table(changed.map(({ result, name, file }) => [result, name, file])) +
            (unchanged > 0 || pulled.length === 0 ? printable(`${unchanged} unchanged in ${folder}\n`) : '')
          );
        });
      }),
    );
};
