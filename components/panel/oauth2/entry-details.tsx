/** Shows every field of the selected entry, or of all entries in the selected flow. */
import type { JSX } from 'preact';
import { formatDuration, formatSize, plural } from '../../../lib/shared/format.ts';
import { whenIs } from '../../../lib/extension/panel/oauth2/claims.ts';
import { describeEntry } from '../../../lib/extension/panel/oauth2/entry-text.ts';
import type { Flow } from '../../../lib/extension/panel/oauth2/flow-rows.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { Entry } from '../../../lib/extension/panel/oauth2/types.ts';
import { EmptyState } from '../../ui/index.ts';

const MAX_SHOWN = 50;

export function EntryDetails({ store: { timeline } }: { store: OAuth2Store }): JSX.Element {
  const row = timeline.rows.value.find(({ key }) => key === timeline.selected.value);
  if (!row)
    return (
      <EmptyState title="No entry selected">
        <p>
          Select a timeline entry to see its details. The page’s recorder masks the tokens, codes, and secrets that it
          recognizes.
        </p>
      </EmptyState>
    );
  const entries = row.entry ? [row.entry] : row.flow.entries;
  return (
    <div class="scroll entry-details" data-entry-details="">
      {row.entry ? null : <FlowSummary flow={row.flow} />}
      {entries.slice(0, MAX_SHOWN).map((entry) => (
        <EntryFields key={entry.id} entry={entry} />
      ))}
    </div>
  );
}

function FlowSummary({ flow: { title, isOpen, milliseconds, bytes, entries } }: { flow: Flow }): JSX.Element {
  const facts = [
    isOpen ? 'running' : milliseconds === null ? null : formatDuration(milliseconds),
    bytes === null ? null : formatSize(bytes),
    entries.length > 1 ? plural(entries.length, 'step') : null,
  ];
  return (
    <p class="remark">
      <strong class="untrusted">{title}</strong>
      {facts.filter((fact) => fact !== null).map((fact) => ` · ${fact}`)}
    </p>
  );
}

function EntryFields({ entry }: { entry: Entry }): JSX.Element {
  const { kind: _kind, ...fields } = entry.detail;
  return (
    <dl class="fact-list">
      <div>
        <dt>
          <strong class="untrusted">{describeEntry(entry).title}</strong>
        </dt>
        <dd>{whenIs(entry.at, Date.now())}</dd>
      </div>
      {Object.entries(fields)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code class="untrusted">{formatField(value, name === 'headers' ? '\n' : ', ')}</code>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function formatField(value: unknown, separator: string): string {
  if (Array.isArray(value)) return value.join(separator) || 'none';
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([name, item]) => `${name}: ${String(item)}`)
      .join(', ');
  return typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : String(value);
}
