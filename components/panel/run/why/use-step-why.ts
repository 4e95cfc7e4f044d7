/** Loads why an `if` step took its branch. */
import { useEffect, useState } from 'preact/hooks';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { ShownWhy } from '../../../../lib/extension/panel/run/why/step-why.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';

/** Null until it's loaded. */
export function useStepWhy(panel: Panel, run: ShownRun, step: TraceStep | null): ShownWhy | null {
  const [shown, setShown] = useState<{ of: TraceStep; why: ShownWhy } | null>(null);
  const node = panel.nodesOf(run).find(({ path }) => path === step?.path);
  const { recording } = run.record;
  const isPaused = run.trace.paused?.step === step?.id;
  useEffect(() => {
    let isCurrent = true;
    const load = async (of: TraceStep): Promise<void> => {
      const why = await panel.why.ofStep(run, of, node);
      if (isCurrent) setShown({ of, why });
    };
    if (step) void load(step);
    return () => {
      isCurrent = false;
    };
  }, [run, step, node, recording, step?.end, step?.edits.length, isPaused]);
  return shown?.of === step ? (shown?.why ?? null) : null;
}
