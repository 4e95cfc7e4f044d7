/** `actions`: lists, shows, and synchronizes the actions of an app. */
import type { AddCommand } from '../../command/program.ts';
import { unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import { printableJson, table } from '../../command/text.ts';
import { findAction } from '../../operations/find-action.ts';
import { listActions } from '../../operations/list-actions.ts';
import { addDiff } from './diff.ts';
import { addPull } from './pull.ts';
import { addPush } from './push.ts';

export const addActions: AddCommand = (program, run) => {
  const actions = program.command('actions').description('List, show, and synchronize the actions of an app');
  actions
    .command('list')
    .description('List the V2 actions of an app')
    .option('--app <id>', 'the app (default: the project’s)')
    .action(
      run(async (context, { app }: { app?: string }) => {
        const appId = await context.app(app);
        const { connection } = await context.connect();
        const all = await listActions(connection, appId, context);
        context.print({ actions: all }, () =>
          all.length === 0
            ? `${unreadableOf(all).length > 0 ? 'No action could be read.' : 'No V2 actions.'}\n`
            : table([
                ['ID', 'NAME', 'RUNS ON', 'REVISION', 'PUBLISHED'],
                ...all.map(({ id, name, environment, revision, published }) => [
                  id,
                  name,
                  environment,
                  revision,
                  published ? 'yes' : 'no',
                ]),
              ]),
        );
      }),
    );
  actions
    .command('get <action>')
    .description('Show an action as JSON, by name or ID')
    .option('--app <id>', 'the app (default: the project’s)')
    .action(
      run(async (context, name: string, { app }: { app?: string }) => {
        const appId = await context.app(app);
        const { connection } = await context.connect();
        const action = findAction(await listActions(connection, appId, context), name);
        context.print({ action }, () => `${printableJson(action, 2)}\n`);
      }),
    );
  addPull(actions, run);
  addPush(actions, run);
  addDiff(actions, run);
};
