/** A step of a pipeline on one line: its name, and what it does. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { nodeSummary } from '../../../lib/extension/panel/run/step-definition.ts';
import type { PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';

export function NodeLabel({ node }: { node: PipelineNode }): JSX.Element {
  const summary = useMemo(() => nodeSummary(node), [node]);
  return (
    <span
      class={`node-label untrusted ${node.kind}`}
      title={[node.name, node.package ?? node.label, summary].filter(Boolean).join(' ')}
    >
      <span class={node.name ? 'name' : 'name mono'}>
        {node.name ?? (node.package ? shortName(node.package) : node.label)}
      </span>{' '}
      {summary ? <span class="summary mono">{summary}</span> : null}
    </span>
  );
}
