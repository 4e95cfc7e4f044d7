/** Shows that a list has no items, or that none of its items could be read. */
import type { JSX } from 'preact';
import type { Unreadable } from '../../../lib/platform-api/lists/unreadable.ts';
import { plural } from '../../../lib/shared/format.ts';
import { EmptyState } from '../../ui/index.ts';
import type { EmptyStateProps } from '../../ui/small.tsx';

interface EmptyListProps extends EmptyStateProps {
  /** What the platform lists beside the items. */
  unreadable: readonly Unreadable[];
  /** An item, such as `action`. */
  what: string;
}

export function EmptyList({ unreadable, what, ...empty }: EmptyListProps): JSX.Element {
  if (unreadable.length === 0) return <EmptyState {...empty} />;
  return (
    <EmptyState title={`Couldn’t read any of ${plural(unreadable.length, what)}`} actions={empty.actions}>
      <p class="untrusted">
        {unreadable[0]?.item} ({unreadable[0]?.why})
      </p>
    </EmptyState>
  );
}
