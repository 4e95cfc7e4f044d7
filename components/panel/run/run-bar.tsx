/** The bar with *Run*, *Stop*, and the reason why the action can't run. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';
import { MODIFIER, Shortcuts } from '../shell/shortcuts.tsx';

export function RunBar({ panel }: { panel: Panel }): JSX.Element {
  const live = panel.runs.live.value;
  const reason = panel.cannotRun.value;
  return (
    <div class="run-bar">
      <Button
        kind="primary"
        unavailable={reason}
        title={`Run the action with this payload (${MODIFIER}⏎)`}
        onClick={() => void panel.run()}
      >
        Run
      </Button>
      <kbd class="muted" aria-hidden="true">
        {MODIFIER}⏎
      </kbd>
      <Button unavailable={live ? null : 'Start a run first'} onClick={() => void panel.runs.stop()}>
        Stop
      </Button>
      <span class="reason muted untrusted" title={reason ?? undefined}>
        {live ? 'Running…' : reason}
      </span>
      <Shortcuts />
    </div>
  );
}
