/** Names the items of a list that couldn’t be read. */
import type { JSX } from 'preact';
import type { Unreadable } from '../../../lib/platform-api/lists/unreadable.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Notice } from '../../ui/index.ts';

/** Enough to find the pattern. */
const SHOWN = 50;

/** Renders nothing if all could be read. `what` is an item, such as `action`. */
export function UnreadableNote({ list, what }: { list: readonly Unreadable[]; what: string }): JSX.Element | null {
  const [first, ...others] = list.slice(0, SHOWN);
  if (!first) return null;
  const hidden = list.length - SHOWN;
  return (
    <Notice code="LIST_INCOMPLETE">
      <strong data-unreadable={list.length}>{plural(list.length, what)} couldn’t be read.</strong>{' '}
      <span class="untrusted">
        {first.item} ({first.why})
      </span>
      {others.length > 0 ? (
        <details>
          <summary>{plural(list.length - 1, 'other')}</summary>
          <ul>
            {others.map(({ item, why }, index) => (
              <li key={index} class="untrusted">
                {item} ({why})
              </li>
            ))}
            {hidden > 0 ? <li>and {plural(hidden, 'more', 'more')}</li> : null}
          </ul>
        </details>
      ) : null}
    </Notice>
  );
}
