/** *Run* and *Stop*, which the toolbar shows at every size. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Badge, Button } from '../../ui/index.ts';
import { MODIFIER } from '../../../lib/extension/panel/shell/shortcuts.ts';
import { MocksMenu } from './mocks/mocks-menu.tsx';
import { EngineSelect } from './engine-select.tsx';

export function RunControls({ panel }: { panel: Panel }): JSX.Element {
  const label = panel.starter.label.value;
  const selected = panel.toOpen.value?.name;
  const production = panel.starter.otherProduction.value;
  return (
    <>
      <MocksMenu mocks={panel.mocks} onEdit={panel.mockEditor.open} />
      <EngineSelect panel={panel} />
      {production ? (
        <span title={`Runs on ${production.name}`}>
          <Badge tone="danger">Production</Badge>
        </span>
      ) : null}
      <Button
        kind="primary"
        unavailable={panel.cannotRun.value}
        label={label}
        title={
          selected === undefined
            ? `Run the action with this payload (${MODIFIER}⏎)`
            : `Open the debug page of ${selected} in this tab, and run it with this payload (${MODIFIER}⏎)`
        }
        onClick={() => void panel.run()}
      >
        <span class="run-label untrusted">{label}</span>
      </Button>
      <Button
        unavailable={panel.runs.live.value ? null : 'Start a run first'}
        title="Stop the run"
        onClick={() => void panel.runs.stop()}
      >
        Stop
      </Button>
    </>
  );
}
