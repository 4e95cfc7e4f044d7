/** Names of the packages that mocks are for. */
import type { Mock } from '../../../../../../lib/debugging/mocks/types.ts';

export const outgoing = (mocks: readonly Mock[]): string[] =>
  mocks.flatMap(({ target }) => ('package' in target ? target.package : []));
