/** Says what gave a step's outcome instead of the step itself. */
import type { TraceStep } from './trace.ts';

/** What is shown, and what it means. */
export interface ReplacedText {
  text: string;
  explanation: string;
}

const BY: Record<string, ReplacedText> = {
  mock: { text: 'mocked', explanation: 'A mock gave this outcome. The step’s function didn’t run.' },
  recording: { text: 'from recording', explanation: 'This outcome is from the recording. Nothing was executed.' },
  debugger: { text: 'forced', explanation: 'You set this outcome while the run was paused.' },
};
const SKIPPED: ReplacedText = {
  text: 'skipped',
  explanation: 'You skipped this step while the run was paused, so its function didn’t run.',
};
const FORCED: ReplacedText = {
  text: 'forced',
  explanation: 'You chose this branch while the run was paused. No condition was evaluated.',
};

/** Null if the outcome is the step's own. */
export function replacedText({
  kind,
  branch,
  replaced,
  state,
}: Pick<TraceStep, 'kind' | 'branch' | 'replaced' | 'state'>) {
  if (replaced === undefined) return null;
  if (replaced === 'debugger' && state === 'skipped') return SKIPPED;
  if (kind === 'if' && branch !== undefined && replaced === 'debugger') return FORCED;
  return (Object.hasOwn(BY, replaced) && BY[replaced]) || { text: 'forced', explanation: `By ${replaced}` };
}
