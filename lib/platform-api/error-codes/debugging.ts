/** Error codes of the debugger: recordings, replays, mocks, and runs that start at a step. */
import type { ErrorText } from './error-text.ts';

export const DEBUGGING_ERRORS: Record<string, ErrorText> = {
  MOCK_CONDITION_FAILED: {
    meaning: 'The condition of a mock failed, so its step failed instead of running without the mock.',
    fix: 'Use ?. in the mock’s condition where a value may be missing.',
  },
  MOCK_CONDITION_INVALID: {
    meaning: 'The condition of a mock has a syntax error.',
    fix: 'Correct the condition at the column shown.',
  },
  MOCK_MISFIT: {
    meaning: 'A mock changes a property of an object that the context doesn’t have.',
    fix: 'Change the mock’s context changes, or add the objects that they need.',
  },
  START_NOT_RECORDED: {
    meaning: 'A run can’t start at this step, because the recorded run didn’t reach it.',
    fix: 'Choose a step that the recorded run executed.',
  },
  START_UNREACHABLE: {
    meaning: 'A run can’t start at this step: the recording doesn’t lead there. No step was executed.',
    fix: 'Run the whole pipeline, or start at another step.',
  },
};
