/** Says what gave a step's outcome instead of the step itself. */
import type { RunBadge } from './describe-badges.ts';
import type { TraceStep } from './trace.ts';

type Replaced = Pick<TraceStep, 'replaced' | 'branch' | 'kind'>;

const EXPLANATIONS: Record<string, Omit<RunBadge, 'tone'>> = {
  recording: {
    text: 'from recording',
    explanation: 'This step wasn’t executed. Its outcome and its changes of the context are those of the recorded run.',
  },
  mock: { text: 'mocked', explanation: 'This step wasn’t executed. A mock gave its outcome.' },
  debugger: {
    text: 'set by you',
    explanation: 'You set the outcome of this step while the run was paused.',
  },
  forced: {
    text: 'forced',
    explanation: 'No condition was evaluated. You chose this branch while the run was paused.',
  },
};

/** Null for a step that gave its outcome itself. */
export function replacedBadge({ replaced, branch, kind }: Replaced): RunBadge | null {
  if (replaced === undefined) return null;
  const isForced = replaced === 'debugger' && kind === 'if' && branch !== undefined;
  const known = EXPLANATIONS[isForced ? 'forced' : replaced];
  return { tone: 'plain', text: `replaced by ${replaced}`, explanation: 'This step wasn’t executed.', ...known };
}
