/** Error codes of the MCP server. */
import type { ErrorText } from './error-text.ts';

export const MCP_ERRORS: Record<string, ErrorText> = {
  ACTION_NOT_PUBLISHED: {
    meaning: 'The action has no published copy that could be read.',
    fix: 'Read its working copy.',
  },
  CONFIRMATION_DECLINED: {
    meaning: 'The user didn’t confirm a change of a production environment. Nothing was sent.',
    fix: 'Ask for the change again, and confirm it.',
  },
  CONFIRMATION_UNAVAILABLE: {
    meaning: 'The environment is production, and the MCP client can’t ask its user (it has no elicitation).',
    fix: 'Use a client with elicitation, or run the command in a terminal.',
  },
  EDIT_PATH_MISSING: {
    meaning: 'The path of an edit leads nowhere in the recorded pipeline.',
    fix: 'Check the path: it’s a JSON Pointer into the pipeline.',
  },
  FILE_NOT_ALLOWED: {
    meaning: 'The MCP server opens only recordings (`.json`) in the project’s folder, and follows no link out of it.',
    fix: 'Copy the recording into the folder, or open the one of a log record.',
  },
  FUNCTIONS_NOT_MOCKED: {
    meaning: 'A run would really call functions that could change something. Nothing was run.',
    fix: 'Give their mocks an outcome, or name the packages in `call` on a server with `--allow-writes`.',
  },
  HANDLE_OTHER: {
    meaning: 'The handle isn’t one of a recording.',
    fix: 'Use the handle of `open_recording`, `run_action`, or `replay_recording`.',
  },
  HANDLE_UNKNOWN: {
    meaning: 'The handle is wrong, or has expired: the server keeps the 40 that were used last.',
    fix: 'Call the tool that gave the handle again.',
  },
  MOCKS_INVALID: {
    meaning: 'The mocks of a call aren’t valid.',
    fix: 'Correct the value that the message names.',
  },
  REPLAY_TOO_LONG: {
    meaning: 'A replay with a changed pipeline had too many steps, such as those of a loop that doesn’t end.',
    fix: 'Check the loops of the changed pipeline.',
  },
  TOO_MANY_CALLS: {
    meaning: 'Too many calls of tools are waiting already. Nothing was done.',
    fix: 'Wait for the earlier calls, then try again.',
  },
  WRITES_NOT_ALLOWED: {
    meaning: 'The MCP server was started without `--allow-writes`, so that it can’t change anything.',
    fix: 'Add `--allow-writes` to the server’s command, and start it again.',
  },
};
