/** Error codes of the command line. */
import type { ErrorText } from './error-text.ts';

export const CLI_ERRORS: Record<string, ErrorText> = {
  ACTIONS_NOT_LISTED: {
    meaning: 'The platform offers only what the specification shows, where actions can’t be listed over REST.',
    fix:
      'For a migration, copy the JSON of each action from the panel’s editor into a file, and pass it with ' +
      '`--action-file`. Otherwise, use the Actions tab on a page of the app.',
  },
  ACTIONS_EDITED: {
    meaning: 'Files of actions have edits that `actions pull` would overwrite or remove. Nothing was written.',
    fix: 'Commit the files, use `--force`, and merge with git.',
  },
  ACTION_FILE_INVALID: {
    meaning: 'A file isn’t an action, or has invalid values. Nothing was changed.',
    fix: 'Correct what is listed, or copy the JSON of the action from the panel’s editor.',
  },
  ACTION_NOT_FOUND: {
    meaning: 'The app has no action with this name or ID.',
    fix: 'Check the name. `platform-devtools actions list` lists all.',
  },
  ACTION_TWICE: {
    meaning: 'Two files have actions with the same name.',
    fix: 'Rename or remove one of them. For a migration, use a different `--out` for each.',
  },
  ARGUMENT_INVALID: {
    meaning: 'An argument is unknown or has an invalid value.',
    fix: 'Try `--help` to see all options.',
  },
  BROWSER_LOST: {
    meaning: 'The browser that ran an action was closed or ended before the run did.',
    fix: 'Check what the action has done before you run it again.',
  },
  BROWSER_MISSING: {
    meaning: 'No browser is installed in which an action could run.',
    fix: 'Install Chrome, Chromium, or Edge, or set `CHROME_PATH` to its path.',
  },
  BROWSER_NOT_STARTED: {
    meaning: 'The installed browser didn’t start.',
    fix: 'Check that the browser starts, or set `CHROME_PATH` to another one.',
  },
  CODE_ENDLESS: {
    meaning: 'Migrated code didn’t end within the time limit for its proof.',
    fix: 'Check the loops in the code for one that never ends.',
  },
  CODE_MISSING: {
    meaning: 'There is no code to prove in the folder of an action.',
    fix: 'Migrate the action first, without `--prove`.',
  },
  CODE_NOT_TRUSTED: {
    meaning: 'You haven’t trusted the code of a repository, and this system can’t keep it from the network.',
    fix: 'Read the code. Add `--trust` if you trust all code of this repository.',
  },
  CODE_TOO_LARGE: {
    meaning: 'Migrated code needs more memory than its proof can have, or its proof is too large.',
    fix: 'Check the code for data that grows in a loop, or use fewer recordings.',
  },
  CODE_VALIDATION_FAILED: {
    meaning: 'V3 refuses the edited code of an action.',
    fix: 'Correct the code, then prove it again.',
  },
  CONFIG_INVALID: {
    meaning: 'The file of the environments, or another file of the configuration, is damaged.',
    fix: 'Correct the file that the message names, or remove it to start again.',
  },
  CONFIRMATION_NEEDED: {
    meaning: 'The change needs your confirmation, and there’s no terminal to ask you.',
    fix: 'Add `--yes` if you want to change a production environment.',
  },
  ENVIRONMENT_NOT_FOUND: {
    meaning: 'There’s no environment with this name.',
    fix: 'List the environments with `platform-devtools environments`.',
  },
  FILES_NOT_WRITTEN: {
    meaning: 'A file couldn’t be written. Some are write-protected, or links that lead out of their folder.',
    fix: 'Make the file writable, remove the link, or choose another path or folder.',
  },
  FILE_CHANGED: {
    meaning: 'A file that would be overwritten was written or changed by something else.',
    fix: 'Use `--force` to overwrite it, or `--prove` to prove the code as it is.',
  },
  FILE_NOT_READ: { meaning: 'A file or folder couldn’t be read.', fix: 'Check the path.' },
  NO_APP: {
    meaning: 'The command needs an app, and none is chosen.',
    fix: 'Add `--app` with its ID, or `app` to `platform-devtools.json`.',
  },
  NO_ENVIRONMENT: {
    meaning: 'The command needs an environment, and none is chosen.',
    fix: 'Choose one with `--env`, or a default one with `platform-devtools environments default`.',
  },
  PAGE_CRASHED: {
    meaning: 'The debug page crashed, for example because it ran out of memory.',
    fix: 'Check what the action has done before you run it again.',
  },
  PLATFORM_NOT_STARTED: {
    meaning: 'The local platform couldn’t start, or lost its data folder. The message says why.',
    fix: 'Follow the hint, then start it again.',
  },
  PROJECT_INVALID: {
    meaning: 'The project file `platform-devtools.json` is damaged, or has a property that it can’t have.',
    fix: 'Keep only `environment`, `app`, and `actions`. URLs and tokens don’t belong into this file.',
  },
  PROOF_FAILED: {
    meaning: 'The process that proves code ended early. This is an error of Platform DevTools.',
    fix: 'Report this error. The code itself was migrated.',
  },
  MESSAGE_TOO_LARGE: {
    meaning: 'A message to the MCP server exceeds 16 MB. The server ended.',
    fix: 'Start the server again, and send less.',
  },
  PUBLISH_UNCONFIRMED: {
    meaning: 'How an earlier publish of the app ended is unknown, or whether it has ended.',
    fix: 'Check the app’s version, then add `--again` to publish.',
  },
  RECORDING_UNAVAILABLE: {
    meaning: 'The page’s runtime doesn’t report its steps, so that a run can’t be recorded. Nothing was run.',
    fix: 'Try `--engine ours`.',
  },
  STEP_NOT_FOUND: {
    meaning: 'The recorded pipeline has no step at the path that was passed with `--step`.',
    fix: 'Try `explain` without `--step` to see the paths of all `if` steps.',
  },
  SYNC_STATE_INVALID: {
    meaning: 'The file `.platform.json` or `.platform.local.json` beside the files of actions is damaged.',
    fix: 'Correct the file, or remove it: what is the same on both sides is found again.',
  },
  TOKENS_INVALID: {
    meaning: 'The file of the stored tokens is damaged.',
    fix: 'Correct the file that the message names, or remove it and log in again.',
  },
  TOKEN_MISSING: {
    meaning: 'The command line has no token for the platform.',
    fix: 'Log in with `platform-devtools environments login`, set `PLATFORM_TOKEN`, or use `--token-file`.',
  },
};
