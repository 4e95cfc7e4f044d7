/** The exit codes that scripts rely on, as the README documents them. */
import { expect, test } from 'vitest';
import { exitCodeOf } from '../../../../lib/cli/command/exit-codes.ts';

test.each([
  [1, ['RATE_LIMITED', 'SOMETHING_ELSE', 'constructor']],
  [
    64,
    [
      'ARGUMENT_INVALID',
      'CONFIRMATION_NEEDED',
      'CODE_NOT_TRUSTED',
      'NO_ENVIRONMENT',
      'ENVIRONMENT_NOT_FOUND',
      'NO_APP',
    ],
  ],
  [69, ['PLATFORM_UNREACHABLE', 'PLATFORM_UNAVAILABLE', 'PLATFORM_SLOW', 'BROWSER_MISSING', 'BROWSER_NOT_STARTED']],
  [74, ['FILE_NOT_READ', 'FILES_NOT_WRITTEN', 'OUTPUT_NOT_WRITTEN']],
  [75, ['OUTCOME_UNKNOWN']],
  [77, ['TOKEN_MISSING', 'TOKEN_REFUSED', 'LOGIN_REQUIRED', 'ACCESS_DENIED']],
  [78, ['CONFIG_INVALID', 'TOKENS_INVALID', 'PROJECT_INVALID', 'SYNC_STATE_INVALID']],
  [130, ['ABORTED']],
])('%s is the exit code of %j', (exit, codes) => {
  expect(codes.map((code) => exitCodeOf({ code, message: '' }))).toEqual(codes.map(() => exit));
});
