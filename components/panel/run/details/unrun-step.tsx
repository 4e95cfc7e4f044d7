/** Details of a step or branch that has no data in the displayed run: why it didn't run, and its definition. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { nodeRun, type PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { whyNotRun, type NotRun } from '../../../../lib/extension/panel/run/why-not-run.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { ValueText } from '../../shared/value-tree.tsx';
import { StepMore } from '../debug/step-more.tsx';
import { StateIcon } from '../state-icon.tsx';
import { StepButtons } from '../step-buttons.tsx';
import { Definition } from './definition.tsx';

const TITLES = {
  pending: 'Not reached yet',
  'not-run': 'Didn’t run',
  unknown: 'Unknown whether it ran',
};

/** @param run null if no run of the page’s action is shown */
export function UnrunStep({
  panel,
  run,
  node,
}: {
  panel: Panel;
  run: ShownRun | null;
  node: PipelineNode;
}): JSX.Element {
  const { version } = panel.runs;
  const nodes = panel.treeNodes.value;
  const why = useMemo(
    () => run && whyNotRun(node, nodes, run.trace, run.trace.unstored !== null),
    [node, nodes, run, version.value],
  );
  const close = run ? 'Show the whole run' : 'Close';
  return (
    <section class="details unrun" data-detail="" data-unrun={why?.state ?? ''} aria-label="Details">
      <header class="step-head">
        <StateIcon state={run ? nodeRun(node, run.trace).state : 'idle'} />
        <strong class="mono untrusted" title={node.label}>
          {node.label}
        </strong>
        <code class="muted untrusted">{node.path}</code>
        <span class="grow" />
        {node.package ? <StepButtons panel={panel} name={node.package} /> : null}
        {panel.debug.nodeAt(node.path) === node ? <StepMore panel={panel} node={node} from={null} /> : null}
        <Button kind="quiet" label={close} title={close} onClick={panel.selection.clear}>
          ✕
        </Button>
      </header>
      <div class="why">{why ? <Why why={why} /> : <p>{ranText(node, run)}</p>}</div>
      <div class="fill">
        <Definition panel={panel} node={node} />
      </div>
    </section>
  );
}

function Why({ why: { state, reason, values } }: { why: NotRun }): JSX.Element {
  return (
    <>
      <p>
        <strong>{TITLES[state]}.</strong> <span class="untrusted">{reason}</span>
      </p>
      {values.length > 0 ? (
        <dl class="mono" aria-label="Values in the condition">
          {values.map(([name, value]) => (
            <div key={name}>
              <dt class="untrusted">{name}</dt>
              <dd class="untrusted">
                <ValueText value={value} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
    </>
  );
}

function ranText(node: PipelineNode, run: ShownRun | null): string {
  if (!run) return 'No run of this action is shown. Run the action to see this step’s duration, context, and output.';
  const { count } = nodeRun(node, run.trace);
  return `This branch ran ${plural(count, 'time')}. Select one of its steps to see details.`;
}
