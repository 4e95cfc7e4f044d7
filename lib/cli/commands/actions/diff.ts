/** `actions diff`: compares the files of actions with the platform. */
import { EXIT } from '../../command/exit-codes.ts';
import type { CliContext } from '../../command/context.ts';
import type { AddCommand } from '../../command/program.ts';
import type { Color } from '../../command/text.ts';
import { visible } from '../../../shared/invisible.ts';

export const addDiff: AddCommand = (actions, run) => {
  actions
    .command('diff [names...]')
    .description('Compare the files of actions with the platform: what a push would change')
    .option('--app <id>', 'the app (default: the project’s)')
    .action(
      run(async (context, names: string[], { app }: { app?: string }) => {
        const appId = await context.app(app);
        const { actionsFolder } = await import('../../actions/files.ts');
        const { diffActions } = await import('../../actions/diff.ts');
        const project = await context.project();
        const folder = await actionsFolder(project);
        const { connection } = await context.connect();
        context.progress(`Reading the actions of app ${appId}…`);
        const differences = await diffActions({ connection, appId, folder, project: project.folder, names }, context);
        context.print({ differences }, () =>
          differences.length === 0
            ? 'No differences.\n'
            : differences.map(({ diff }) => painted(context, visible(diff))).join(''),
        );
        return differences.length > 0 ? EXIT.negative : undefined;
      }),
    );
};

const COLORS: readonly [start: RegExp, color: Color][] = [
  [/^(---|\+\+\+) /, 'bold'],
  [/^@@/, 'cyan'],
  [/^-/, 'red'],
  [/^\+/, 'green'],
];

const painted = (context: CliContext, diff: string): string =>
  diff
    .split('\n')
    .map((line) => {
      const color = COLORS.find(([start]) => start.test(line))?.[1];
      return color ? context.paint(color, line) : line;
    })
    .join('\n');
