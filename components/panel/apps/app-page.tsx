/** Owns the page of one app: what it is, who runs which version, on what. It stands in the panel and in a browser tab, and needs the styles of `panel.css`. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { App } from '../../../lib/platform-api/app.ts';
import type { AppPage as AppPageState, BehindUser, Sessions } from '../../../lib/extension/panel/apps/types.ts';
import { relativeTime } from '../../../lib/extension/panel/actions/times.ts';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button, Tabs } from '../../ui/index.ts';
import { useNow } from '../actions/use-now.ts';
import { useSessionsNow } from './use-sessions-now.ts';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';
import { AppFacts } from './app-facts.tsx';
import { AppIcon } from './app-icon.tsx';
import { BehindList } from './behind-list.tsx';
import type { CopyText } from './copy-button.tsx';
import { ReleasesList } from './releases-list.tsx';
import { SessionsView } from './sessions/sessions-view.tsx';
import '../../ui/parts.css';
import './apps.css';

export interface AppPageProps {
  app: App;
  page: AppPageState;
  environment: { name: string; baseUrl: string; production: boolean };
  copyText: CopyText;
  /** The name of another app that can be gone to; null when there is none of this id. */
  nameOf: (id: number) => string | null;
  onOpenApp: (id: number) => void;
  /** Absent where there is nothing to go back to. */
  onClose?: () => void;
}

type Place = 'overview' | 'sessions' | 'charts';
const PLACES: { id: Place; label: string }[] = [
  { id: 'overview', label: 'Overview' },
  { id: 'sessions', label: 'Sessions' },
  { id: 'charts', label: 'Charts' },
];

/** An app that is only passed by, on the way through the table, has its sessions left alone. In milliseconds. */
const PAUSE = 250;

export function AppPage(props: AppPageProps): JSX.Element {
  const { app, page, environment, onClose } = props;
  const { sessions } = page;
  const [place, setPlace] = useState<Place>('overview');
  useEffect(() => {
    const timer = setTimeout(() => {
      if (sessions.state.peek() === 'idle') void sessions.refresh();
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [sessions]);
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
          {truncate(app.name, 300).trim() || 'App without a name'}
        </h2>
        {environment.production ? <Badge tone="danger">Production</Badge> : null}
        {app.deletedAt === null ? null : <Badge tone="warning">deleted</Badge>}
        <span class="grow" />
      </header>
      <Summary page={page} />
      {sessions.error.value ? (
        <Alert
          error={sessions.error.value}
          actions={<Button onClick={() => void sessions.refresh()}>Try again</Button>}
        />
      ) : null}
      <div class="fill">
        <Tabs label="App" tabs={PLACES} selected={place} onSelect={setPlace}>
          {place === 'overview' ? (
            <Overview {...props} showSessions={() => setPlace('sessions')} />
          ) : sessions.loadedAt.value === null ? (
            <NotRead sessions={sessions} />
          ) : place === 'sessions' ? (
            <SessionsView sessions={sessions} />
          ) : (
            <Charts sessions={sessions} />
          )}
        </Tabs>
      </div>
    </section>
  );
}

/** The charts' library is larger than all else here. */
function Charts({ sessions }: { sessions: Sessions }): JSX.Element {
  const View = useLoaded(() => import('./charts/charts-view.tsx').then((module) => module.ChartsView));
  if (View === 'failed') return <Alert error={NOT_LOADED} />;
  return View ? (
    <View sessions={sessions} />
  ) : (
    <p class="remark" role="status">
      Loading…
    </p>
  );
}

function Adoption({ page, latest }: { page: AppPageState; latest: number | null }): JSX.Element {
  const View = useLoaded(() => import('./adoption-view.tsx').then((module) => module.AdoptionView));
  if (View === 'failed') return <Alert error={NOT_LOADED} />;
  return View ? (
    <View page={page} latest={latest} />
  ) : (
    <p class="remark" role="status">
      Loading…
    </p>
  );
}

/** How many users, how many of them far behind, and how old that is. */
function Summary({ page: { sessions, audience, isOnline } }: { page: AppPageState }): JSX.Element {
  const now = useNow();
  const state = sessions.state.value;
  const readAt = sessions.loadedAt.value;
  const users = audience.value;
  const refresh = (): void => void sessions.refresh();
  return (
    <div class="app-summary" data-summary={state}>
      <div>
        <span role="status">
          {users
            ? `${plural(users.users, 'user')}, ${users.behind.toLocaleString('en')} two or more versions behind`
            : state === 'cancelled'
              ? 'Reading the sessions was stopped.'
              : ''}
        </span>{' '}
        {readAt === null ? null : <span class="muted">read {relativeTime(readAt, Math.max(now, readAt))}</span>}
      </div>
      {state === 'loading' ? (
        <span class="muted" data-reading={sessions.loadedCount.value}>
          Reading sessions: {sessions.loadedCount.value.toLocaleString('en')} so far
        </span>
      ) : null}
      {isOnline.value ? null : <Badge tone="warning">offline</Badge>}
      <span class="grow" />
      {state === 'loading' ? (
        <Button kind="quiet" label="Cancel reading" onClick={sessions.cancel}>
          Cancel
        </Button>
      ) : (
        <Button kind="quiet" label="Refresh sessions" onClick={refresh}>
          Refresh
        </Button>
      )}
    </div>
  );
}

/** In place of what the sessions would show. */
function NotRead({ sessions }: { sessions: Sessions }): JSX.Element {
  if (sessions.state.value === 'failed') return <p class="remark">The sessions could not be read.</p>;
  if (sessions.state.value === 'cancelled') return <p class="remark">Refresh reads the sessions again.</p>;
  return (
    <p class="remark" role="status">
      Reading the sessions…
    </p>
  );
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
      <Adoption page={page} latest={latest} />
      {sessions.loadedAt.value === null ? null : <BehindList sessions={sessions} now={now} onShow={showUser} />}
      <ReleasesList page={page} />
    </div>
  );
}

function newer(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : Math.max(a, b);
}
