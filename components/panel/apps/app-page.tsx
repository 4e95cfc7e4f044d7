/** One app's page: overview, sessions, and charts. Needs the styles in `panel.css`, even in a browser tab. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { publishLink } from '../../../lib/extension/messaging/model/app-link.ts';
import type { App } from '../../../lib/platform-api/app.ts';
import type { AppPage as AppPageState } from '../../../lib/extension/panel/apps/app-page.ts';
import type { Sessions } from '../../../lib/extension/panel/apps/sessions.ts';
import type { BehindUser } from '../../../lib/extension/panel/apps/types.ts';
import { formatCount, plural, truncate } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button, Tabs } from '../../ui/index.ts';
import { useSessionsNow } from './use-sessions-now.ts';
import { late } from '../shared/late.tsx';
import { AdoptionView } from './adoption-view.tsx';
import { AppFacts } from './app-facts.tsx';
import { AppIcon } from './app-icon.tsx';
import { BehindList } from './behind-list.tsx';
import type { CopyText } from '../../ui/copy-button.tsx';
import { ReleasesList } from './releases-list.tsx';
import { SessionsView } from './sessions/sessions-view.tsx';
import '../../ui/parts.css';
import './apps.css';
import { LoadedAt, Loading } from '../shared/loading.tsx';

export interface AppPageProps {
  app: App;
  page: AppPageState;
  environment: { name: string; baseUrl: string; production: boolean };
  copyText: CopyText;
  /** Another app's name; null if it isn't listed. */
  nameOf: (id: number) => string | null;
  onOpenApp: (id: number) => void;
  /** Absent in a browser tab, where there is no table to go back to. */
  onClose?: () => void;
}

type View = 'overview' | 'sessions' | 'charts';
const VIEWS: { id: View; label: string }[] = [
  { id: 'overview', label: 'Overview' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'charts', label: 'Charts' },
];

/** In milliseconds. Keeps keyboard navigation in the table from loading each app's sessions. */
const LOAD_DELAY = 250;

export function AppPage(props: AppPageProps): JSX.Element {
  const { app, page, environment, onClose } = props;
  const { sessions } = page;
  const [view, setView] = useState<View>('overview');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (sessions.state.peek() === 'idle') void page.refresh();
    }, LOAD_DELAY);
    return () => clearTimeout(timer);
  }, [page]);
  return (
    <section class="app-page" aria-label={`App ${truncate(app.name, 200)}`} data-app-page={app.id}>
      <header class="section-head">
        {onClose ? (
          <Button kind="quiet" label="Back to all apps" title="Back to all apps" onClick={onClose}>
            ‹ All apps
          </Button>
        ) : null}
        <AppIcon name={app.name} icon={app.icon} baseUrl={environment.baseUrl} />
        <h2 class="untrusted" title={truncate(app.name, 500)}>
          {truncate(app.name, 300).trim() || 'Unnamed app'}
        </h2>
        {environment.production ? <Badge tone="danger">Production</Badge> : null}
        {app.deletedAt === null ? null : <Badge tone="warning">deleted</Badge>}
        <span class="grow" />
        {app.deletedAt === null ? (
          <a
            class="button"
            href={publishLink(page.of)}
            target="_blank"
            title="Opens the release form, which asks before it publishes"
          >
            Publish a release…
          </a>
        ) : null}
      </header>
      <Summary page={page} />
      {sessions.error.value ? (
        <Alert error={sessions.error.value} actions={<Button onClick={() => void page.refresh()}>Try again</Button>} />
      ) : null}
      <div class="fill">
        <Tabs label="App" tabs={VIEWS} selected={view} onSelect={setView}>
          {view === 'overview' ? (
            <Overview {...props} showSessions={() => setView('sessions')} />
          ) : sessions.loadedAt.value === null ? (
            <NotLoaded sessions={sessions} />
          ) : view === 'sessions' ? (
            <SessionsView sessions={sessions} />
          ) : (
            <Charts sessions={sessions} />
          )}
        </Tabs>
      </div>
    </section>
  );
}

const Charts = late(() => import('./charts/charts-view.tsx').then((module) => module.ChartsView));

/** How many users the app has, how many are far behind, and when this was loaded. */
function Summary({ page }: { page: AppPageState }): JSX.Element {
  const { sessions, audience, isOnline } = page;
  const state = sessions.state.value;
  const users = audience.value;
  const refresh = (): void => void page.refresh();
  return (
    <div class="app-summary" data-summary={state}>
      <div>
        <span role="status">
          {users
            ? `${plural(users.users, 'user')}, ${formatCount(users.behind)} at least 2 versions behind`
            : state === 'cancelled'
              ? 'Stopped loading sessions.'
              : ''}
        </span>{' '}
        <LoadedAt at={sessions.loadedAt.value} />
      </div>
      {state === 'loading' ? (
        <span class="muted" data-loading={sessions.loadedCount.value}>
          Loading sessions… {formatCount(sessions.loadedCount.value)} so far
        </span>
      ) : null}
      {isOnline.value ? null : <Badge tone="warning">browser offline</Badge>}
      <span class="grow" />
      {state === 'loading' ? (
        <Button kind="quiet" label="Stop loading sessions" onClick={sessions.cancel}>
          Stop
        </Button>
      ) : (
        <Button kind="quiet" label="Refresh sessions" onClick={refresh}>
          Refresh
        </Button>
      )}
    </div>
  );
}

/** Shown in place of sessions and charts until the sessions are loaded. */
function NotLoaded({ sessions }: { sessions: Sessions }): JSX.Element {
  if (sessions.state.value === 'failed') return <p class="remark">Couldn’t load the sessions.</p>;
  if (sessions.state.value === 'cancelled') return <p class="remark">Refresh to load the sessions.</p>;
  return <Loading>Loading sessions…</Loading>;
}

function Overview({
  app,
  page,
  environment,
  copyText,
  nameOf,
  onOpenApp,
  showSessions,
}: AppPageProps & { showSessions: () => void }): JSX.Element {
  const { sessions } = page;
  const now = useSessionsNow(sessions);
  const latest = newer(app.version, sessions.latest.value);
  const showUser = ({ email }: BehindUser): void => {
    if (email === null) return;
    sessions.filter.value = { ...sessions.filter.peek(), query: email };
    showSessions();
  };
  return (
    <div class="apps-body overview">
      <AppFacts
        app={app}
        baseUrl={environment.baseUrl}
        latest={sessions.latest.value}
        now={now}
        copyText={copyText}
        nameOf={nameOf}
        onOpenApp={onOpenApp}
      />
      <AdoptionView page={page} latest={latest} />
      {sessions.loadedAt.value === null ? null : <BehindList sessions={sessions} now={now} onShow={showUser} />}
      <ReleasesList page={page} baseUrl={environment.baseUrl} />
    </div>
  );
}

function newer(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
