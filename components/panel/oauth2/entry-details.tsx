/** Owns all that is known of the chosen entry, or of a flow. */
import type { JSX } from 'preact';
import { formatDuration, formatSize, plural } from '../../../lib/shared/format.ts';
import { whenIs } from '../../../lib/extension/panel/oauth2/claims.ts';
import type { Flow } from '../../../lib/extension/panel/oauth2/rows.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { Entry } from '../../../lib/extension/panel/oauth2/types.ts';
import { lineOf } from '../../../lib/extension/panel/oauth2/words.ts';
import { EmptyState } from '../../ui/index.ts';

export function EntryDetails({ store }: { store: OAuth2Store }): JSX.Element {
  const row = store.rows.value.find(({ key }) => key === store.selected.value);
  if (!row)
    return (
      <EmptyState title="Choose an entry">
        <p>
          All that is known of it shows here. Tokens, codes and secrets are in none of it: they never leave the page.
        </p>
      </EmptyState>
    );
  const entries = row.entry ? [row.entry] : row.flow.entries;
  return (
    <div class="scroll entry-details" data-entry-details="">
      {row.entry ? null : <FlowFacts flow={row.flow} />}
      {entries.slice(0, 50).map((entry) => (
        <EntryFacts key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

function FlowFacts({ flow }: { flow: Flow }): JSX.Element {
  return (
    <p class="remark">
      <strong class="untrusted">{flow.title}</strong> ·{' '}
      {flow.isOpen ? 'under way' : flow.milliseconds === null ? 'at once' : formatDuration(flow.milliseconds)}
      {flow.bytes === null ? '' : ` · ${formatSize(flow.bytes)}`}
      {flow.entries.length > 1 ? ` · ${plural(flow.entries.length, 'step')}` : ''}
    </p>
  );
}

function EntryFacts({ entry }: { entry: Entry }): JSX.Element {
  const { kind: _kind, ...fields } = entry.detail;
  return (
    <dl class="fact-list">
      <div>
        <dt>
          <strong class="untrusted">{lineOf(entry).what}</strong>
        </dt>
        <dd>{whenIs(entry.at, Date.now())}</dd>
      </div>
      {Object.entries(fields)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code class="untrusted">{textOf(value)}</code>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ') || 'none';
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => `${name}: ${String(item)}`)
      .join(', ');
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : String(value);
}
