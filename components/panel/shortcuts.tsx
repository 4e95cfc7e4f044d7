/** Owns the list of keys. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** As this machine's keyboard names it. */
export const MODIFIER = typeof navigator !== 'undefined' && /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl+';

const KEYS: [string, string][] = [
  [`${MODIFIER}⏎`, 'Run'],
  ['↑ ↓', 'Move in tree, timeline, values'],
  ['→ ←', 'Unfold and fold; into and out of'],
  ['Home End', 'First and last row'],
  ['⏎', 'On a function step: its source'],
  ['Esc', 'In the timeline: back to the whole run'],
];

export function Shortcuts(): JSX.Element {
  const id = useId();
  return (
    <>
      <button type="button" class="button quiet" aria-label="Keyboard shortcuts" title="Keyboard shortcuts" popovertarget={id}>?</button>
      <div id={id} popover="auto" class="shortcuts" aria-label="Keyboard shortcuts" role="dialog">
        <dl>
          {KEYS.map(([keys, what]) => (
            <div key={keys}>
              <dt><kbd>{keys}</kbd></dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
