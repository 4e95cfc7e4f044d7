/** The displayed run's pane. If no run is shown, it explains how to start one. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { EmptyState } from '../../ui/index.ts';
import { MODIFIER } from '../../../lib/extension/panel/shell/shortcuts.ts';
import { late } from '../shared/late.tsx';
import { PastRunsMenu } from './history/past-runs-menu.tsx';
import { UnrunStep } from './details/unrun-step.tsx';
import { RunView } from './run-view.tsx';
import { useIsCramped } from './use-layout.ts';

const CompareView = late(() => import('./compare/compare-view.tsx').then((module) => module.CompareView));

export function RunPane({ panel }: { panel: Panel }): JSX.Element {
  void panel.runs.version.value;
  const run = panel.runs.shown.value;
  const isComparing = panel.selection.comparing.value !== null && run !== null && run.trace.state !== 'running';
  const wasComparing = useRef(false);
  useEffect(() => {
    wasComparing.current = isComparing;
  }, [isComparing]);
  useDetailsFocus(panel);
  const pastRuns = useIsCramped() ? <PastRunsMenu panel={panel} /> : null;
  const unrun = panel.treeNodes.value.find(({ path }) => path === panel.selection.unrun.value);
  if (!run)
    return (
      <>
        {pastRuns ? (
          <header class="section-head">
            <h2>Run</h2>
            <span class="grow" />
            {pastRuns}
          </header>
        ) : null}
        {unrun ? (
          <UnrunStep panel={panel} run={null} node={unrun} />
        ) : (
          <div class="scroll">
            <NoRun panel={panel} />
          </div>
        )}
      </>
    );
  if (isComparing) return <CompareView panel={panel} run={run} />;
  return <RunView panel={panel} run={run} pastRuns={pastRuns} focusTools={wasComparing.current} />;
}

/** Moves focus to the details when the user asked for them. */
function useDetailsFocus({ selection }: Panel): void {
  const isWanted = selection.wantsDetails.value;
  useEffect(() => {
    if (!isWanted) return;
    selection.wantsDetails.value = false;
    document
      .querySelector<HTMLElement>('[data-detail] :is([role=tab][aria-selected=true], .step-head button)')
      ?.focus();
  }, [isWanted]);
}

function NoRun({ panel }: { panel: Panel }): JSX.Element {
  if (panel.page.state.value?.platform !== 'ready') {
    return (
      <EmptyState title="Debug an action">
        <ol>
          <li>Choose an app and an action above, or paste the URL of a debug page.</li>
          <li>Select Open. The action’s debug page opens in this tab.</li>
          <li>Enter a payload and select Run. Each step appears here with its duration and context.</li>
        </ol>
      </EmptyState>
    );
  }
  const missing = panel.page.noPipeline.value;
  if (missing)
    return (
      <EmptyState title="This page can’t run an action">
        <p class="untrusted">
          {missing.message} {missing.hint}
        </p>
      </EmptyState>
    );
  const hasPastRuns = panel.runs.records.value.length > 0;
  return (
    <EmptyState title={hasPastRuns ? 'Run the action, or open a run' : 'Ready to run'}>
      <p>
        Select Run ({MODIFIER}⏎). Each step appears here as it runs: its duration, settings, context, console output,
        and requests.
      </p>
    </EmptyState>
  );
}
