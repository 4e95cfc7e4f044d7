/** Owns what can be done with a function: look at its source, stop in it. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';

/** @param name the function's package; null: there is none to act on, and the buttons say why */
export function StepButtons({ panel, name }: { panel: Panel; name: string | null }): JSX.Element {
  const none = name === null ? 'Select a function step first.' : null;
  const isBreak = name !== null && panel.breaks.value.has(name);
  return (
    <span class="step-buttons">
      <Button
        kind="quiet"
        unavailable={
          none ?? (panel.canSource ? null : 'This browser does not let an extension open the Sources panel.')
        }
        title="Open the function's script in the Sources panel (Enter)"
        onClick={() => name && void panel.source(name)}
      >
        Source
      </Button>
      <Button
        kind="quiet"
        unavailable={none}
        pressed={isBreak}
        title="Let the debugger stop in this function"
        onClick={() => name && void panel.toggleBreak(name)}
      >
        Break
      </Button>
    </span>
  );
}
