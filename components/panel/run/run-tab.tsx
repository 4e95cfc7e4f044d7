/** The *Run* tab: pipeline, payload, past runs, and the displayed run, arranged by the panel's width. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, Badge, Button, Notice, Splitter, Tabs } from '../../ui/index.ts';
import { useMedia } from '../shared/use-media.ts';
import { MODIFIER, Shortcuts } from '../shell/shortcuts.tsx';
import { PastRuns } from './past-runs.tsx';
import { PayloadView } from './payload-view.tsx';
import { PipelineView } from './pipeline-view.tsx';
import { ReloadButton } from './reload-button.tsx';
import { RunPane } from './run-pane.tsx';
import './run.css';

export function RunTab({ panel }: { panel: Panel }): JSX.Element {
  return (
    <>
      <Messages panel={panel} />
      <div class="fill">
        <Layout panel={panel} />
      </div>
    </>
  );
}

/** Errors and notices about the tab as a whole. */
function Messages({ panel }: { panel: Panel }): JSX.Element {
  const { page, runs } = panel;
  const lost = page.lost.value;
  const isBusy = lost !== null && lost.code !== 'PAGE_UNREACHABLE';
  const error = runs.error.value;
  const tracing = page.tracingHint.value;
  const inTab = panel.inTab.value;
  return (
    <>
      {isBusy ? <Alert error={lost} actions={<ReloadButton panel={panel} />} /> : null}
      {error && !(isBusy && error.code === 'PAGE_BUSY') ? (
        <Alert
          error={error}
          onDismiss={runs.dismiss}
          actions={error.code === 'PAGE_BUSY' ? <ReloadButton panel={panel} /> : null}
        />
      ) : null}
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

function Layout({ panel }: { panel: Panel }): JSX.Element {
  const isNarrow = useMedia('(max-width: 699px)');
  const isTiny = useMedia('(max-width: 479px)');
  if (isTiny) return <TabbedLayout panel={panel} />;
  const right = (
    <div class="right">
      <RunPane panel={panel} />
    </div>
  );
  const payload = (
    <>
      <PayloadView panel={panel}>
        <RunBar panel={panel} />
      </PayloadView>
      <PastRuns panel={panel} />
    </>
  );
  return isNarrow ? (
    <Splitter key="narrow" label="Resize pipeline and run" direction="rows" share={46}>
      <div class="halves">
        <PipelineView panel={panel} />
        <div class="left">{payload}</div>
      </div>
      {right}
    </Splitter>
  ) : (
    <Splitter key="wide" label="Resize pipeline and run" direction="columns" share={36}>
      <div class="left">
        <PipelineView panel={panel} />
        {payload}
      </div>
      {right}
    </Splitter>
  );
}

type PaneId = 'pipeline' | 'payload' | 'timeline';

function TabbedLayout({ panel }: { panel: Panel }): JSX.Element {
  const [pane, setPane] = useState<PaneId>('pipeline');
  const live = panel.runs.live.value;
  const run = panel.runs.shown.value;
  useEffect(() => {
    if (live || run) setPane('timeline');
  }, [live, run]);
  void panel.runs.version.value;
  return (
    <div class="tabbed-layout">
      <Tabs
        label="Panes"
        selected={pane}
        onSelect={setPane}
        tabs={[
          { id: 'pipeline', label: 'Pipeline' },
          { id: 'payload', label: 'Payload' },
          { id: 'timeline', label: 'Timeline', badge: run ? run.trace.state : undefined },
        ]}
      >
        {pane === 'timeline' ? (
          <div class="right">
            <RunPane panel={panel} />
          </div>
        ) : (
          <div class="left">
            {pane === 'pipeline' ? <PipelineView panel={panel} /> : <PayloadView panel={panel} />}
            {pane === 'payload' ? <PastRuns panel={panel} /> : null}
          </div>
        )}
      </Tabs>
      <RunBar panel={panel} />
    </div>
  );
}

/** *Run*, *Stop*, and why the action can't run. */
function RunBar({ panel }: { panel: Panel }): JSX.Element {
  const live = panel.runs.live.value;
  const reason = panel.cannotRun.value;
  return (
    <div class="run-bar">
      <Button
        kind="primary"
        unavailable={reason}
        title={`Run the action with this payload (${MODIFIER}⏎)`}
        onClick={() => void panel.run()}
      >
        Run
      </Button>
      <kbd class="muted" aria-hidden="true">
        {MODIFIER}⏎
      </kbd>
      <Button unavailable={live ? null : 'Start a run first'} onClick={() => void panel.runs.stop()}>
        Stop
      </Button>
      <span class="reason muted untrusted" title={reason ?? undefined}>
        {live ? 'Running…' : reason}
      </span>
      <Shortcuts />
    </div>
  );
}
