/** Lists users who don't have the newest version yet. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Sessions } from '../../../lib/extension/panel/apps/sessions.ts';
import type { BehindUser } from '../../../lib/extension/panel/apps/types.ts';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { Grid, type GridColumn } from '../../ui/grid.tsx';
import { PastTime } from './platform-time.tsx';

const LEAST = [1, 2, 3, 5, 10];

const columns = (now: number): GridColumn<string, BehindUser>[] => [
  {
    id: 'user',
    label: 'Email',
    width: 120,
    grow: 1,
    cell: ({ email, key }) => (
      <span class={email === null ? 'muted untrusted' : 'untrusted'} title={truncate(email ?? key, 200)}>
        {truncate(email ?? `session ${key.replace(/^#/, '')}`, 200)}
      </span>
    ),
  },
  { id: 'version', label: 'Version', width: 54, align: 'end', cell: ({ version }) => version },
  { id: 'behind', label: 'Behind', width: 50, align: 'end', cell: ({ behind }) => behind },
  {
    id: 'lastAccess',
    label: 'Last access',
    width: 90,
    cell: ({ lastAccess }) => <PastTime at={lastAccess} now={now} />,
  },
];

export interface BehindListProps {
  sessions: Sessions;
  now: number;
  onShow: (user: BehindUser) => void;
}

/** @param onShow shows this user's sessions */
export function BehindList({ sessions, now, onShow }: BehindListProps): JSX.Element {
  const filter = sessions.filter.value;
  const users = sessions.behind.value;
  const [selected, setSelected] = useState<string | null>(null);
  return (
    <section class="part behind" aria-label="Users behind">
      <div class="part-head">
        <h3>Users behind</h3>
        <select
          class="input"
          name="behind-least"
          aria-label="Versions behind"
          title="Also filters sessions and charts"
          value={filter.behind ?? ''}
          onChange={({ currentTarget: { value } }) =>
            (sessions.filter.value = { ...filter, behind: value === '' ? null : Number(value) })
          }
        >
          <option value="">1 version or more</option>
          {LEAST.filter((least) => least > 1).map((least) => (
            <option key={least} value={least}>
              {least} versions or more
            </option>
          ))}
        </select>
        <span class="muted" role="status" data-behind={users.length}>
          {plural(users.length, 'user')}
        </span>
      </div>
      {users.length === 0 ? null : (
        <>
          <div class="behind-grid">
            <Grid
              label="Users behind"
              columns={columns(now)}
              rows={users}
              keyOf={({ key }) => key}
              selected={selected}
              onSelect={({ key }) => setSelected(key)}
              onActivate={onShow}
            />
          </div>
          <p class="muted">Press Enter or double-click to see a user’s sessions.</p>
        </>
      )}
    </section>
  );
}
