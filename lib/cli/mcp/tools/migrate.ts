/** Proposes the migration of an action from V2 to V3. */
import * as v from 'valibot';
import { placeOf } from '../../files.ts';
import { proposeMigration } from '../../operations/propose-migration.ts';
import { defineTool } from '../tool.ts';
import { action, actionOf, app, keepText } from './shared.ts';

/** More of them rarely say more. */
const DIFFERENCES = 10;

export const migrateActionTool = defineTool({
  name: 'migrate_action',
  description:
    'Translate a V2 action to V3 code, and prove on its recorded runs that both behave alike. Changes nothing on the platform. write: also write the files to the folder “migrated” of the project. Needs --allow-writes.',
  writes: true,
  isHeavy: true,
  entries: { app, action, write: v.optional(v.boolean(), false) },
  handler: async ({ app: given, action: wanted, write }, call) => {
    if (write) call.requireWrites('write files');
    const { connection, options } = call.session;
    const appId = call.session.app(given);
    const { name } = await actionOf(call, appId, wanted);
    const out = write ? placeOf('migrated', options.folder) : null;
    const { code, draft, report } = await proposeMigration(
      connection,
      { appId, name, out },
      { signal: call.signal, tokens: options.tokens },
    );
    const { steps, proof, strength, status, level, notes } = report;
    const found = [...proof.comparisons, ...(proof.generated ?? [])].flatMap(({ differences }) => differences);
    const written = write ? ' The files were written to the folder “migrated” of the project.' : '';
    return {
      note: `The handle has the code: read shows it.${written}`,
      handle: keepText(code, call.session),
      data: {
        status,
        level,
        notes,
        coverage: proof.coverage,
        mutants: { caught: strength.caught, total: strength.total },
        differences: found.slice(0, DIFFERENCES),
        steps: steps.filter(({ reasons }) => reasons.length > 0),
        action: draft,
      },
    };
  },
});
