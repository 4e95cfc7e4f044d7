/** Error codes of the debugger: recordings, replays, mocks, and runs that start at a step. */
import type { ErrorText } from './error-text.ts';

export const DEBUGGING_ERRORS: Record<string, ErrorText> = {
  BREAKPOINTS_DAMAGED: {
    meaning: 'The stored breakpoints and watched expressions of an action are damaged.',
    fix: 'Set the breakpoints again.',
  },
  BREAKPOINTS_NEWER: {
    meaning: 'A newer version of the extension stored the breakpoints of an action.',
    fix: 'Update the extension. Until then, breakpoints that you set aren’t stored.',
  },
  BREAKPOINTS_NOT_STORED: {
    meaning: 'The browser couldn’t store the breakpoints of an action. Your changes apply until the panel is closed.',
    fix: 'Free disk space, then change a breakpoint to store them again.',
  },
  CONTEXT_DUPLICATE_NAME: {
    meaning: 'An object in an edited context has the same name twice, so one value would be lost.',
    fix: 'Remove one of the two.',
  },
  CONTEXT_NUMBER_CHANGED: {
    meaning: 'A number in an edited context has more digits than JavaScript keeps.',
    fix: 'Enter the number as a string, in double quotes.',
  },
  CONTEXT_UNAPPLIED: {
    meaning: 'A paused run can’t be resumed while changes of its context aren’t applied.',
    fix: 'Apply or discard the changes in Context.',
  },
  MOCK_CONDITION_FAILED: {
    meaning: 'The condition of a mock failed, so its step failed instead of running without the mock.',
    fix: 'Use ?. in the mock’s condition where a value may be missing.',
  },
  MOCK_CONDITION_INVALID: {
    meaning: 'The condition of a mock has a syntax error.',
    fix: 'Correct the condition at the column shown.',
  },
  MOCK_DUPLICATE: { meaning: 'A mock is the same as another one.', fix: 'Remove one of them.' },
  MOCK_EMPTY: {
    meaning: 'A mock has no outcome, delay, or context change.',
    fix: 'Choose what happens instead of the step.',
  },
  MOCK_MISFIT: {
    meaning: 'A mock changes a property of an object that the context doesn’t have.',
    fix: 'Change the mock’s context changes, or add the objects that they need.',
  },
  MOCK_SHADOWED: {
    meaning: 'A mock never applies, because others always apply instead.',
    fix: 'Remove it, change the order of the mocks, or give the others a condition.',
  },
  MOCK_UNMATCHED: {
    meaning: 'The pipeline has no step that a mock matches.',
    fix: 'Choose a step or a package of the pipeline.',
  },
  MOCK_VALUE_LOST: {
    meaning: 'The recording doesn’t have the value of a mock, so its step fails.',
    fix: 'Enter a value.',
  },
  MOCKS_DAMAGED: {
    meaning: 'A file of mocks has invalid values. `details` lists each one.',
    fix: 'Export the mocks again, or correct the file.',
  },
  MOCKS_NEWER: {
    meaning: 'A newer version of Platform DevTools wrote the file of mocks.',
    fix: 'Update Platform DevTools, then try again.',
  },
  MOCKS_NOT_JSON: {
    meaning: 'The file of mocks isn’t JSON, or it’s cut off.',
    fix: 'Export the mocks again, or correct the file.',
  },
  MOCKS_NOT_ONE: {
    meaning: 'The JSON isn’t a file of mocks.',
    fix: 'Choose a file that was exported from the mocks of an action.',
  },
  MOCKS_TOO_LARGE: {
    meaning: 'The file of mocks exceeds the size limit.',
    fix: 'Remove large values from the mocks, or export fewer sets.',
  },
  RECORDING_DAMAGED: {
    meaning: 'A recording has a value that can’t be right. The message says where. Nothing was opened.',
    fix: 'Export the recording again, or record the run again.',
  },
  RECORDING_GONE: {
    meaning: 'The recording of a run can’t be read: it’s damaged, or it was removed to save space.',
    fix: 'Run the action again. Pin the runs that you want to keep.',
  },
  RECORDING_NEWER: {
    meaning: 'A recording was written by a newer version, in a format that this version can’t read.',
    fix: 'Update Platform DevTools, then open the recording again.',
  },
  RECORDING_NOT_JSON: {
    meaning: 'A recording isn’t JSON, or its end is missing.',
    fix: 'Choose a .run.json file that was exported from a run. If it’s cut off, export it again.',
  },
  RECORDING_NOT_ONE: {
    meaning: 'A file is JSON, but not the recording of a run.',
    fix: 'Choose a .run.json file that was exported from a run.',
  },
  RECORDING_TOO_LARGE: {
    meaning: 'A recording exceeds 64 MB. Nothing was opened.',
    fix: 'Record the run again with less data.',
  },
  SMALLEST_NOT_FAILED: {
    meaning: 'A smaller payload was asked for, but the run didn’t fail.',
    fix: 'Choose a run that failed.',
  },
  SMALLEST_EDITED: {
    meaning: 'The smallest failing payload can’t be found, because the run was edited, retried, or forced in a pause.',
    fix: 'Run the action with the edited values in its payload.',
  },
  SMALLEST_NOT_REPEATED: {
    meaning: 'The replay doesn’t fail at the step where the run did, or fails with another error.',
    fix: 'Choose other mocks, or none, so that the replay fails at the same step.',
  },
  START_NOT_RECORDED: {
    meaning: 'A run can’t start at this step, because the recorded run didn’t reach it.',
    fix: 'Choose a step that the recorded run executed.',
  },
  START_UNREACHABLE: {
    meaning: 'A run can’t start at this step: the recording doesn’t lead there. No step was executed.',
    fix: 'Run the whole pipeline, or start at another step.',
  },
  STORED_MOCKS_DAMAGED: {
    meaning: 'The panel can’t read the stored mocks of an action or its app. Nothing was removed.',
    fix: 'Save them as a file, then start with no mocks.',
  },
  STORED_MOCKS_NEWER: {
    meaning: 'A newer version of the extension stored the mocks of an action or its app. Nothing was removed.',
    fix: 'Update the extension, or start with no mocks.',
  },
  VOLATILE_DAMAGED: {
    meaning: 'The stored list of an action’s ignored paths is damaged. Comparisons ignore nothing.',
    fix: 'Choose “Start over” under “Ignored” in a comparison, then ignore paths again.',
  },
  VOLATILE_NEWER: {
    meaning: 'A newer version of the extension stored the list of an action’s ignored paths.',
    fix: 'Update the extension, or choose “Start over” under “Ignored” in a comparison.',
  },
};
