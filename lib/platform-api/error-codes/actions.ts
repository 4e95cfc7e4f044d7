/** Error codes of `Platform.App.Actions` in pages and runs. Codes from the REST API are passed through. */
import type { ErrorText } from './error-text.ts';

export const ACTIONS_ERRORS: Record<string, ErrorText> = {
  NO_APP: { meaning: 'The page doesn’t belong to an app.', fix: 'Open the page from the platform.' },
  ARGUMENT_INVALID: { meaning: 'An argument is invalid.', fix: 'Correct the argument.' },
  INVALID: {
    meaning: 'Some of the action’s properties are invalid. `details` lists each one.',
    fix: 'Correct the listed values.',
  },
  PAYLOAD_INVALID: { meaning: 'The payload isn’t a JSON object.', fix: 'Pass a JSON object.' },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The payload exceeds the size limit.',
    fix: 'Send less data, for example an ID to look up.',
  },
  PATH_INVALID: { meaning: 'The path isn’t part of the platform’s API.', fix: 'Use a path that starts with /v1/.' },
  PLATFORM_UNREACHABLE: {
    meaning: 'The page got no response from the platform.',
    fix: 'Check that the platform is running.',
  },
  ANSWER_INVALID: {
    meaning: 'The platform’s response doesn’t match the API specification.',
    fix: 'Check that the page belongs to a compatible platform.',
  },
  ACTION_FAILED: { meaning: 'The action failed.', fix: 'Check the trace.' },
  TIMEOUT: { meaning: 'The action ran longer than the time limit.', fix: 'Split the work into several runs.' },
  RESULT_TOO_DEEP: {
    meaning: 'The action’s result is nested too deeply. It’s the `errorType` of the run.',
    fix: 'Return data with fewer levels.',
  },
  RESULT_NOT_STORED: {
    meaning: 'The platform couldn’t store the outcome of a run. It’s the `errorType` of the run.',
    fix: 'Check the message for the cause, then what the action did before you run it again.',
  },
  RESULT_TOO_LARGE: { meaning: 'The action’s result exceeds the size limit.', fix: 'Return less data.' },
};
