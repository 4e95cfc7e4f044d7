/** Buttons for a step's function: open its source, and pause in it. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';

export const NO_SOURCES_PANEL = 'This browser doesn’t let extensions open the Sources panel';

/** @param name the function's package; null if no function step is selected */
export function StepButtons({ panel, name }: { panel: Panel; name: string | null }): JSX.Element {
  const unavailable = name === null ? 'Select a function step' : null;
  return (
    <span class="step-buttons">
      <Button
        kind="quiet"
        unavailable={unavailable ?? (panel.canSource ? null : NO_SOURCES_PANEL)}
        title="Open the function in the Sources panel (Enter)"
        onClick={() => name && void panel.source(name)}
      >
        Source
      </Button>
      <Button
        kind="quiet"
        unavailable={unavailable}
        pressed={name !== null && panel.breaks.value.has(name)}
        title="Pause the debugger in this function"
        onClick={() => name && void panel.toggleBreak(name)}
      >
        Breakpoint
      </Button>
    </span>
  );
}
