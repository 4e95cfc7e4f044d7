/** The *Why* tab of an `if` step: each block with its condition’s parts and their values. */
import type { JSX } from 'preact';
import { replacedText } from '../../../../lib/extension/panel/run/replaced.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { branchText } from '../../../../lib/extension/panel/run/timeline/step-texts.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { whyBlocks } from '../../../../lib/extension/panel/run/why/why-blocks.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { EmptyState } from '../../../ui/index.ts';
import { Loading } from '../../shared/loading.tsx';
import { useStepWhy } from './use-step-why.ts';
import { Block } from './why-block.tsx';
import './why.css';

export interface WhyViewProps {
  panel: Panel;
  run: ShownRun;
  step: TraceStep;
}

export function WhyView({ panel, run, step }: WhyViewProps): JSX.Element {
  const shown = useStepWhy(panel, run, step);
  if (!shown) return <Loading>Loading the recording…</Loading>;
  const { why, sources, hasElse, from } = shown;
  if (why.state === 'forced')
    return (
      <EmptyState title="No condition was evaluated">
        <p class="untrusted">{forcedText(step)}</p>
      </EmptyState>
    );
  if (why.state === 'unknown')
    return (
      <EmptyState title="The values aren’t known">
        <p class="untrusted">{why.why}</p>
      </EmptyState>
    );
  return (
    <div class="why-view scroll" data-why={from}>
      {from === 'trace' ? (
        <p class="remark">
          {step.end === null
            ? 'The step hasn’t ended yet. This is what its conditions are in the context so far.'
            : 'This run has no recording. Values that weren’t transferred are unknown.'}
        </p>
      ) : null}
      {whyBlocks(why.conditions, sources, hasElse).map((block, index) => (
        <Block key={`${step.id} ${index}`} panel={panel} block={block} hasRun={hasRun(step, index, block.source)} />
      ))}
    </div>
  );
}

const hasRun = ({ branch }: TraceStep, index: number, source: string | null): boolean =>
  branch === (source === null ? 'else' : index);

/** What chose the branch, or the outcome, instead of the conditions. */
function forcedText(step: TraceStep): string {
  const { explanation = '' } = replacedText(step) ?? {};
  return step.branch === undefined ? explanation : `${explanation} Branch: ${branchText(step.branch)}.`;
}
