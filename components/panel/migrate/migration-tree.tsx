/** The V2 pipeline as a tree, with each step’s status. */
import type { JSX } from 'preact';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import type { PipelineNode } from '../../../lib/extension/panel/run/pipeline-tree.ts';
import { plural } from '../../../lib/shared/format.ts';
import { VirtualTree } from '../../ui/virtual-tree.tsx';
import { NodeLabel } from '../shared/node-label.tsx';
import { StatusBadge } from './status-badge.tsx';

export function MigrationTree({ migrating, onCode }: { migrating: Migrating; onCode: () => void }): JSX.Element {
  const collapsed = migrating.collapsed.value;
  const steps = migrating.steps.value;
  const isStale = migrating.isStale.value;
  const blocks = migrating.blockTexts.value;
  return (
    <section class="section migrate-steps" aria-label="V2 pipeline">
      <header class="section-head">
        <h2>V2 pipeline</h2>
        <span class="muted">{plural(steps.size, 'step')}</span>
      </header>
      <VirtualTree
        label="V2 pipeline"
        rows={migrating.rows.value}
        shape={(node) => ({
          key: node.path,
          level: node.depth,
          expanded: node.hasChildren ? !collapsed.has(node.path) : null,
        })}
        attributes={(node) => ({
          'data-path': node.path,
          'data-status': steps.get(node.path)?.status,
          'data-stale': isStale ? '' : undefined,
        })}
        selected={migrating.selected.value}
        onSelect={(node) => migrating.select(node.path)}
        onToggle={(node, expanded) => migrating.setCollapsed(node.path, !expanded)}
        onActivate={onCode}
        render={(node) => <Node node={node} migrating={migrating} ran={blocks.get(node.path)} />}
      />
    </section>
  );
}

interface NodeProps {
  node: PipelineNode;
  migrating: Migrating;
  /** In which runs a block ran. */
  ran: string | undefined;
}

function Node({ node, migrating, ran }: NodeProps): JSX.Element {
  const step = migrating.steps.value.get(node.path);
  return (
    <>
      <NodeLabel node={node} />
      <span class="grow" />
      {step?.isUnlinked ? <span class="badge warning">Unlinked</span> : null}
      {step ? <StatusBadge status={step.status} isStale={migrating.isStale.value} /> : null}
      {ran === undefined ? null : <span class="muted block-runs">{ran}</span>}
    </>
  );
}
