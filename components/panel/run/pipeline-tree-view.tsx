/** Owns the pipeline's tree, marked live with what the shown run did; loaded with the first pipeline. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';
import { nodeRun, openNodes, type NodeRun, type PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { VirtualTree } from '../../ui/virtual-tree.tsx';
import { StateSign } from './step-state.tsx';
import { StepButtons } from './step-buttons.tsx';

export function PipelineTree({ panel }: { panel: Panel }): JSX.Element {
  const { page, selection, runs } = panel;
  const nodes = page.nodes.value;
  const folded = selection.foldedPaths.value;
  const open = useMemo(() => openNodes(nodes, folded), [nodes, folded]);
  const breaks = panel.breaks.value;
  const selected = selection.path.value;
  const steps = useMemo(() => nodes.filter((node) => node.kind !== 'branch').length, [nodes]);
  void runs.version.value;
  const trace = runs.shown.value?.trace ?? null;
  const failedPath = trace?.error?.path ?? null;
  const chosen = nodes.find((node) => node.path === selected)?.package ?? null;
  return (
    <>
      <header class="section-head">
        <h2>Pipeline</h2>
        <span class="muted">{steps > 0 ? plural(steps, 'step') : ''}</span>
        <span class="grow" />
        <StepButtons panel={panel} name={chosen} />
      </header>
      <VirtualTree
        label="Pipeline"
        rows={open}
        shape={(node) => ({
          key: node.path,
          level: node.depth,
          expanded: node.hasChildren ? !folded.has(node.path) : null,
        })}
        attributes={(node) => ({
          'data-path': node.path,
          'data-state': nodeRun(node, trace).state,
          'data-failing': node.path === failedPath ? '' : undefined,
        })}
        selected={selected}
        onSelect={(node) => selection.selectPath(node.path)}
        onToggle={(node, expanded) => selection.foldPath(node.path, !expanded)}
        onActivate={(node) => node.package && void panel.source(node.package)}
        render={(node) => (
          <NodeRow node={node} run={nodeRun(node, trace)} isBreak={node.package !== null && breaks.has(node.package)} />
        )}
      />
    </>
  );
}

function NodeRow({ node, run, isBreak }: { node: PipelineNode; run: NodeRun; isBreak: boolean }): JSX.Element {
  return (
    <>
      <span class={`node-label mono untrusted ${node.kind}`} title={node.package ?? node.label}>
        {node.package ? shortName(node.package) : node.label}
      </span>
      <span class="grow" />
      {isBreak ? (
        <span class="break-mark" role="img" aria-label="breaks here">
          ●
        </span>
      ) : null}
      <span class="node-run">
        <StateSign state={run.state} /> {runText(run)}
      </span>
    </>
  );
}

function runText({ state, count, iterations, total, milliseconds }: NodeRun): string {
  if (state === 'idle') return '';
  if (iterations !== undefined) return total === undefined ? `${iterations}×` : `${iterations}/${total}`;
  const time = milliseconds === null || state === 'running' ? '' : formatDuration(milliseconds);
  return count > 1 ? `${count}× ${time}`.trimEnd() : time;
}
