/** Owns the button that shows the list of keys, which is loaded then. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Alert } from '../../ui/index.ts';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';

/** As this machine's keyboard names it. */
export const MODIFIER = typeof navigator !== 'undefined' && /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl+';

export function Shortcuts(): JSX.Element {
  const id = useId();
  const [isNeeded, setNeeded] = useState(false);
  const Keys = useLoaded(() => import('./shortcut-keys.tsx').then((module) => module.ShortcutKeys), isNeeded);
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        popovertarget={id}
        onClick={() => setNeeded(true)}
      >
        ?
      </button>
      <div id={id} popover="auto" class="shortcuts" aria-label="Keyboard shortcuts" role="dialog">
        {Keys === 'failed' ? <Alert error={NOT_LOADED} /> : Keys && <Keys />}
      </div>
    </>
  );
}
