/** Exit codes of the command line, as in sysexits.h where one fits. Documented in the README. */
import type { ErrorValue } from '../../platform-api/coded-error.ts';

export const EXIT = {
  done: 0,
  /** The platform refused, or something else failed: the error’s code says what. */
  failed: 1,
  /** A negative result: the action failed, the replay diverged, the actions differ, or a check found a problem. */
  negative: 2,
  usage: 64,
  unreachable: 69,
  files: 74,
  /** The change might have been made. */
  unknownOutcome: 75,
  token: 77,
  configuration: 78,
  interrupted: 130,
  closedPipe: 141,
} as const;

const BY_CODE = new Map<string, number>([
  ...codes(EXIT.usage, 'ARGUMENT_INVALID', 'CONFIRMATION_NEEDED', 'CODE_NOT_TRUSTED'),
  ...codes(EXIT.usage, 'NO_ENVIRONMENT', 'ENVIRONMENT_NOT_FOUND', 'NO_APP'),
  ...codes(
    EXIT.unreachable,
    'PLATFORM_UNREACHABLE',
    'PLATFORM_UNAVAILABLE',
    'PLATFORM_SLOW',
    'BROWSER_MISSING',
    'BROWSER_NOT_STARTED',
  ),
  ...codes(EXIT.files, 'FILE_NOT_READ', 'FILES_NOT_WRITTEN', 'OUTPUT_NOT_WRITTEN'),
  ...codes(EXIT.unknownOutcome, 'OUTCOME_UNKNOWN'),
  ...codes(EXIT.token, 'TOKEN_MISSING', 'TOKEN_REFUSED', 'LOGIN_REQUIRED', 'ACCESS_DENIED'),
  ...codes(EXIT.configuration, 'CONFIG_INVALID', 'TOKENS_INVALID', 'PROJECT_INVALID', 'SYNC_STATE_INVALID'),
  ...codes(EXIT.interrupted, 'ABORTED'),
]);

export const exitCodeOf = ({ code }: ErrorValue): number => BY_CODE.get(code) ?? EXIT.failed;

function codes(exit: number, ...names: string[]): [string, number][] {
  return names.map((name) => [name, exit]);
}
