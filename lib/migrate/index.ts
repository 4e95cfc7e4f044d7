/** Migrates V2 actions to V3. Pure: the same in a page, in the panel, and in Node. */
export type * from './types.ts';
export { migrate, migrateWithPauses } from './migrate.ts';
export { pathsIn } from './paths.ts';
export type * from './proof/types.ts';
export { STATUSES } from './proof/types.ts';
export { prove, proofOf } from './proof/prove.ts';
export { whyNotRepeated } from './proof/aside.ts';
export { type ProofReport, type ProvedReport, reportOf, writableProof } from './report.ts';
export { dependenciesOf } from './draft.ts';
export { type Strength, strengthOf } from './proof/strength.ts';
export { type Mutant, mutantsOf } from './proof/mutants.ts';
export { instrument } from './proof/instrument.ts';
export { recordingOf } from './proof/recording-of.ts';
export { type GenerateOptions, generateRuns } from './proof/generate/generate.ts';
