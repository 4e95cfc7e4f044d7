/** A button that lists the keyboard shortcuts. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

/** The modifier key's name on this computer's keyboard. */
export const MODIFIER = typeof navigator !== 'undefined' && /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl+';

const SHORTCUTS: [keys: string, action: string][] = [
  [`${MODIFIER}⏎`, 'Run'],
  ['↑ ↓', 'Move through trees and the timeline'],
  ['→ ←', 'Expand and collapse'],
  ['Home End', 'Move to the first or last row'],
  ['⏎', 'Show a step’s details'],
  ['Esc', 'Show the whole run'],
];

export function Shortcuts(): JSX.Element {
  const id = useId();
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        popovertarget={id}
      >
        ?
      </button>
      <div id={id} popover="auto" class="menu shortcuts" aria-label="Keyboard shortcuts" role="dialog">
        <dl>
          {SHORTCUTS.map(([keys, action]) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  );
}
