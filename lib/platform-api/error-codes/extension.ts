/** Error codes of the extension: background worker, storage, and vault. */
import type { ErrorText } from './error-text.ts';

export const EXTENSION_ERRORS: Record<string, ErrorText> = {
  UNEXPECTED: { meaning: 'The extension has a bug.', fix: 'Reload the page, and report the error if it persists.' },
  WORKER_UNREACHABLE: { meaning: 'The background worker isn’t responding.', fix: 'Reload the page.' },
  WORKER_SILENT: { meaning: 'The background worker stopped responding.', fix: 'Try again.' },
  WORKER_SLOW: {
    meaning: 'The background worker didn’t confirm the request in time.',
    fix: 'Check the current state before you try again.',
  },
  EXTENSION_RELOADED: { meaning: 'The extension was updated or reloaded.', fix: 'Reload the page.' },
  PANEL_OUTDATED: {
    meaning: 'Part of the panel couldn’t be loaded. Mostly, the extension was updated.',
    fix: 'Reload the panel.',
  },
  VIEW_FAILED: {
    meaning: 'A view of the extension failed, so its error is shown instead. That’s a bug of ours.',
    fix: 'Choose *Try again*. If it fails again, choose *Copy*, and report the error.',
  },
  PART_NOT_LOADED: {
    meaning: 'Part of the panel couldn’t be loaded. Mostly, the extension was updated or removed.',
    fix: 'Reload the panel.',
  },
  SENDER_REFUSED: {
    meaning: 'Only pages of the extension can message the background worker.',
    fix: 'Use the extension’s own pages.',
  },
  MESSAGE_UNKNOWN: { meaning: 'The background worker doesn’t recognize the message.', fix: 'Reload the page.' },
  MESSAGE_INVALID: { meaning: 'The background worker can’t read the message.', fix: 'Reload the page.' },
  MESSAGE_UNSENDABLE: {
    meaning: 'The message is too large, too deeply nested, or not plain data.',
    fix: 'Send less data.',
  },
  MESSAGE_TOO_LARGE: { meaning: 'The message is too large.', fix: 'Send less data.' },
  MESSAGE_TOO_DEEP: { meaning: 'The message is nested too deeply.', fix: 'Reduce the nesting.' },
  MESSAGE_NOT_DATA: { meaning: 'The message isn’t plain data.', fix: 'Use plain JSON data.' },
  ANSWER_UNSENDABLE: { meaning: 'The background worker can’t send the response.', fix: 'Narrow the request.' },
  ANSWER_TOO_DEEP: { meaning: 'The response is nested too deeply.', fix: 'Narrow the request.' },
  ANSWER_NOT_DATA: { meaning: 'The response isn’t plain data.', fix: 'Reload the page.' },
  TOKEN_MISSING: {
    meaning: 'The environment has no token for this base URL.',
    fix: 'Enter the token on the options page.',
  },
  TOKEN_UNREADABLE: { meaning: 'The stored token can’t be decrypted.', fix: 'Enter the token again.' },
  LOCAL_PLATFORM_NOT_FOUND: {
    meaning: 'No local platform on this computer responded on this port in time.',
    fix: 'Start it with `npx platform-devtools platform` in the project’s folder, then try again.',
  },
  ENVIRONMENT_NOT_FOUND: {
    meaning: 'The environment was removed, or its record is damaged.',
    fix: 'Choose another environment, or check the options page.',
  },
  ENVIRONMENT_MOVED: {
    meaning: 'The environment’s base URL has changed since the update was sent.',
    fix: 'Check the app on the platform.',
  },
  DATA_IN_USE: {
    meaning: 'The browser waits to erase a database until no other page uses it.',
    fix: 'Close the other pages of the extension and DevTools, then erase all data again.',
  },
  DATA_LEFT: { meaning: 'Some data couldn’t be erased.', fix: 'Close all pages of the extension and try again.' },
  DRAFT_NOT_KEPT: { meaning: 'The browser couldn’t store the draft.', fix: 'Publish before you close the popup.' },
  NOT_PUBLISHED: { meaning: 'The update wasn’t published.', fix: 'Publish again.' },
  PUBLISHED_TWICE: {
    meaning: 'The update was published more than once, although the extension sent it once.',
    fix: 'Check for a proxy that repeats requests.',
  },
  PUBLISH_CANCELED: {
    meaning: 'You canceled a publish before its request was sent.',
    fix: 'Publish again if you want to.',
  },
  PUBLISH_NOT_SENT: { meaning: 'The extension stopped before anything was sent.', fix: 'Publish again.' },
  PUBLISH_GONE: { meaning: 'The record of the update is no longer stored.', fix: 'Check the app on the platform.' },
  PUBLISH_UNDER_WAY: { meaning: 'An update to the app is already being published.', fix: 'Wait for it to finish.' },
  PUBLISH_UNSEEN: {
    meaning: 'Another update to the app was published before this one.',
    fix: 'Check the last update, then publish again.',
  },
  PUBLISH_UNSETTLED: {
    meaning: 'The outcome of the last update is still unknown.',
    fix: 'Check the app on the platform first.',
  },
  APP_CHANGED: { meaning: 'The app has changed since you opened it.', fix: 'Refresh, then publish again.' },
  PUBLISHES_NEWER: {
    meaning: 'The publish history was written by a newer version of the extension.',
    fix: 'Update the extension.',
  },
  PUBLISHES_BLOCKED: {
    meaning: 'The publish history didn’t open in time. Another page of the extension may block it.',
    fix: 'Close the other pages of the extension.',
  },
  PUBLISHES_DAMAGED: {
    meaning: 'The browser’s database of the publish history failed or is damaged.',
    fix: 'Restart the browser. If it fails again, save quarantined data on the options page, then erase all data.',
  },
  PUBLISHES_UNAVAILABLE: {
    meaning: 'The browser doesn’t let the extension store publish records.',
    fix: 'Allow the extension to store data.',
  },
  PUBLISHES_FULL: { meaning: 'The disk or the browser’s storage is full.', fix: 'Free up some space and try again.' },
  RUNS_NEWER: {
    meaning: 'The run history was written by a newer version of the extension.',
    fix: 'Update the extension.',
  },
  RUNS_BLOCKED: {
    meaning: 'The run history didn’t open in time. Another page of the extension may block it.',
    fix: 'Close the other pages of the extension.',
  },
  RUNS_DAMAGED: {
    meaning: 'The browser’s database of the run history failed or is damaged.',
    fix: 'Restart the browser. If it fails again, save quarantined data on the options page, then erase all data.',
  },
  RUNS_UNAVAILABLE: {
    meaning: 'The browser doesn’t let the extension store runs.',
    fix: 'Allow the extension to store data.',
  },
  RUNS_FULL: { meaning: 'The disk or the browser’s storage is full.', fix: 'Free up some space.' },
  RUNS_PINNED: {
    meaning: 'Pinned runs use all of the space for runs.',
    fix: 'Unpin or remove some runs under “All runs”.',
  },
  RUNS_EXPORT_TOO_LARGE: { meaning: 'The runs don’t fit in one file.', fix: 'Export fewer runs.' },
  VAULT_LOCKED: { meaning: 'The tokens are locked.', fix: 'Enter the passphrase.' },
  VAULT_LOCKED_MEANWHILE: {
    meaning: 'The tokens were locked while the passphrase was being checked.',
    fix: 'Enter the passphrase again.',
  },
  VAULT_LOCK_DAMAGED: {
    meaning: 'The stored data for checking the passphrase is damaged.',
    fix: 'Remove the passphrase and enter the tokens again.',
  },
  VAULT_PROTECTED: {
    meaning: 'The tokens are already protected by a passphrase.',
    fix: 'Change the passphrase instead.',
  },
  VAULT_NOT_PROTECTED: { meaning: 'The tokens aren’t protected by a passphrase.', fix: 'Set a passphrase first.' },
  VAULT_CHANGED: {
    meaning: 'The lock has changed since it was read, for example in another window.',
    fix: 'Reload the page, then try again.',
  },
  VAULT_NEWER: {
    meaning: 'The environments were stored by a newer version of the extension.',
    fix: 'Update the extension.',
  },
  VAULT_BLOCKED: {
    meaning: 'The stored environments didn’t open in time. Another page of the extension may block them.',
    fix: 'Close the other pages of the extension.',
  },
  VAULT_DAMAGED: {
    meaning: 'The browser’s database of the environments failed or is damaged.',
    fix: 'Restart the browser. If it fails again, save quarantined data on the options page, then erase all data.',
  },
  VAULT_UNAVAILABLE: {
    meaning: 'The browser doesn’t let the extension store environments.',
    fix: 'Allow the extension to store data.',
  },
  VAULT_FULL: { meaning: 'The disk or the browser’s storage is full.', fix: 'Free up some space and try again.' },
  PASSPHRASE_WRONG: {
    meaning: 'The passphrase is wrong, or the stored key is damaged.',
    fix: 'Enter the correct passphrase. If you’re sure of it, remove all tokens on the options page, then enter them again.',
  },
  PASSPHRASE_TOO_SOON: {
    meaning: 'Too many wrong passphrases were entered.',
    fix: 'Wait, then enter the passphrase again.',
  },
  IMPORT_NOT_JSON: { meaning: 'The file isn’t JSON.', fix: 'Choose a file exported from the options page.' },
  IMPORT_OTHER_FILE: {
    meaning: 'The file doesn’t contain exported environments.',
    fix: 'Choose a file exported from the options page.',
  },
  IMPORT_NEWER: {
    meaning: 'The file has a format version that this version of the extension can’t read.',
    fix: 'Update the extension.',
  },
  IMPORT_INVALID: {
    meaning: 'The file has invalid values, such as a name with invisible characters.',
    fix: 'Correct the listed values where the file was exported.',
  },
  IMPORT_TOO_LARGE: { meaning: 'The file is too large.', fix: 'Choose a file exported from the options page.' },
  IMPORT_PASSPHRASE_NEEDED: { meaning: 'The file is encrypted.', fix: 'Enter the file’s passphrase.' },
  IMPORT_PASSPHRASE_WRONG: {
    meaning: 'The passphrase doesn’t match the file.',
    fix: 'Enter the file’s passphrase.',
  },
  EXPORT_INVALID: {
    meaning: 'An environment of an earlier version has a value that an import would refuse.',
    fix: 'Edit the environment.',
  },
  EXPORT_TOO_LARGE: {
    meaning: 'The environments don’t fit in one file.',
    fix: 'Remove environments that you don’t need.',
  },
  PAYLOAD_DUPLICATE_NAME: {
    meaning: 'The payload has an object that has the same name twice. Only its last value would be sent.',
    fix: 'Remove one of the two.',
  },
  PAYLOAD_NUMBER_CHANGED: {
    meaning: 'The payload has a number that JavaScript can’t represent. Another number would be sent.',
    fix: 'Enter it as a string, in double quotes.',
  },
  PAYLOAD_NOT_JSON: { meaning: 'The payload isn’t JSON.', fix: 'Correct the payload.' },
  PAYLOAD_NOT_OBJECT: { meaning: 'The payload isn’t a JSON object.', fix: 'Use a JSON object.' },
  PAYLOAD_NOT_SAVED: { meaning: 'The payload couldn’t be saved.', fix: 'Try again.' },
  FILE_NOT_JSON: { meaning: 'The file isn’t JSON.', fix: 'Choose an exported run.' },
  FILE_NOT_RUNS: { meaning: 'The file has no runs.', fix: 'Choose an exported run.' },
  FILE_UNREADABLE: {
    meaning: 'The browser couldn’t read a file: it was moved or removed, or it’s too large.',
    fix: 'Choose the file again. Export fewer runs if it’s large.',
  },
  RECORD_MISSING: { meaning: 'The run has no log record yet.', fix: 'Refresh the logs.' },
  RECORD_TOO_LARGE: { meaning: 'The record is too large to send.', fix: 'Send a smaller record.' },
  ACTION_TOO_LARGE: {
    meaning: 'The action is too large to save.',
    fix: 'Read large data from a data source instead of storing it in the action.',
  },
  NAME_TAKEN: { meaning: 'Another action of the app already has this name.', fix: 'Choose another name.' },
  V3_MISSING: {
    meaning: 'The page in the tab offers no App Actions V3 to the panel.',
    fix: 'Save the files of the migration, and create the V3 action by hand.',
  },
  RUNS_UNKNOWN: { meaning: 'The recorded runs of an action couldn’t be listed.', fix: 'Try again.' },
  EDIT_UNREADABLE: {
    meaning: 'The stored edit of an action’s V3 code is damaged, or a newer version of the extension stored it.',
    fix: 'Save the files to keep your changes, or update the extension.',
  },
  V3_GONE: {
    meaning: 'The list of actions no longer has the V3 action of a switch-over.',
    fix: 'Choose “Go back” to make V2 live again, then create the draft again.',
  },
  V2_EDITED: {
    meaning: 'The V2 action has unpublished changes, which going back would make live.',
    fix: 'Publish or restore them, then switch over.',
  },
  SCHEDULE_NEAR: {
    meaning: 'A scheduled run is too near to switch over now.',
    fix: 'Try again at the time that the error names.',
  },
  SWITCH_CHANGED: {
    meaning: 'One of the actions changed during a step of a switch-over.',
    fix: 'Check both actions, then choose the step again, or “Go back”.',
  },
  SWITCH_MOVED: {
    meaning: 'Another panel has moved the switch-over since this one loaded it.',
    fix: 'Check the plan, which was loaded again, then choose the next step.',
  },
  SWITCH_DRIFTED: {
    meaning: 'One of the actions has changed since the last step of a switch-over.',
    fix: 'Choose the button of the notice above the plan, which says what is live.',
  },
  EVENT_NOT_MISSED: {
    meaning: 'A version has handled the event, or might still.',
    fix: 'Check the missed events again.',
  },
  NO_RECEIVER: {
    meaning: 'No version with a manual trigger is live, so none can be given a missed event.',
    fix: 'Add a manual trigger to the live version, or cause the event again.',
  },
  JOURNAL_FAILED: {
    meaning: 'The extension couldn’t store the next step of a switch-over, so it wasn’t sent.',
    fix: 'Free up some disk space, or allow the extension to store data.',
  },
  LOG_INCOMPLETE: {
    meaning: 'Not all log records since the switch-over could be read.',
    fix: 'Compare the events and their effects by hand.',
  },
  STEP_INTERRUPTED: {
    meaning: 'The panel closed during a step of a switch-over, or a request had no clear response.',
    fix: 'Continue the step, or go back. The panel first checks what the platform has.',
  },
  DRAFT_OUTDATED: {
    meaning: 'The code of a migration has changed since its draft was created.',
    fix: 'Update the draft. Once V3 is published, go back to the draft first.',
  },
  V3_LIVE_PAGE: {
    meaning: 'The page in the tab is a live page, which has production copies of V3 actions only.',
    fix: 'Open a debug page or the preview page of the app.',
  },
};
