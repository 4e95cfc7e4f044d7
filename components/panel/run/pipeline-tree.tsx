/** The pipeline as a tree. Each step shows its state in the displayed run. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { nodeRun, openNodes, type NodeRun, type PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { VirtualTree } from '../../ui/virtual-tree.tsx';
import { StateIcon } from './state-icon.tsx';
import { BreakpointMark, StepButtons } from './step-buttons.tsx';

export function PipelineTree({ panel }: { panel: Panel }): JSX.Element {
  const { page, selection, runs } = panel;
  const nodes = page.nodes.value;
  const collapsed = selection.collapsedPaths.value;
  const openRows = useMemo(() => openNodes(nodes, collapsed), [nodes, collapsed]);
  const steps = useMemo(() => nodes.filter((node) => node.kind !== 'branch').length, [nodes]);
  const selected = selection.path.value;
  const selectedPackage = nodes.find((node) => node.path === selected)?.package ?? null;
  const breaks = panel.breaks.value;
  void runs.version.value;
  const trace = runs.shown.value?.trace ?? null;
  const failedPath = trace?.error?.path ?? null;
  return (
    <>
      <header class="section-head">
        <h2>Pipeline</h2>
        <span class="muted">{steps > 0 ? plural(steps, 'step') : ''}</span>
        <span class="grow" />
        <StepButtons panel={panel} name={selectedPackage} />
      </header>
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
          'data-failing': node.path === failedPath ? '' : undefined,
        })}
        selected={selected}
        onSelect={(node) => selection.selectPath(node.path)}
        onToggle={(node, expanded) => selection.setPathCollapsed(node.path, !expanded)}
        onActivate={(node) => node.package && void panel.source(node.package)}
        render={(node) => (
          <NodeRow
            node={node}
            run={nodeRun(node, trace)}
            hasBreakpoint={node.package !== null && breaks.has(node.package)}
          />
        )}
      />
    </>
  );
}

interface NodeRowProps {
  node: PipelineNode;
  run: NodeRun;
  hasBreakpoint: boolean;
}

function NodeRow({ node, run, hasBreakpoint }: NodeRowProps): JSX.Element {
  return (
    <>
      <span class={`node-label mono untrusted ${node.kind}`} title={node.package ?? node.label}>
        {node.package ? shortName(node.package) : node.label}
      </span>
      <span class="grow" />
      {hasBreakpoint ? <BreakpointMark /> : null}
      <span class="node-run">
        <StateIcon state={run.state} />
        <span class="run-text">{runText(run)}</span>
      </span>
    </>
  );
}

function runText({ state, count, iterations, total, milliseconds, isAtLeast }: NodeRun): string {
  if (state === 'idle' || (state === 'unstored' && count === 0)) return '';
  if (iterations !== undefined) return total === undefined ? `${iterations}×` : `${iterations}/${total}`;
  const time = milliseconds === null || state === 'running' ? '' : formatDuration(milliseconds);
  const times = isAtLeast ? `≥${count}× ` : count > 1 ? `${count}× ` : '';
  return `${times}${time}`.trimEnd();
}
