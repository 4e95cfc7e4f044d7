/** The panel: tabs, toolbar, and errors that affect every tab. */
import type { ComponentType, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { handleDebugKey } from '../../../lib/extension/panel/run/debug/keys.ts';
import { runDone } from '../../../lib/extension/panel/run/run-done.ts';
import { TABS, type TabId } from '../../../lib/extension/panel/shell/tabs.ts';
import { plural } from '../../../lib/shared/format.ts';
import { isCommandEnter } from '../../../lib/shared/keys.ts';
import { Alert, Button, Notice, Surface, Tabs } from '../../ui/index.ts';
import { FirstSteps } from '../../ui/first-steps.tsx';
import { Unlock } from '../../ui/unlock/unlock.tsx';
import type { UnlockPort } from '../../ui/unlock/unlock-port.ts';
import { OpenFirst } from '../run/recordings/open-first.tsx';
import { RunControls } from '../run/run-controls.tsx';
import { RunTab } from '../run/run-tab.tsx';
import { takeEscape } from '../shared/take-escape.ts';
import { late } from '../shared/late.tsx';
import { HelpMenu } from './help-menu.tsx';
import { Toolbar } from './toolbar.tsx';
import './panel.css';

type LateTabId = Exclude<TabId, 'run'>;

/** Loaded when first opened. */
const LATE_TABS: Record<LateTabId, ComponentType<{ panel: Panel }>> = {
  actions: late(() => import('../actions/actions-tab.tsx').then((module) => module.ActionsTab)),
  oauth2: late(() => import('../oauth2/oauth2-tab.tsx').then((module) => module.OAuth2Tab)),
  apps: late(() => import('../apps/apps-tab.tsx').then((module) => module.AppsTab)),
};

const GuardDialog = late(() => import('./guard-dialog.tsx').then((module) => module.GuardDialog));

interface PanelViewProps {
  panel: Panel;
  lock: UnlockPort;
}

export function PanelView(props: PanelViewProps): JSX.Element {
  return (
    <Surface name="panel" done={() => runDone(props.panel.runs)}>
      <Main {...props} />
    </Surface>
  );
}

function Main({ panel, lock }: PanelViewProps): JSX.Element {
  const tab = panel.tabs.current.value;
  useRunShortcut(panel);
  useDebugKeys(panel);
  useEscape(panel);
  return (
    <main class="panel">
      <h1 class="visually-hidden">Platform</h1>
      <Tabs
        label="Platform"
        tabs={withProblems(panel.tabs.problems.value)}
        selected={tab}
        onSelect={panel.tabs.open}
        extra={
          <>
            <Toolbar panel={panel} withAction={tab === 'run'} />
            <div class="tab-controls">
              {tab === 'run' ? <RunControls panel={panel} /> : null}
              <HelpMenu tab={tab} openOptions={() => panel.openOptions()} />
            </div>
          </>
        }
      >
        <div class="tab-body">
          <Unlock lock={lock} onForgotten={() => panel.openOptions()} />
          <CatalogMessages panel={panel} />
          {panel.needsEnvironment.value ? (
            <div class="fill scroll">
              <FirstSteps
                place="panel"
                onAdd={() => panel.openOptions('new')}
                onLocal={() => panel.openOptions('local')}
              />
              {tab === 'run' ? <OpenFirst panel={panel} /> : null}
            </div>
          ) : tab === 'run' ? (
            <RunTab panel={panel} />
          ) : (
            <LateTab key={tab} id={tab} panel={panel} />
          )}
        </div>
      </Tabs>
      {panel.guard.question.value ? <GuardDialog guard={panel.guard} /> : null}
    </main>
  );
}

const withProblems = (problems: Partial<Record<TabId, number>>) =>
  TABS.map((tab) => ({ ...tab, badge: problems[tab.id], problems: plural(problems[tab.id] ?? 0, 'problem') }));

function useRunShortcut(panel: Panel): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!isCommandEnter(event) || event.defaultPrevented || panel.tabs.current.peek() !== 'run') return;
      event.preventDefault();
      void panel.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [panel]);
}

/** Before anything else gets them: DevTools has the same keys for its own debugger. */
function useDebugKeys({ tabs, debug }: Panel): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (tabs.current.peek() !== 'run' || !handleDebugKey(debug, event)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [tabs, debug]);
}

/** Returns to the whole run on Escape. A combobox or a view that uses Escape itself stops it before. */
function useEscape({ tabs, selection }: Panel): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
      if (event.key !== 'Escape' || isTyping) return;
      // The browser closes an open menu.
      if (document.querySelector(':popover-open')) return event.stopPropagation();
      if (tabs.current.peek() === 'run' && selection.hasDetails.peek() && takeEscape(event)) selection.clear();
    };
    document.body.addEventListener('keydown', onKeyDown);
    return () => document.body.removeEventListener('keydown', onKeyDown);
  }, [tabs, selection]);
}

function LateTab({ id, panel }: { id: LateTabId; panel: Panel }): JSX.Element {
  const Tab = LATE_TABS[id];
  return (
    <div class="fill">
      <Tab panel={panel} />
    </div>
  );
}

/** Errors from loading environments, apps, and actions. */
function CatalogMessages({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const options = <Button onClick={() => panel.openOptions()}>Open options</Button>;
  const error = panel.catalogError.value;
  const seconds = catalog.openingFor.value;
  return (
    <>
      {seconds === null ? null : (
        <Notice
          code="PAGE_OPENING"
          actions={
            <Button title="Stay on this page" onClick={catalog.cancelOpening}>
              Cancel
            </Button>
          }
        >
          Opening the page for {plural(seconds, 'second')}. The platform hasn’t sent it, or the tab is still loading it.
        </Notice>
      )}
      {catalog.saysTokenInLog.value ? (
        <Notice
          code="TOKEN_IN_LOG"
          actions={
            <Button kind="quiet" label="Dismiss" onClick={catalog.dismissTokenInLog}>
              ✕
            </Button>
          }
        >
          This tab’s network log has the token, because the platform issued no one-time token for the page. Don’t share
          the log. Extensions with a DevTools page can read it.
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

/**
 * Whether the user must fix the error on the options page. Locked tokens don't count, because the panel can unlock
 * them.
 */
function needsOptions(code: string, status: number | undefined): boolean {
  return status === 401 || /^(HOST_PERMISSION|TOKEN|VAULT_(?!LOCKED)|ENVIRONMENT|NO_TOKEN|UNAUTHORIZED)/.test(code);
}
