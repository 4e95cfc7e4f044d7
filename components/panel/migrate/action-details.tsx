/** A migration as a whole: its status, what was compared, and what to know beside its steps. */
import type { ComponentChildren, JSX } from 'preact';
import { STATUS_TEXTS } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { formatCount, plural } from '../../../lib/shared/format.ts';
import { StatusBadge } from './status-badge.tsx';

export function ActionDetails({ migrating }: { migrating: Migrating }): JSX.Element {
  const aside = migrating.aside.value;
  const { unknownPackages = [], dataSourcesError = null } = migrating.gathered.value ?? {};
  const notes = migrating.migration.value.value?.report.notes ?? [];
  const status = migrating.status.value;
  return (
    <div class="migrate-details" data-migrate-action="">
      <header class="section-head">
        <h2>The action</h2>
        <span class="muted">Select a step for its details</span>
      </header>
      <div class="fill scroll migrate-facts">
        <p>
          <StatusBadge status={status} /> {STATUS_TEXTS[status].explanation}
        </p>
        {migrating.isStale.value ? null : (
          <ul class="migrate-counts" aria-label="Steps by status">
            {migrating.counts.value.map(([each, count]) => (
              <li key={each}>
                <StatusBadge status={each} /> {plural(count, 'step')}
              </li>
            ))}
          </ul>
        )}
        <List title="Notes">
          {notes.map((note) => (
            <li key={note} class="untrusted">
              {note}
            </li>
          ))}
          {dataSourcesError ? (
            <li class="untrusted">The IDs of data sources aren’t known: {dataSourcesError.message}</li>
          ) : null}
        </List>
        <List title="Packages without known source">
          {unknownPackages.map(({ name, reason }) => (
            <li key={name} class="untrusted">
              <code>{name}</code>: {reason}.
            </li>
          ))}
        </List>
        <List title={`Runs left out (${formatCount(aside.length)})`}>
          {aside.map(({ label, reason }) => (
            <li key={label} class="untrusted">
              {label}: {reason}
            </li>
          ))}
        </List>
      </div>
    </div>
  );
}

function List({ title, children }: { title: string; children: ComponentChildren[] }): JSX.Element | null {
  const items = children.flat().filter(Boolean);
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="migrate-list">{items}</ul>
    </section>
  );
}
