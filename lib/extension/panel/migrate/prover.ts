/** What the panel needs to prove V3 code. The code runs in the inspected page, because the panel can’t evaluate code. */
import type { Recording } from '../../../debugging/recording/format.ts';
import type { GeneratedRun, Proof, StepReport, Strength } from '../../../migrate/index.ts';
import type { Pipeline } from '../../../pipeline/types.ts';
import type { Result } from '../../../platform-api/errors.ts';

export interface ProofTask {
  /** V3 code, which can have been edited. */
  code: string;
  /** The report of the migrated steps. */
  steps: readonly StepReport[];
  /** The V2 pipeline. */
  functions: Pipeline;
  recordings: readonly Recording[];
  /** Runs for branches that no recording took. */
  generated?: readonly GeneratedRun[];
  /** IDs of data sources by name. */
  dataSources: ReadonlyMap<string, number>;
}

export interface ProverOptions {
  /** @param done how many of the runs, or of the wrong versions, are compared */
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Methods never reject. A canceled proof fails with `PROOF_CANCELED`. */
export interface Prover {
  prove(task: ProofTask, options?: ProverOptions): Promise<Result<Proof>>;
  /** How many wrong versions of the code the recordings find. */
  strength(task: ProofTask, options?: ProverOptions): Promise<Result<Strength>>;
  /** The run of the code beside one of the recordings, up to the first difference, in a recording’s form. */
  record(task: ProofTask, index: number): Promise<Result<Recording>>;
}
