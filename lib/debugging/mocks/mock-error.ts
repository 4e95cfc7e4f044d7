/** Defines why a mock couldn’t be applied. */
import type { Mock } from './types.ts';

export type MockErrorCode = 'MOCK_CONDITION_INVALID' | 'MOCK_CONDITION_FAILED' | 'MOCK_MISFIT';

const HINTS: Record<MockErrorCode, string> = {
  MOCK_CONDITION_INVALID: 'Correct the mock’s condition.',
  MOCK_CONDITION_FAILED: 'Use ?. in the mock’s condition where a value may be missing.',
  MOCK_MISFIT: 'Change the mock’s context changes, or add the objects that they need.',
};

/** Why a mock couldn’t be applied. Its step fails with this error. */
export class MockError extends Error {
  override readonly name = 'MockError';
  readonly code: MockErrorCode;
  readonly hint: string;

  constructor(code: MockErrorCode, mock: Mock, why: string, cause?: unknown) {
    const reason = cause instanceof Error ? `${why}: ${cause.message}` : `${why}.`;
    super(`Couldn’t mock ${targetText(mock)}: ${reason}`, { cause });
    this.code = code;
    this.hint = HINTS[code];
  }
}

/** Names what a mock replaces. */
export const targetText = ({ target }: Mock): string => ('path' in target ? `step ${target.path}` : target.package);
