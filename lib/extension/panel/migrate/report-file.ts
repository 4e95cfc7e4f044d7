/** Writes the files of a migration: the code, the action’s other properties, and the report with the proof. */
import { type MigrationReport, reportOf, type Strength, type V3Draft, writableProof } from '../../../migrate/index.ts';
import type { LabeledAside } from './gather.ts';
import type { Proved } from './proving.ts';
import type { AcceptedDifference } from './saved-work.ts';

export interface MigrationResult {
  report: MigrationReport;
  properties: V3Draft;
  code: string;
  isEdited: boolean;
  /** Null without a proof of this code. */
  proved: Proved | null;
  strength: Strength | null;
  aside: readonly LabeledAside[];
  accepted: readonly AcceptedDifference[];
}

export function migrationFiles({ report, properties, code, proved, strength, ...more }: MigrationResult) {
  const proof = proved && writableProof(proved.proof);
  /** Names of the recorded runs, in the order of the proof’s comparisons. */
  const runs = proved?.runs.map(({ label }) => label) ?? [];
  return {
    'action.v3.js': code,
    'action.v3.json': written(properties),
    'report.json': written({ ...reportOf(report, proof, strength), runs, ...more }),
  };
}

const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
