/** Buttons for a step's function: open its source, and pause in every step that uses it. Marks those steps. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Button } from '../../ui/index.ts';

export const NO_SOURCES_PANEL = 'This browser doesn’t let extensions open the Sources panel';

/** @param name the function's package; null if no function step is selected */
export function StepButtons({ panel, name }: { panel: Panel; name: string | null }): JSX.Element {
  const unavailable = name === null ? 'Select a function step' : null;
  const count = panel.page.nodes.value.filter((node) => node.package === name).length;
  const steps = count > 1 ? `: ${plural(count, 'step')} of this pipeline` : '';
  return (
    <span class="step-buttons">
      <Button
        kind="quiet"
        unavailable={unavailable ?? (panel.canSource ? null : NO_SOURCES_PANEL)}
        title="Open the function in the Sources panel"
        onClick={() => name && void panel.source(name)}
      >
        Show source
      </Button>
      <Button
        kind="quiet"
        unavailable={unavailable}
        pressed={name !== null && panel.breaks.value.has(name)}
        title={`Pause the debugger in this function, in every step that uses it${steps}`}
        onClick={() => name && void panel.toggleBreak(name)}
      >
        Pause here
      </Button>
    </span>
  );
}

/** Marks a step whose function has a breakpoint. */
export function BreakpointMark(): JSX.Element {
  return (
    <span class="breakpoint" role="img" aria-label="breakpoint" title="The debugger pauses in this step’s function">
      ●
    </span>
  );
}
