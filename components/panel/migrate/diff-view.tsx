/** Lines of code that were added and removed. */
import type { JSX } from 'preact';
import type { DiffLine } from '../../../lib/extension/panel/migrate/line-differences.ts';
import { formatCount } from '../../../lib/shared/format.ts';

/** Longer lists are truncated. */
const SHOWN = 2_000;
const SIGNS: Record<DiffLine['kind'], string> = { same: ' ', added: '+', removed: '−', gap: '⋯', note: ' ' };
const NAMES: Record<DiffLine['kind'], string> = {
  same: '',
  added: 'added',
  removed: 'removed',
  gap: 'unchanged lines',
  note: '',
};

export function DiffView({ label, lines }: { label: string; lines: readonly DiffLine[] }): JSX.Element {
  return (
    <div class="fill scroll migrate-diff mono" role="region" aria-label={label} tabIndex={0}>
      {lines.slice(0, SHOWN).map(({ kind, text }, index) => (
        <div key={index} class={`line ${kind}`}>
          <span class="sign" aria-hidden="true">
            {SIGNS[kind]}
          </span>
          {NAMES[kind] ? <span class="visually-hidden">{NAMES[kind]} </span> : null}
          <span class="untrusted">{text}</span>
        </div>
      ))}
      {lines.length > SHOWN ? <p class="remark">and {formatCount(lines.length - SHOWN)} more lines</p> : null}
    </div>
  );
}
