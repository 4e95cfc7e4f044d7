/** The page's status line: its origin, its OAuth2 library, and how much of a login it can trace. */
import type { JSX } from 'preact';
import { recordingOf } from '../../../lib/extension/panel/oauth2/recording.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { OAuth2Page } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge, Button } from '../../ui/index.ts';

export function PageToolbar({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  const { library, tracing, version, url, origin, secure, storage } = page;
  const isReady = library === 'ready';
  return (
    <header class="section-head page-line" data-oauth2-page={library} data-tracing={isReady ? tracing : undefined}>
      <span class="untrusted mono address" title={url}>
        {origin}
      </span>
      {version ? <span class="untrusted muted">OAuth2 {version}</span> : null}
      {secure ? null : <Badge tone="warning">not secure</Badge>}
      {storage === 'blocked' ? <Badge tone="warning">storage blocked</Badge> : null}
      <RecordingLevel page={page} />
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

/** The level, and its one sentence, which is cut off where there’s no room. */
function RecordingLevel({ page }: { page: OAuth2Page }): JSX.Element {
  const { level, tone, text } = recordingOf(page);
  return (
    <span class="recording" data-recording={level} title={text}>
      <Badge tone={tone}>Recording: {level}</Badge> <span class="muted">{text}</span>
    </span>
  );
}
