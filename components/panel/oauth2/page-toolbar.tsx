/** The page's status line: its origin, its OAuth2 library, and how much of a login it can trace. */
import type { JSX } from 'preact';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { OAuth2Page } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge, Button } from '../../ui/index.ts';

export function PageToolbar({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  const { library, tracing, url, origin, secure, storage } = page;
  const isReady = library === 'ready';
  return (
    <header class="section-head page-line" data-oauth2-page={library} data-tracing={isReady ? tracing : undefined}>
      <span class="untrusted mono address" title={url}>
        {origin}
      </span>
      {isReady ? <Library page={page} /> : null}
      {secure ? null : <Badge tone="warning">not secure</Badge>}
      {storage === 'blocked' ? <Badge tone="warning">storage blocked</Badge> : null}
      <span class="grow" />
      <PageButtons store={store} kind="quiet" />
    </header>
  );
}

export function PageButtons({ store, kind }: { store: OAuth2Store; kind?: 'quiet' }): JSX.Element {
  return (
    <>
      <Button kind={kind} title="Refresh services and sessions" onClick={() => void store.refresh()}>
        Refresh
      </Button>
      <Button
        kind={kind}
        title="Reload the page and record from its first script"
        unavailable={store.canReload ? null : 'Reload the page in its tab'}
        onClick={() => void store.reloadWithAgent()}
      >
        Reload page
      </Button>
    </>
  );
}

const WRAPPED = {
  observed: null,
  wrapped: {
    label: 'recorded from outside',
    title: 'Calls, events, popups, and requests have been recorded since the page’s first script',
  },
  late: {
    label: 'recorded from now on',
    title: 'Calls, events, popups, and requests are recorded. Reload the page to record from the start',
  },
} as const;

function Library({ page: { tracing, version } }: { page: OAuth2Page }): JSX.Element {
  const wrapped = WRAPPED[tracing];
  return (
    <span class="muted" title={wrapped?.title ?? 'The library reports every step'}>
      <span class="untrusted">{version ? `OAuth2 ${version}` : 'OAuth2'}</span> ·{' '}
      {wrapped ? <Badge tone="warning">{wrapped.label}</Badge> : 'reports every step'}
    </span>
  );
}
