/** *More* in a step's header: its breakpoint, running to and from it, and its function. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stepLabel } from '../../../../lib/extension/panel/run/debug/match-breakpoints.ts';
import { stepActions } from '../../../../lib/extension/panel/run/debug/step-actions.ts';
import type { PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { ActionMenu, type MenuAction, type MenuPosition } from '../../../ui/action-menu.tsx';
import { NO_SOURCES_PANEL } from '../step-buttons.tsx';

export interface StepMoreProps {
  panel: Panel;
  node: PipelineNode;
  /** Null if the displayed run has no step there. */
  from: { run: ShownRun; step: TraceStep } | null;
}

export function StepMore({ panel, node, from }: StepMoreProps): JSX.Element {
  const [at, setAt] = useState<MenuPosition | null>(null);
  return (
    <>
      <button
        type="button"
        class="button quiet"
        aria-haspopup="menu"
        aria-expanded={at !== null}
        title="Breakpoint, run to here, run from here"
        onClick={(event) => {
          const { left, bottom } = event.currentTarget.getBoundingClientRect();
          setAt({ x: left, y: bottom });
        }}
      >
        More
      </button>
      {at ? <StepMenu panel={panel} node={node} from={from} at={at} onClose={() => setAt(null)} /> : null}
    </>
  );
}

type StepMenuProps = StepMoreProps & { at: MenuPosition; onClose: () => void };

export function StepMenu({ panel, node, from, at, onClose }: StepMenuProps): JSX.Element {
  const { debug, payloads } = panel;
  const groups = stepActions({ debug, node, from, payload: payloads.text.value });
  return (
    <ActionMenu
      label={`Step ${stepLabel(node)}`}
      at={at}
      groups={node.package ? [...groups, functionActions(panel, node.package)] : groups}
      onClose={onClose}
    />
  );
}

function functionActions(panel: Panel, name: string): MenuAction[] {
  return [
    {
      label: 'Show source',
      unavailable: panel.canSource ? null : NO_SOURCES_PANEL,
      onPick: () => void panel.source(name),
    },
    {
      label: panel.breaks.value.has(name) ? 'Don’t pause in the function' : 'Pause in the function',
      onPick: () => void panel.toggleBreak(name),
    },
  ];
}
