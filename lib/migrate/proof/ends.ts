/** Compares how the recorded run and the code’s run ended. */
import type { RecordedStep, Recording } from '../../debugging/recording/format.ts';

/** How code ended that didn’t. */
export const NOT_ENDING = 'The code was still waiting when nothing else was left to do.';

/** Why a recorded run has no end to compare. Null if it has one. */
export function whyIncomplete({ end }: Recording): string | null {
  if (end.state === 'stopped') return 'The recorded run was stopped, so that its end isn’t known.';
  return end.state === 'interrupted' ? 'The recording ends before the run did.' : null;
}

/** How V2 ended, in words. */
export const endText = ({ end }: Recording): string => (end.state === 'failed' ? end.error.message : end.state);

/** What code has thrown, which can be anything. */
export function errorText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'An error that can’t be shown.';
  }
}

/**
 * Conditions fail in other words in JavaScript, so only their place is compared.
 * @param current the last step that both ran
 * @param thrown what calls threw as in V2
 */
export function isSameFailure(
  error: unknown,
  { steps, end }: Recording,
  current: RecordedStep | undefined,
  thrown: ReadonlySet<unknown>,
): boolean {
  // In a loop, the step that failed is the last one with its path.
  const failed = end.state === 'failed' ? steps.findLast(({ path }) => path === end.error.path) : undefined;
  if (!failed || failed !== current) return false;
  const cause = failed.error;
  if (!cause || cause.name === 'ConditionError') return !thrown.has(error);
  if (thrown.has(error)) return true;
  return error instanceof Error && error.name === cause.name && error.message === cause.message;
}
