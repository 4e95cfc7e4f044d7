/** Writes the files of a migration: the code, the action’s other properties, and the report with the proof. */
import type { Migration, StepReport, Strength } from '../../../migrate/index.ts';
import { missingDependencies } from '../../../platform-api/actions-v3/index.ts';
import type { LabeledAside } from './gather.ts';
import type { Proved } from './proving.ts';
import type { AcceptedDifference } from './saved-work.ts';

export interface MigrationResult {
  migration: Migration;
  /** Which can have been edited. */
  code: string;
  steps: readonly StepReport[];
  /** Null without a proof of this code. */
  proved: Proved | null;
  strength: Strength | null;
  aside: readonly LabeledAside[];
  accepted: readonly AcceptedDifference[];
}

export function migrationFiles(result: MigrationResult) {
  const { migration, code } = result;
  // The edit can use other packages.
  const action = { ...migration.action, dependencies: missingDependencies(code, []).sort() };
  return {
    'action.v3.js': code,
    'action.v3.json': written(action),
    'report.json': written(reportOf(result)),
  };
}

function reportOf({ migration, code, steps, proved, strength, aside, accepted }: MigrationResult): object {
  return {
    ...migration.report,
    isEdited: code !== migration.code,
    ...(proved ? { status: proved.proof.status, coverage: proved.proof.coverage } : { status: null }),
    steps: proved?.proof.steps ?? steps,
    ...(proved && {
      runs: proved.proof.comparisons.map((comparison, index) => ({ run: proved.runs[index]?.label, ...comparison })),
    }),
    aside,
    accepted,
    strength,
  };
}

/** JSON has no undefined, which differs from null here. */
const written = (value: object): string =>
  `${JSON.stringify(value, (key, each: unknown) => ((key === 'v2' || key === 'v3') && each === undefined ? '(undefined)' : each), 2)}\n`;
