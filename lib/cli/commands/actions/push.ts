/** `actions push`: changes the actions of an app to what the files have. */
import { EXIT, exitCodeOf } from '../../command/exit-codes.ts';
import type { CliContext } from '../../command/context.ts';
import { printError } from '../../command/print-error.ts';
import type { AddCommand } from '../../command/program.ts';
import { table } from '../../command/text.ts';
import type { PlannedAction, PushPlan } from '../../actions/plan.ts';
import type { PushedAction, PushOutcome } from '../../actions/push.ts';

interface Options {
  app?: string;
  dryRun?: boolean;
  prune?: boolean;
  publish?: boolean;
  force?: boolean;
}

export const addPush: AddCommand = (actions, run) => {
  actions
    .command('push [names...]')
    .description('Change the actions of an app to what the files have')
    .option('--app <id>', 'the app (default: the project’s)')
    .option('--dry-run', 'show what would be changed')
    .option('--prune', 'remove actions whose file was removed since the last pull or push')
    .option('--publish', 'publish the actions, too')
    .option('--force', 'overwrite actions that have changed on the platform')
    .action(run(pushFiles));
};

async function pushFiles(
  context: CliContext,
  names: string[],
  { app, dryRun = false, ...flags }: Options,
): Promise<number | void> {
  const appId = await context.app(app);
  const { actionsFolder } = await import('../../actions/files.ts');
  const { planPush, pushConflict } = await import('../../actions/plan.ts');
  const { push } = await import('../../actions/push.ts');
  const project = await context.project();
  const folder = await actionsFolder(project);
  const { environment, connection } = await context.connect();
  context.progress(`Reading the actions of app ${appId}…`);
  const args = { connection, appId, folder, project: project.folder, names, ...flags };
  const plan = await planPush(args, context);
  if (!context.json || dryRun) context.print(planned(plan), () => planText(plan));
  if (dryRun) return plan.conflicts.length > 0 ? EXIT.negative : undefined;
  if (plan.conflicts.length > 0) throw pushConflict(plan.conflicts);
  const changes = plan.actions.filter(isChange).length;
  if (changes > 0) await context.confirmChange(environment, `Push ${counted(changes)} to app ${appId}?`);
  const outcome = await push(plan, args, {
    signal: context.signal,
    onStart: ({ pair: { name } }) => context.progress(`Pushing ${name}…`),
  });
  return report(context, outcome);
}

const counted = (changes: number): string => (changes === 1 ? '1 change' : `${changes} changes`);

const isChange = ({ change, publish }: PlannedAction): boolean => change !== 'none' || publish;

const planned = ({ actions, conflicts }: PushPlan): object => ({
  actions: [
    ...actions.map(({ pair: { name, file, here }, change, publish }) => ({
      name,
      file: here && file,
      change,
      publish,
    })),
    ...conflicts.map(({ pair: { name, file, here }, reason }) => ({
      name,
      file: here && file,
      change: 'conflict',
      publish: false,
      reason,
    })),
  ],
});

function planText({ actions, conflicts }: PushPlan): string {
  const changes = actions.filter(isChange);
  const unchanged = actions.length - changes.length;
  const rows = [
    ...changes.map(({ pair, change, publish }) => [
      change === 'none' ? 'publish' : change,
      pair.name,
      publish && change !== 'none' ? 'and publish' : '',
    ]),
    ...conflicts.map(({ pair, reason }) => ['conflict', pair.name, reason]),
  ];
  return table(rows) + (unchanged > 0 || rows.length === 0 ? `${unchanged} unchanged\n` : '');
}

/** Resolves with the exit code. */
function report(context: CliContext, { actions, error }: PushOutcome): number | undefined {
  const isInterrupted = context.signal.aborted && actions.some(({ state }) => state === 'not started');
  context.print({ actions, ...(error && { error }) }, () => outcomeText(actions, error !== null || isInterrupted));
  if (error && !context.json) printError(error, context.host, false);
  if (error) return exitCodeOf(error);
  return isInterrupted ? EXIT.interrupted : undefined;
}

function outcomeText(actions: readonly PushedAction[], isPartial: boolean): string {
  const changed = actions.filter(({ change, published, state }) => change !== 'none' || published || state !== 'done');
  const done = changed.filter(({ state }) => state === 'done').length;
  if (!isPartial) return changed.length === 0 ? '' : `Pushed ${counted(done)}.\n`;
  return `Pushed ${done} of ${counted(changed.length)}.\n${table(changed.map(({ state, name }) => [STATES[state], name]))}`;
}

const STATES: Readonly<Record<PushedAction['state'], string>> = {
  done: 'pushed',
  failed: 'not pushed',
  unknown: 'unknown',
  'not published': 'pushed, not published',
  'not started': 'not pushed',
};
