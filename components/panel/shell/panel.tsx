/** Owns the panel: its tabs, the toolbar, what went wrong, and the places of tab *Run*. */
import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { TABS, type TabId } from '../../../lib/extension/panel/shell/tabs.ts';
import { Alert, Badge, Button, Notice, Splitter, Tabs } from '../../ui/index.ts';
import { PayloadView, RunBar } from '../run/payload-view.tsx';
import { PipelineView } from '../run/pipeline-view.tsx';
import { RunPlace } from '../run/run-place.tsx';
import { Toolbar } from './toolbar.tsx';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';
import { useMedia } from '../shared/use-media.ts';
import './panel.css';

/** Every tab but *Run* is loaded when it is first opened. */
const LAZY: Record<Exclude<TabId, 'run'>, () => Promise<ComponentType<{ panel: Panel }>>> = {
  actions: () => import('../actions/actions-tab.tsx').then((module) => module.ActionsTab),
  oauth2: () => import('../oauth2/oauth2-tab.tsx').then((module) => module.OAuth2Tab),
  apps: () => import('../apps/apps-tab.tsx').then((module) => module.AppsTab),
};

/** @param unlock asks for the passphrase where it is needed, once that is loaded */
export function PanelView({
  panel,
  unlock,
}: {
  panel: Panel;
  unlock: ReadonlySignal<ComponentType | null>;
}): JSX.Element {
  const tab = panel.tabs.current.value;
  const Unlock = unlock.value;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (
        panel.tabs.current.peek() !== 'run' ||
        event.key !== 'Enter' ||
        !(event.ctrlKey || event.metaKey) ||
        event.defaultPrevented
      )
        return;
      event.preventDefault();
      void panel.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [panel]);
  return (
    <main class="panel">
      <h1 class="visually-hidden">Platform</h1>
      <Tabs
        label="Platform"
        tabs={TABS}
        selected={tab}
        onSelect={panel.tabs.open}
        extra={<Toolbar panel={panel} withAction={tab === 'run'} />}
      >
        <div class="tab-body">
          {Unlock ? <Unlock /> : null}
          <CatalogMessages panel={panel} isNeeded={tab !== 'oauth2'} />
          {tab === 'run' ? <RunTab panel={panel} /> : <LazyTab key={tab} id={tab} panel={panel} />}
        </div>
      </Tabs>
    </main>
  );
}

function LazyTab({ id, panel }: { id: keyof typeof LAZY; panel: Panel }): JSX.Element {
  const Tab = useLoaded(LAZY[id]);
  if (Tab === 'failed') return <Alert error={NOT_LOADED} />;
  return Tab ? (
    <div class="fill">
      <Tab panel={panel} />
    </div>
  ) : (
    <p class="remark" role="status">
      Loading…
    </p>
  );
}

/** Below all that is needed first. */
function PastRuns({ panel }: { panel: Panel }): JSX.Element | null {
  const List = useLoaded(() => import('../run/past-runs.tsx').then((module) => module.PastRuns));
  if (List === 'failed') return <Alert error={NOT_LOADED} />;
  return List && <List panel={panel} />;
}

/** What is wrong with the choice of environment and app. @param isNeeded whether the tab works with an environment alone */
function CatalogMessages({ panel, isNeeded }: { panel: Panel; isNeeded: boolean }): JSX.Element {
  const { catalog } = panel;
  const options = <Button onClick={panel.openOptions}>Open options</Button>;
  const error = catalog.error.value;
  return (
    <>
      {isNeeded && catalog.environments.value.value?.length === 0 ? (
        <Notice code="NO_ENVIRONMENT" actions={options}>
          <strong>Add an environment to begin.</strong>
          <div>
            An environment is one installation of the platform: its address and your token. A debug page that is open in
            this tab already can be run without one.
          </div>
        </Notice>
      ) : null}
      {error ? (
        <Alert
          error={error}
          onDismiss={catalog.dismiss}
          actions={
            needsOptions(error.code, error.status) ? (
              options
            ) : (
              <Button onClick={() => void catalog.refresh()}>Try again</Button>
            )
          }
        />
      ) : null}
    </>
  );
}

function RunTab({ panel }: { panel: Panel }): JSX.Element {
  return (
    <>
      <RunMessages panel={panel} />
      <div class="fill">
        <Places panel={panel} />
      </div>
    </>
  );
}

/** Errors and remarks that concern more than one place of the tab. */
function RunMessages({ panel }: { panel: Panel }): JSX.Element {
  const { page, runs } = panel;
  const reload = (
    <Button
      unavailable={panel.canReload ? null : 'This browser can’t reload it from here.'}
      onClick={() => void panel.reload()}
    >
      Reload page
    </Button>
  );
  const tracing = page.tracingHint.value;
  const inTab = panel.inTab.value;
  const isBusy = page.lost.value !== null && page.lost.value.code !== 'PAGE_UNREACHABLE';
  return (
    <>
      {isBusy && page.lost.value ? <Alert error={page.lost.value} actions={reload} /> : null}
      {runs.error.value && !(isBusy && runs.error.value.code === 'PAGE_BUSY') ? (
        <Alert
          error={runs.error.value}
          onDismiss={runs.dismiss}
          actions={runs.error.value.code === 'PAGE_BUSY' ? reload : null}
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

/** Errors that are mended on the options page; locked tokens are unlocked here. */
function needsOptions(code: string, status: number | undefined): boolean {
  return status === 401 || /^(HOST_PERMISSION|TOKEN|VAULT_(?!LOCKED)|ENVIRONMENT|NO_TOKEN|UNAUTHORIZED)/.test(code);
}

function Places({ panel }: { panel: Panel }): JSX.Element {
  const isNarrow = useMedia('(max-width: 699px)');
  const isTiny = useMedia('(max-width: 479px)');
  const [place, setPlace] = useState<'pipeline' | 'payload' | 'timeline'>('pipeline');
  const live = panel.runs.live.value;
  const run = panel.runs.shown.value;
  useEffect(() => {
    if (live || run) setPlace('timeline');
  }, [live, run]);
  if (isTiny) {
    return (
      <div class="places">
        <Tabs
          label="Places"
          selected={place}
          onSelect={setPlace}
          tabs={[
            { id: 'pipeline', label: 'Pipeline' },
            { id: 'payload', label: 'Payload' },
            { id: 'timeline', label: 'Timeline', badge: run ? run.trace.state : undefined },
          ]}
        >
          {place === 'pipeline' ? (
            <div class="left">
              <PipelineView panel={panel} />
            </div>
          ) : null}
          {place === 'payload' ? (
            <div class="left">
              <PayloadView panel={panel} withRun={false} />
              <PastRuns panel={panel} />
            </div>
          ) : null}
          {place === 'timeline' ? (
            <div class="right">
              <RunPlace panel={panel} />
            </div>
          ) : null}
        </Tabs>
        <RunBar panel={panel} />
      </div>
    );
  }
  const right = (
    <div class="right">
      <RunPlace panel={panel} />
    </div>
  );
  if (isNarrow) {
    return (
      <Splitter key="narrow" label="Height of pipeline and run" direction="rows" share={46}>
        <div class="halves">
          <PipelineView panel={panel} />
          <div class="left">
            <PayloadView panel={panel} />
            <PastRuns panel={panel} />
          </div>
        </div>
        {right}
      </Splitter>
    );
  }
  return (
    <Splitter key="wide" label="Width of pipeline and run" direction="columns" share={36}>
      <div class="left">
        <PipelineView panel={panel} />
        <PayloadView panel={panel} />
        <PastRuns panel={panel} />
      </div>
      {right}
    </Splitter>
  );
}
