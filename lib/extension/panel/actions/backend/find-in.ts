/** Finds an action in a listing. Only a list that was read in whole says that the app doesn't have it. */
import type { Action } from '../../../../platform-api/action.ts';
import type { Result } from '../../../../platform-api/errors.ts';
import type { ActionListing } from './types.ts';

export function findIn({ actions, unreadable }: ActionListing, id: number): Result<Action | null> {
  const action = actions.find((one) => one.id === id);
  if (action) return { ok: true, value: action };
  const other = unreadable.find((one) => one.id === id) ?? unreadable.find((one) => one.id === null);
  if (!other) return { ok: true, value: null };
  return {
    ok: false,
    error: {
      code: 'ANSWER_INVALID',
      message: `Couldn’t find the action in the list: ${other.item} couldn’t be read (${other.why}).`,
      hint: 'Correct that value on the platform, then try again.',
    },
  };
}
