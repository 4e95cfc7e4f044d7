/** Makes `report.json`: what was migrated, what was proved, and how strong the proof is. */
import { writeForDisplay } from '../debugging/recording/display-value.ts';
import type { Strength } from './proof/strength.ts';
import type { Comparison, Proof, ProvedStep, Status } from './proof/types.ts';
import type { MigrationReport } from './types.ts';

/** The content of `report.json`. */
export interface ProofReport extends MigrationReport {
  /** Null without a proof of this code. */
  status: Status | null;
  /** What was proved of the whole. Its steps are the report’s. */
  proof: Omit<Proof, 'steps'> | null;
  strength: Strength | null;
}

/** A report with a proof. */
export interface ProvedReport extends ProofReport {
  status: Status;
  steps: ProvedStep[];
  proof: Omit<Proof, 'steps'>;
  strength: Strength;
}

/** @param proof of the code as it is, from `writableProof` */
export function reportOf(report: MigrationReport, proof: Proof, strength: Strength): ProvedReport;
export function reportOf(report: MigrationReport, proof: Proof | null, strength: Strength | null): ProofReport;
export function reportOf(report: MigrationReport, proof: Proof | null, strength: Strength | null): ProofReport {
  if (!proof) return { ...report, status: null, proof, strength };
  const { steps, ...whole } = proof;
  return { ...report, steps, status: proof.status, proof: whole, strength };
}

/** Maximum size of a value, in characters. */
const SHOWN = 20_000;

/** The proof with values that JSON keeps: cut if they’re long, and with marks for undefined and the like. */
export const writableProof = (proof: Proof): Proof => ({
  ...proof,
  comparisons: proof.comparisons.map(writable),
  ...(proof.generated && { generated: proof.generated.map(writable) }),
});

const writable = (comparison: Comparison): Comparison => ({
  ...comparison,
  differences: comparison.differences.map((difference) => ({
    ...difference,
    v2: display(difference.v2),
    v3: display(difference.v3),
  })),
});

const display = (value: unknown): unknown => writeForDisplay(value, { left: SHOWN, lost: 0 });
