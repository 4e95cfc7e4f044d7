/** Measures how much the recorded runs prove: how many wrong versions of the code they would find. */
import { whyNotRepeated } from './aside.ts';
import { RunComparison } from './comparison.ts';
import { instrument } from './instrument.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import type { ProofOptions } from './types.ts';

export interface Strength {
  /** How many mistakes the runs found. */
  caught: number;
  total: number;
  /** Mistakes that no run found. */
  missed: Omit<Mutant, 'code'>[];
}

/** @param limit maximum number of wrong versions */
export async function strengthOf(code: string, options: ProofOptions, limit?: number): Promise<Strength> {
  const mutants = someMutants(code, limit);
  const all = [...options.recordings, ...(options.generated ?? []).map(({ recording }) => recording)];
  const reasons = await Promise.all(all.map(whyNotRepeated));
  const recordings = all.filter((_, index) => reasons[index] === null);
  const missed: Strength['missed'] = [];
  for (const { code: wrong, ...mutant } of mutants)
    if (!(await isCaught(wrong, { ...options, recordings }))) missed.push(mutant);
  return { caught: mutants.length - missed.length, total: mutants.length, missed };
}

/** At most 500 wrong versions by default. */
export const someMutants = (code: string, limit = 500): Mutant[] => mutantsOf(code, limit);

async function isCaught(code: string, options: ProofOptions): Promise<boolean> {
  const instrumented = instrument(code);
  for (const recording of options.recordings) {
    const comparison = new RunComparison(recording, options.dataSources);
    const { differences } = await comparison.run(instrumented, options.load, options.whenIdle);
    if (differences.length > 0) return true;
  }
  return false;
}
