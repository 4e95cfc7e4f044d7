/** How the pipeline defines a step: a function's settings, a loop's items, or an `if`'s conditions. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import { definitionOf } from '../../../../lib/extension/panel/run/step-definition.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { EmptyState } from '../../../ui/index.ts';
import { ValueTree } from '../../shared/value-tree.tsx';
import './definition.css';

export function Definition({ panel, node }: { panel: Panel; node: PipelineNode }): JSX.Element {
  const definition = useMemo(() => definitionOf(node), [node]);
  const { expand, copy } = panel;
  switch (definition.kind) {
    case 'loop':
      return <ValueTree label="Loop" value={definition.source} expand={expand} copy={copy} />;
    case 'settings':
      return definition.settings ? (
        <ValueTree label="Settings" value={definition.settings} expand={expand} copy={copy} />
      ) : (
        <NoSettings nested={0} />
      );
    case 'if':
      return <Conditions conditions={definition.conditions} hasElse={definition.hasElse} />;
    case 'branch':
      return definition.condition === null ? (
        <p class="remark">“else” runs if no condition is true.</p>
      ) : (
        <Conditions conditions={[definition.condition]} hasElse={false} />
      );
  }
}

function Conditions({ conditions, hasElse }: { conditions: string[]; hasElse: boolean }): JSX.Element {
  return (
    <ol class="conditions scroll" aria-label="Conditions">
      {conditions.slice(0, 200).map((condition, index) => (
        <li key={index}>
          {index === 0 ? 'when' : 'or when'} <code class="untrusted">{condition}</code>
        </li>
      ))}
      {conditions.length > 200 ? <li>{plural(conditions.length - 200, 'more condition')}</li> : null}
      {hasElse ? <li>else</li> : null}
    </ol>
  );
}

export function NoSettings({ nested }: { nested: number }): JSX.Element {
  return (
    <EmptyState title="No settings">
      <p>This step has no settings{nested > 0 ? `, but ${plural(nested, 'nested step')}` : ''}.</p>
    </EmptyState>
  );
}
