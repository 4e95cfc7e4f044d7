/** The pipeline as a tree. Each step shows its state in the displayed run. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { isStep } from '../../../lib/extension/panel/run/debug/match-breakpoints.ts';
import type { StartingPoint } from '../../../lib/extension/panel/run/debug/run-places.ts';
import { nodeRun, openNodes, type NodeRun, type PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { mocksByPath, type ShownMock } from '../../../lib/extension/panel/run/mocks/mocked-packages.ts';
import type { Progress } from '../../../lib/extension/panel/run/run-clock.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatDuration, plural } from '../../../lib/shared/format.ts';
import type { MenuPosition } from '../../ui/action-menu.tsx';
import { VirtualTree } from '../../ui/virtual-tree.tsx';
import { late } from '../shared/late.tsx';
import { NodeLabel } from '../shared/node-label.tsx';
import { BreakpointsMenu } from './debug/breakpoints-menu.tsx';
import { Gutter } from './debug/gutter.tsx';
import { StepMenu } from './debug/step-more.tsx';
import { StateIcon } from './state-icon.tsx';
import { BreakpointMark } from './step-buttons.tsx';

const BreakpointEditor = late(() => import('./debug/breakpoint-editor.tsx').then((module) => module.BreakpointEditor));

export function PipelineTree({ panel }: { panel: Panel }): JSX.Element {
  const nodes = panel.treeNodes.value;
  // What the next run in the page gets says nothing about another pipeline.
  const isLocal = panel.isTreeLocal.value;
  const steps = useMemo(() => nodes.filter((node) => node.kind !== 'branch').length, [nodes]);
  const [menu, setMenu] = useState<{ node: PipelineNode; at: MenuPosition } | null>(null);
  return (
    <>
      <header class="section-head">
        <h2>Pipeline</h2>
        <span class="muted">{steps > 0 ? plural(steps, 'step') : ''}</span>
        {isLocal ? <span class="muted">of the open run</span> : null}
        <span class="grow" />
        {isLocal ? null : <BreakpointsMenu debug={panel.debug} onShow={panel.selection.revealPath} />}
      </header>
      <Tree panel={panel} onMenu={(node, at) => isStep(node) && !isLocal && setMenu({ node, at })} />
      {menu ? <StepMenu panel={panel} {...menu} from={selectedStep(panel)} onClose={() => setMenu(null)} /> : null}
      {panel.debug.breakpoints.draft.value ? <BreakpointEditor debug={panel.debug} /> : null}
    </>
  );
}

interface TreeProps {
  panel: Panel;
  onMenu: (node: PipelineNode, at: MenuPosition) => void;
}

function Tree({ panel, onMenu }: TreeProps): JSX.Element {
  const { selection, runs, breaks } = panel;
  const nodes = panel.treeNodes.value;
  const isLocal = panel.isTreeLocal.value;
  const collapsed = selection.collapsedPaths.value;
  const openRows = useMemo(() => openNodes(nodes, collapsed), [nodes, collapsed]);
  const active = isLocal ? NO_MOCKS : panel.mocks.inTab.value;
  const mocks = useMemo(() => mocksByPath(nodes, active), [nodes, active]);
  void runs.version.value;
  const shown = runs.shown.value;
  // Another action's run says nothing about this pipeline.
  const trace = shown && (shown.local || runs.isOfPage(shown.record)) ? shown.trace : null;
  const progress = shown && panel.progressOf(shown);
  const pausedPath = trace?.steps.get(trace.paused?.step ?? -1)?.path ?? null;
  return (
    <VirtualTree
      label="Pipeline"
      rows={openRows}
      shape={(node) => ({
        key: node.path,
        level: node.depth,
        expanded: node.hasChildren ? !collapsed.has(node.path) : null,
      })}
      attributes={(node) => ({
        'data-path': node.path,
        'data-state': nodeRun(node, trace).state,
        'data-failing': node.path === trace?.error?.path ? '' : undefined,
        'data-paused': node.path === pausedPath ? '' : undefined,
      })}
      selected={selection.path.value}
      onSelect={(node) => selection.selectPath(node.path)}
      onToggle={(node, expanded) => selection.setPathCollapsed(node.path, !expanded)}
      onActivate={(node) => selection.showPathDetails(node.path)}
      onMenu={onMenu}
      render={(node) => (
        <NodeRow
          panel={panel}
          node={node}
          run={nodeRun(node, trace)}
          progress={progress}
          mock={mocks.get(node.path) ?? null}
          hasBreakpoint={!isLocal && node.package !== null && breaks.value.has(node.package)}
          isLocal={isLocal}
        />
      )}
    />
  );
}

const NO_MOCKS: Panel['mocks']['inTab']['value'] = [];

/** Opening the menu of a row has selected it. */
function selectedStep({ runs, selection }: Panel): StartingPoint | null {
  const run = runs.shown.value;
  const step = run?.trace.steps.get(selection.step.value ?? -1);
  return run && step ? { run, step } : null;
}

interface NodeRowProps {
  panel: Panel;
  node: PipelineNode;
  run: NodeRun;
  /** Null if no run is shown. */
  progress: Progress | null;
  /** What the next run gets for this step; null if nothing. */
  mock: ShownMock | null;
  hasBreakpoint: boolean;
  /** Whether the page doesn’t have this pipeline. */
  isLocal: boolean;
}

function NodeRow({ panel, node, run, progress, mock, hasBreakpoint, isLocal }: NodeRowProps): JSX.Element {
  return (
    <>
      {isLocal ? null : <Gutter debug={panel.debug} node={node} />}
      <NodeLabel node={node} />
      {mock ? (
        <span class="badge warning untrusted" data-mock="" title={`The next run: ${mock.text}`}>
          mock
        </span>
      ) : null}
      {hasBreakpoint ? <BreakpointMark /> : null}
      <span class="grow" />
      <span class="node-run">
        <span class="run-text">{runText(run, progress)}</span>
        <StateIcon state={run.state} isPaused={progress?.isPaused} />
      </span>
    </>
  );
}

function runText(run: NodeRun, progress: Progress | null): string {
  const { state, count, iterations, total, mocked, recorded, isAtLeast } = run;
  if (state === 'idle' || (state === 'unstored' && count === 0)) return '';
  if (iterations !== undefined) return total === undefined ? plural(iterations, 'iteration') : `${iterations}/${total}`;
  const time = timeText(run, progress);
  const times = isAtLeast ? `${formatCount(count)} or more runs` : count > 1 || time === '' ? plural(count, 'run') : '';
  const ofMocks = mocked ? `${formatCount(mocked)} mocked` : '';
  // All of them: one number says both.
  return [time, mocked === count ? '' : times, ofMocks, recorded && 'from recording'].filter(Boolean).join(' · ');
}

/** The time of the current execution while the node is running, and of all executions afterward. */
function timeText({ milliseconds, runningSince }: NodeRun, progress: Progress | null): string {
  if (runningSince !== undefined) return progress ? formatDuration(progress.elapsed - runningSince) : '';
  return milliseconds === null ? '' : formatDuration(milliseconds);
}
