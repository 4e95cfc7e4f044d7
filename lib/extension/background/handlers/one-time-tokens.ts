/** Requests one-time tokens for pages. */
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import { issueOneTimeToken, type CallOptions, type Connection } from '../../../rest/index.ts';

/** In milliseconds. Without a one-time token, the page opens with the environment’s. */
const TIME_LIMIT = 5_000;

/**
 * A token that opens the page once, or null if there's none.
 * @throws CodedError `ABORTED`
 */
export async function oneTimeToken(
  connection: Connection,
  page: { appId: number; path: string },
  options: CallOptions = {},
): Promise<string | null> {
  try {
    return await issueOneTimeToken(connection, page, { ...options, timeoutMs: TIME_LIMIT });
  } catch (error) {
    if (options.signal?.aborted || toErrorValue(error).code === 'ABORTED') throw error;
    return null;
  }
}
