/** In the error of a run: which part of a condition failed, and what was probably meant. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { missingTexts } from '../../../../lib/extension/panel/run/why/why-blocks.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../../ui/index.ts';
import { Segments } from './segments.tsx';
import { useStepWhy } from './use-step-why.ts';

export function ConditionFailure({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element | null {
  const step = run.trace.steps.get(run.trace.failedStep ?? -1) ?? null;
  const shown = useStepWhy(panel, run, step?.kind === 'if' ? step : null);
  if (!step || shown?.why.state !== 'evaluated') return null;
  const failed = shown.why.conditions.at(-1);
  if (failed?.state !== 'failed') return null;
  const showWhy = (): void => {
    panel.selection.revealStep(step.id);
    panel.selection.openTab('settings');
  };
  return (
    <div class="why-failure remark" data-condition-failure="">
      {missingTexts(failed).map((text) => (
        <p key={text} class="untrusted">
          <strong>{text}</strong>
        </p>
      ))}
      <p class="why-line mono">
        <Segments segments={failed.segments} />
      </p>
      <Button onClick={showWhy}>Show why</Button>
    </div>
  );
}
