/** The *Run* tab: pipeline, payload, past runs, and the displayed run, arranged by the panel’s size. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ErrorValue } from '../../../lib/platform-api/errors.ts';
import type { ShownRun } from '../../../lib/extension/panel/run/runs.ts';
import { stateText } from '../../../lib/extension/panel/run/describe-badges.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, Badge, Button, Notice, Splitter, Tabs } from '../../ui/index.ts';
import { late } from '../shared/late.tsx';
import { ChangedNotice } from './changed-notice.tsx';
import { MockDone } from './mocks/mock-done.tsx';
import { DebugMessages } from './debug/debug-messages.tsx';
import { PauseBar } from './debug/pause-bar.tsx';
import { PastRuns } from './history/past-runs.tsx';
import { FoundNotice } from './debug/found-notice.tsx';
import { PausedNotice } from './paused-notice.tsx';
import { PayloadView } from './payload-view.tsx';
import { PipelineView } from './pipeline-view.tsx';
import { ReloadButton } from './reload-button.tsx';
import { RunPane } from './run-pane.tsx';
import { type Layout, useIsCramped, useLayout } from './use-layout.ts';
import './run.css';

const MocksView = late(() => import('./mocks/mocks-view.tsx').then((module) => module.MocksView));
const WhatIfView = late(() => import('./recordings/what-if-view.tsx').then((module) => module.WhatIfView));
const AllRunsView = late(() => import('./history/all-runs.tsx').then((module) => module.AllRunsView));

export function RunTab({ panel }: { panel: Panel }): JSX.Element {
  useVersionChecks(panel);
  return (
    <>
      <Messages panel={panel} />
      <div class="fill">
        <Shown panel={panel} />
      </div>
    </>
  );
}

function Shown({ panel }: { panel: Panel }): JSX.Element {
  if (panel.mockEditor.isOpen.value) return <MocksView panel={panel} />;
  if (panel.recordings.whatIf.isOpen.value) return <WhatIfView panel={panel} />;
  return panel.allRuns.isOpen.value ? <AllRunsView panel={panel} /> : <Arranged panel={panel} />;
}

/** Checks whether the action has changed when the tab opens, and whenever the panel is used again. */
function useVersionChecks({ version }: Panel): void {
  useEffect(() => {
    const check = (): void => void (document.visibilityState === 'visible' && version.check());
    check();
    window.addEventListener('focus', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      window.removeEventListener('focus', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, [version]);
}

/** Errors and notices about the tab as a whole. */
function Messages({ panel }: { panel: Panel }): JSX.Element {
  const { page, runs } = panel;
  const lost = page.lost.value;
  const isBusy = lost !== null && lost.code !== 'PAGE_UNREACHABLE';
  const error = runs.error.value;
  const tracing = page.tracingHint.value;
  const inTab = panel.isSelectedInTab.value ? null : panel.inTab.value;
  return (
    <>
      <PausedNotice panel={panel} />
      <FoundNotice panel={panel} />
      {isBusy ? <Alert error={lost} actions={<ReloadButton panel={panel} />} /> : null}
      {error && !(isBusy && error.code === 'PAGE_BUSY') ? (
        <Alert error={error} onDismiss={runs.dismiss} actions={actionOf(panel, error)} />
      ) : null}
      <DebugMessages panel={panel} />
      <ChangedNotice panel={panel} />
      {panel.mockEditor.isOpen.value ? null : <MockDone panel={panel} />}
      {tracing ? (
        <Notice
          code={tracing.code}
          actions={tracing.offer ? <Button onClick={() => void panel.reload()}>Reload with tracing</Button> : null}
        >
          <strong>{tracing.title}.</strong> {tracing.text}
        </Notice>
      ) : null}
      {inTab ? (
        <p class="in-tab">
          In this tab: <strong class="untrusted">{inTab.app}</strong> ·{' '}
          <strong class="untrusted">{inTab.action}</strong> {inTab.mode ? <Badge>{inTab.mode}</Badge> : null}
        </p>
      ) : null}
    </>
  );
}

function chooseOurs({ runs, engine }: Panel): void {
  runs.dismiss();
  engine.choose('ours');
}

function actionOf(panel: Panel, { code, hint = '' }: ErrorValue): JSX.Element | null {
  if (code.endsWith('_UNAVAILABLE') && hint.includes('Our engine') && panel.engine.chosen.value !== 'ours')
    return <Button onClick={() => chooseOurs(panel)}>Use our engine</Button>;
  if (code === 'PAGE_BUSY' || code === 'RUN_NOT_STOPPED') return <ReloadButton panel={panel} />;
  if (code !== 'FUNCTIONS_MISSING' || !panel.page.state.value?.canTraceAfterReload || !panel.canReload) return null;
  const reload = (): void => {
    panel.runs.dismiss();
    void panel.reload();
  };
  return <Button onClick={reload}>Reload with tracing</Button>;
}

function Arranged({ panel }: { panel: Panel }): JSX.Element {
  const layout = useLayout();
  const isCramped = useIsCramped();
  if (layout === 'two-tabs' || layout === 'three-tabs')
    return (
      <div class="right">
        <PauseBar panel={panel} />
        <div class="fill">
          <TabbedLayout panel={panel} layout={layout} />
        </div>
      </div>
    );
  const run = (
    <div class="right">
      <PauseBar panel={panel} />
      <RunPane panel={panel} />
    </div>
  );
  if (layout === 'low')
    return (
      <Splitter key="low" label="Resize pipeline and run" direction="columns" share={43}>
        <PipelineAndPayload panel={panel} />
        {run}
      </Splitter>
    );
  const payload = (
    <>
      <PayloadView panel={panel} />
      {isCramped ? null : <PastRuns panel={panel} />}
    </>
  );
  return layout === 'rows' ? (
    <Splitter key="rows" label="Resize pipeline and run" direction="rows" share={42}>
      <div class="halves">
        <PipelineView panel={panel} />
        <div class="left">{payload}</div>
      </div>
      {run}
    </Splitter>
  ) : (
    <Splitter key="columns" label="Resize pipeline and run" direction="columns" share={36}>
      <div class="left">
        <PipelineView panel={panel} />
        {payload}
      </div>
      {run}
    </Splitter>
  );
}

const PipelineAndPayload = ({ panel }: { panel: Panel }): JSX.Element => (
  <div class="halves">
    <PipelineView panel={panel} />
    <div class="left">
      <PayloadView panel={panel} />
    </div>
  </div>
);

const endOf = (run: ShownRun | null): string | undefined =>
  run ? stateText({ ...run.record, state: run.trace.state }) : undefined;

type PaneId = 'pipeline' | 'payload' | 'timeline';
type TabbedLayoutId = Extract<Layout, 'two-tabs' | 'three-tabs'>;

function TabbedLayout({ panel, layout }: { panel: Panel; layout: TabbedLayoutId }): JSX.Element {
  const [chosen, setPane] = useState<PaneId>('pipeline');
  const isCramped = useIsCramped();
  const live = panel.runs.live.value;
  const run = panel.runs.shown.value;
  const wantsDetails = panel.selection.wantsDetails.value;
  useEffect(() => {
    if (live || run || wantsDetails) setPane('timeline');
  }, [live, run, wantsDetails]);
  void panel.runs.version.value;
  const pane = layout === 'two-tabs' && chosen === 'payload' ? 'pipeline' : chosen;
  const isPaused = panel.debug.pause.current.value !== null;
  return (
    <Tabs
      label="Panes"
      selected={pane}
      onSelect={setPane}
      tabs={[...PANES[layout], { id: 'timeline', label: 'Timeline', badge: isPaused ? 'paused' : endOf(run) }]}
    >
      {pane === 'timeline' ? (
        <div class="right">
          <RunPane panel={panel} />
        </div>
      ) : layout === 'two-tabs' ? (
        <PipelineAndPayload panel={panel} />
      ) : (
        <div class="left">
          {pane === 'pipeline' ? <PipelineView panel={panel} /> : <PayloadView panel={panel} />}
          {pane === 'payload' && !isCramped ? <PastRuns panel={panel} /> : null}
        </div>
      )}
    </Tabs>
  );
}

const PANES: Record<TabbedLayoutId, { id: PaneId; label: string }[]> = {
  'two-tabs': [{ id: 'pipeline', label: 'Pipeline and payload' }],
  'three-tabs': [
    { id: 'pipeline', label: 'Pipeline' },
    { id: 'payload', label: 'Payload' },
  ],
};
