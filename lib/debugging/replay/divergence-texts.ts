/** Says what first differs between a replay and its recording, for the panel and the command line. */
import type { Divergence } from './replay.ts';

export const DIVERGENCE_TEXTS: Record<Divergence['what'], string> = {
  step: 'another step ran',
  branch: 'another branch ran',
  iterations: 'the number of iterations differs',
  state: 'the step ended differently',
  context: 'a recorded change doesn’t fit the context',
  error: 'another error ended the run',
  end: 'the run ended differently',
  result: 'the run has another result',
};
