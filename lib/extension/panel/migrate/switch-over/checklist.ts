/** Says how far a switch-over is: which steps of the plan are done, and which is next. */
import { type GapItem, type Journal, type PlanStep, POSITIONS } from '../../../../migrate/switch-over/index.ts';
import type { GuardQuestion } from '../../shared/guard-questions.ts';

export type StepState = 'done' | 'next' | 'later';

export interface ShownStep {
  step: PlanStep;
  state: StepState;
}

export function checklist(steps: readonly PlanStep[], journal: Journal | null): ShownStep[] {
  const isDone = steps.map((step) => isStepDone(step, journal));
  // A gap can be checked as soon as there is one, also after going back.
  const gap = journal?.gap ? steps.findIndex(({ id }) => id === 'gap') : -1;
  const next = gap !== -1 ? gap : isDone.indexOf(false);
  return steps.map((step, index) => ({
    step,
    state: index === next ? 'next' : isDone[index] ? 'done' : 'later',
  }));
}

function isStepDone({ id, to }: PlanStep, journal: Journal | null): boolean {
  if (!journal) return false;
  const here = POSITIONS.indexOf(journal.position);
  const hasSwitched = here >= POSITIONS.indexOf('switched');
  if (id === 'calls') return hasSwitched || journal.areCallsMoved;
  if (id === 'gap') return hasSwitched && journal.gap === null;
  return to !== null && here >= POSITIONS.indexOf(to);
}

/** Asked before each step, in every environment. */
export const stepQuestion = ({ title, live, risk, verb }: PlanStep): GuardQuestion => ({
  title,
  effect: `${live} ${risk}`,
  button: verb,
  always: true,
});

export const backQuestion = ({ title, back }: PlanStep): GuardQuestion => ({
  title: `Go back to before “${title}”`,
  effect: back,
  button: 'Go back',
  always: true,
});

export const UPDATE = 'Update draft';

export const updateQuestion = (name: string): GuardQuestion => ({
  title: 'Update the draft',
  effect: `Replaces “${name}” by a draft with the code as it is now. It’s inactive and unpublished, as before.`,
  button: UPDATE,
  always: true,
});

export const handOverQuestion = (item: GapItem, name: string): GuardQuestion => ({
  title: `Run the missed event with “${name}”`,
  effect:
    item.verdict === 'unsure'
      ? 'The log doesn’t say if V2 has handled it. If it has, its effects happen twice.'
      : 'No version has handled it. The run takes effect now, once.',
  button: 'Run event',
  always: true,
});
