/** Owns the line about the page: whose logins these are, how much of them is seen, and how to see more. */
import type { JSX } from 'preact';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { OAuth2Page } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge, Button } from '../../ui/index.ts';

export function PageLine({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  const isReady = page.library === 'ready';
  return (
    <header
      class="section-head page-line"
      data-oauth2-page={page.library}
      data-seeing={isReady ? page.tracing : undefined}
    >
      <span class="untrusted mono address" title={page.url}>
        {page.origin}
      </span>
      {isReady ? <Seeing page={page} /> : null}
      {page.secure ? null : <Badge tone="warning">not secure</Badge>}
      {page.storage === 'blocked' ? <Badge tone="warning">storage blocked</Badge> : null}
      <span class="grow" />
      <Button
        kind="quiet"
        title="Ask the page again, also for what it was asked before"
        onClick={() => void store.look()}
      >
        Look again
      </Button>
      <Button
        kind="quiet"
        unavailable={store.canReload ? null : 'This browser can’t reload it from here.'}
        title="Reload the page and watch it from its first script on"
        onClick={() => void store.reloadWithAgent()}
      >
        Reload and watch
      </Button>
    </header>
  );
}

function Seeing({ page: { tracing, version } }: { page: OAuth2Page }): JSX.Element {
  const name = version ? `OAuth2 ${version}` : 'OAuth2';
  if (tracing === 'observed')
    return (
      <span class="muted" title="The library tells each step itself.">
        <span class="untrusted">{name}</span> · tells every step
      </span>
    );
  return (
    <span
      class="muted"
      title={
        tracing === 'wrapped'
          ? 'Its calls, events, windows and requests are watched from outside, from the first script on.'
          : 'Its calls, events, windows and requests are watched from outside. What the page kept from before is not seen: reload and watch.'
      }
    >
      <span class="untrusted">{name}</span> ·{' '}
      <Badge tone="warning">{tracing === 'wrapped' ? 'watched from outside' : 'watched from now on'}</Badge>
    </span>
  );
}
