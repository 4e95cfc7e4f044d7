/** Finds an action by its name or ID. */
import { CodedError } from '../../platform-api/coded-error.ts';
import { unreadableOf } from '../../platform-api/lists/unreadable.ts';
import { plural } from '../../shared/format.ts';
import { nearestName } from '../../shared/edit-distance.ts';

/** A name wins over an ID, since names can consist of digits. @throws CodedError `ACTION_NOT_FOUND` */
export function findAction<T extends { id: number; name: string }>(all: readonly T[], wanted: string): T {
  const found = all.find(({ name }) => name === wanted) ?? all.find(({ id }) => String(id) === wanted);
  if (found) return found;
  const meant = nearestName(
    wanted,
    all.map(({ name }) => name),
  );
  const { length } = unreadableOf(all);
  const unread = length > 0 ? ` ${plural(length, 'action')} couldn’t be read.` : '';
  throw new CodedError({
    code: 'ACTION_NOT_FOUND',
    message: `Couldn’t find an action “${wanted}” in the app’s list.${unread}${meant ? ` Did you mean “${meant}”?` : ''}`,
    hint: 'List the V2 actions with platform-devtools actions list.',
  });
}
