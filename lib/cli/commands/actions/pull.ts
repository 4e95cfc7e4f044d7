/** `actions pull`: writes the actions of an app to files. */
import type { ActionFile } from '../../actions/files.ts';
import type { CliContext } from '../../command/context.ts';
import type { AddCommand } from '../../command/program.ts';
import { table } from '../../command/text.ts';
import { visible } from '../../../shared/invisible.ts';

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
        const onWrite = (written: ActionFile): void => warnOfToken(written, context);
        const args = { connection, appId, folder, project: project.folder, names, onWrite, ...flags };
        const pulled = await pullActions(args, context);
        context.print({ folder, actions: pulled }, () => {
          const changed = pulled.filter(({ result }) => result !== 'unchanged');
          const unchanged = pulled.length - changed.length;
          return (
            table(changed.map(({ result, name, file }) => [result, name, file])) +
            (unchanged > 0 || pulled.length === 0 ? visible(`${unchanged} unchanged in ${folder}\n`) : '')
          );
        });
      }),
    );
};

/** The file is as the platform has the action: with a mask instead, a push would change it there. */
function warnOfToken({ file, content }: ActionFile, context: CliContext): void {
  const places = context.host.tokens.placesIn(content);
  if (places.length === 0) return;
  context.warn(
    `${file} has a token at ${places.slice(0, 3).join(', ')}${places.length > 3 ? ', …' : ''}. Replace it on the platform before you commit the file.`,
  );
}
