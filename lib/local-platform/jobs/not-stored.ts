/** The outcome of a run whose own outcome can’t be stored. */
import type { RunOutcome } from './types.ts';

export function notStored({ milliseconds }: RunOutcome, error: unknown): RunOutcome {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const reason = cause instanceof Error ? cause.message.split('\n')[0]! : String(cause);
  const failure = {
    errorType: 'RESULT_NOT_STORED',
    errorMessage: `Couldn’t store the outcome of the run: ${reason.slice(0, 300).replace(/\.$/, '')}.`,
    trace: [],
  };
  return { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds };
}
