/** The *Why* tab of an `if` step: each block with its condition’s parts and their values. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { type ShownWhy, whyOfStep } from '../../../../lib/extension/panel/run/why/step-why.ts';
import { whyBlocks } from '../../../../lib/extension/panel/run/why/why-blocks.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { EmptyState } from '../../../ui/index.ts';
import { Loading } from '../../shared/loading.tsx';
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
      <EmptyState title={why.by === 'mock' ? 'A mock gave the outcome' : 'You forced this branch'}>
        <p>No condition was evaluated.</p>
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

/** Null until it's loaded. */
export function useStepWhy(panel: Panel, run: ShownRun, step: TraceStep | null): ShownWhy | null {
  const [shown, setShown] = useState<{ of: TraceStep; why: ShownWhy } | null>(null);
  const node = panel.nodesOf(run).find(({ path }) => path === step?.path);
  const { recording } = run.record;
  const isPaused = run.trace.paused?.step === step?.id;
  useEffect(() => {
    let isCurrent = true;
    const load = async (of: TraceStep): Promise<void> => {
      const why = await whyOfStep(await panel.recordingsOf.of(run.record), run.trace, of, node);
      if (isCurrent) setShown({ of, why });
    };
    if (step) void load(step);
    return () => {
      isCurrent = false;
    };
  }, [run, step, node, recording, step?.end, step?.edits.length, isPaused]);
  return shown?.of === step ? (shown?.why ?? null) : null;
}
