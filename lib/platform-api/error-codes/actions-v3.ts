/** Error codes of App Actions V3, in the REST API and in `Platform.App.V3.Actions`. */
import type { ErrorText } from './error-text.ts';

export const ACTIONS_V3_ERRORS: Record<string, ErrorText> = {
  NAME_REQUIRED: { meaning: 'The action has no name.', fix: 'Add a name.' },
  NAME_EMPTY: { meaning: 'The action’s name is empty.', fix: 'Enter a name.' },
  NAME_INVALID: {
    meaning: 'The action’s name contains characters that aren’t allowed.',
    fix: 'Use letters, digits, dashes, and underscores.',
  },
  NAME_TOO_LONG: { meaning: 'The action’s name is too long.', fix: 'Use at most 255 characters.' },
  NAME_TAKEN: { meaning: 'Another action of the app already has this name.', fix: 'Choose another name.' },
  CODE_REQUIRED: { meaning: 'The action has no code.', fix: 'Add code with an async function named execute.' },
  CODE_EMPTY: { meaning: 'The action’s code is empty.', fix: 'Add an async function named execute.' },
  CODE_VALIDATION_FAILED: {
    meaning: 'The action’s code breaks a rule for code. `details` lists each problem.',
    fix: 'Define a single async function named execute whose first parameter is context.',
  },
  ENVIRONMENT_INVALID: {
    meaning: 'The action’s environment is unknown.',
    fix: 'Use server, client, or any.',
  },
  FREQUENCY_INVALID: {
    meaning: 'The frequency isn’t a cron expression of five fields, or a schedule has none.',
    fix: 'Enter five fields, such as 0 7 * * MON.',
  },
  FREQUENCY_TOO_FREQUENT: {
    meaning: 'The frequency would run the action every minute.',
    fix: 'Use a longer interval, such as */5 * * * *.',
  },
  TIMEZONE_INVALID: { meaning: 'The time zone is unknown.', fix: 'Use a full name, such as Europe/Amsterdam.' },
  TRIGGERS_INVALID: {
    meaning: 'The triggers aren’t an array of triggers, or one has no valid `where`.',
    fix: 'Correct the listed triggers.',
  },
  TRIGGER_TYPE_INVALID: {
    meaning: 'The type of a trigger is unknown.',
    fix: 'Use log, schedule, manual, or analytics.',
  },
  TRIGGER_NOT_ALLOWED: {
    meaning: 'The action’s environment doesn’t allow one of its triggers.',
    fix: 'Change the environment, or remove the trigger.',
  },
  TRIGGER_MISSING: {
    meaning: 'The action has no trigger for this kind of run.',
    fix: 'Add the trigger to the action.',
  },
  DEPENDENCIES_INVALID: {
    meaning: 'The dependencies aren’t an array of known packages, or the code uses a package that they don’t list.',
    fix: 'Add the packages that the code uses to the dependencies.',
  },
  INVALID: {
    meaning: 'Some other properties of the action are invalid. `details` lists each one.',
    fix: 'Correct the listed values and send the request again.',
  },
  ACTION_NOT_FOUND: {
    meaning: 'The app has no action with this ID or name.',
    fix: 'Check the ID or name of the action.',
  },
  ACTION_NOT_V3: {
    meaning: 'The action belongs to App Actions V2.',
    fix: 'Use Platform.App.Actions for this action.',
  },
  ACTION_NOT_V2: {
    meaning: 'The action belongs to App Actions V3.',
    fix: 'Use Platform.App.V3.Actions for this action.',
  },
  VERSION_NOT_FOUND: {
    meaning: 'The platform doesn’t store this version of the action.',
    fix: 'List the versions of the action, and choose one of them.',
  },
  CANNOT_UPDATE_PRODUCTION: {
    meaning: 'The production copy of an action can’t be changed.',
    fix: 'Change the master copy from a preview page, then publish it.',
  },
  CANNOT_DELETE_PRODUCTION: {
    meaning: 'The production copy of an action can’t be removed.',
    fix: 'Unpublish the action, or remove it from a preview page.',
  },
  CONFLICT: {
    meaning: 'The action has changed since you read it.',
    fix: 'Refresh the action, then repeat your change.',
  },
  CLIENT_ACTION_NOT_RUNNABLE: {
    meaning: 'The action runs only on the client.',
    fix: 'Run it from a page of the app, or change its environment.',
  },
  ACTION_INACTIVE: { meaning: 'The action is inactive.', fix: 'Activate the action.' },
  APP_NOT_PUBLISHED: {
    meaning: 'The app has no live version, so its actions can’t be published.',
    fix: 'Publish the app first.',
  },
  EXECUTION_FAILED: {
    meaning: 'The action’s code failed. `details` has the error.',
    fix: 'Check the error and the action’s log.',
  },
  TIMEOUT: {
    meaning: 'The action ran longer than the time limit and was stopped.',
    fix: 'Split the work into several runs.',
  },
  RESULT_TOO_LARGE: { meaning: 'The action’s result exceeds the size limit.', fix: 'Return less data.' },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The payload exceeds the size limit.',
    fix: 'Send less data, for example an ID to look up.',
  },
  TOO_MANY_RUNS: {
    meaning: 'The app’s V3 actions ran too often within a minute.',
    fix: 'Wait a minute and try again.',
  },
};
