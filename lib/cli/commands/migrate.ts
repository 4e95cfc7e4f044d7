/** `migrate`: migrates an app’s V2 actions to V3, and proves that both versions behave alike. */
import type { AddCommand } from '../command/program.ts';
import { printError } from '../command/print-error.ts';
import { type MigrateFlags, readMigrateOptions } from '../migrate/arguments.ts';
import { collect } from './platform.ts';

const EXIT_CODES = `
Each action gets a folder with action.v3.js, action.v3.json, and report.json. Nothing is changed on the platform.

Exit codes, of which the highest applies:

  0  every action is proved
  1  an action is equal so far, or faithful
  2  an action needs a person, or is blocked
  3  an action differs
  4  an action couldn’t be migrated
  5  nothing could be migrated
`;
const NOTHING_MIGRATED = 5;

export const addMigrate: AddCommand = (program, run) => {
  program
    .command('migrate')
    .description('Migrate the V2 actions of an app to V3, and prove on recorded runs that they behave alike')
    .option('--app <id>', 'the app (default: the project’s)')
    .option('--action <name>', 'only this action (repeatable; default: all actions of the app)', collect)
    .option('--action-file <file>', 'an action from a file instead of a platform (repeatable)', collect)
    .option('--source <package=file>', 'the source code of a function package (repeatable)', collect)
    .option('--recordings <folder>', 'recordings of runs, as the panel exports them')
    .option('--effects', 'also run both versions on two local platforms, and compare what they do')
    .option('--out <folder>', 'where to write (default: migrated)')
    .option('--prove', 'prove the edited code in the folder again, and don’t write it')
    .option('--force', 'overwrite files that something else has written or changed')
    .option('--trust', 'run code of this repository where the system can’t confine it, now and later')
    .addHelpText('after', EXIT_CODES)
    .action(
      run(async (context, flags: MigrateFlags) => {
        const options = await readMigrateOptions(flags, context);
        const [{ migrateApp }, { exitCodeOf, summaryOf }] = await Promise.all([
          import('../migrate/migrate-app.ts'),
          import('../migrate/output/summary.ts'),
        ]);
        context.progress('Migrating…');
        const migrated = await migrateApp(options);
        if (!migrated.ok) {
          context.endProgress();
          printError(migrated.error, context.host, context.json);
          // The exit code says which signal it was.
          return context.signal.aborted ? undefined : NOTHING_MIGRATED;
        }
        const actions = migrated.value;
        context.print({ actions }, () => summaryOf(actions, flags.out ?? 'migrated'));
        return exitCodeOf(actions);
      }),
    );
};
