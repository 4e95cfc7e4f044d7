/** Owns the list of keys. */
import type { JSX } from 'preact';
import { MODIFIER } from './shortcuts.tsx';

const KEYS: [string, string][] = [
  [`${MODIFIER}⏎`, 'Run'],
  ['↑ ↓', 'Move in tree, timeline, values'],
  ['→ ←', 'Unfold and fold; into and out of'],
  ['Home End', 'First and last row'],
  ['⏎', 'On a function step: its source'],
  ['Esc', 'In the timeline: back to the whole run'],
];

export function ShortcutKeys(): JSX.Element {
  return (
    <dl>
      {KEYS.map(([keys, what]) => (
        <div key={keys}>
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}
