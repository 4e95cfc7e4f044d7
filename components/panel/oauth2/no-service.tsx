/** Owns what stands in place of services when the page has none: what would be here, and how to get it. */
import type { JSX } from 'preact';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { OAuth2Page } from '../../../lib/extension/panel/oauth2/types.ts';
import { Button, EmptyState } from '../../ui/index.ts';

const TITLES: Record<OAuth2Page['library'], string> = {
  absent: 'This page has no OAuth2 library',
  'not-a-function': 'What stands at OAuth2 is no library',
  throws: 'The page keeps its OAuth2 library to itself',
  ready: 'No service is configured',
};

export function NoLibrary({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  return (
    <EmptyState title={TITLES[page.library]} actions={<Buttons store={store} />}>
      {page.detail ? (
        <p>
          Found there: <code class="untrusted">{page.detail}</code>
        </p>
      ) : null}
      <p>
        Here you see the logins of an app: each service with its options and session, every step of a login as it
        happens, and what is wrong when one fails.
      </p>
      <ol>
        <li>
          Open a page of an app that includes <code>platform-oauth2:0.1</code>, or any library with the same calls. A
          preview or live page of the platform needs your token: paste its address on tab <em>Run</em>, and press{' '}
          <em>Open</em>.
        </li>
        <li>
          Press <em>Log in</em>, on the page or here.
        </li>
      </ol>
      <p>
        A library that is loaded later is found by itself. Where the platform has another name in the page, say so in
        the environment’s options.
      </p>
    </EmptyState>
  );
}

export function NoService({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  return (
    <EmptyState title={page.readable ? TITLES.ready : 'Its services can’t be read'} actions={<Buttons store={store} />}>
      {page.readable ? (
        <p>
          The library is there and waits for <code>Platform.OAuth2.configure(name, options)</code>. What is configured
          from now on shows here by itself, and so does a configuration that is refused.
        </p>
      ) : (
        <p>
          This library’s <code>configure()</code> does not tell what was configured. Reload and watch: then each
          configuration is seen as it is made.
        </p>
      )}
      <pre class="untrusted">{`Platform.OAuth2.configure('service', {\n  clientId: '…', clientSecret: '…',\n  redirectUrl: '${page.origin}/v1/auth/sso-callback',\n  authUrl: 'https://…', grantType: 'code', grantUrl: 'https://…',\n});`}</pre>
    </EmptyState>
  );
}

function Buttons({ store }: { store: OAuth2Store }): JSX.Element {
  return (
    <>
      <Button onClick={() => void store.look()}>Look again</Button>
      <Button
        unavailable={store.canReload ? null : 'This browser can’t reload it from here.'}
        onClick={() => void store.reloadWithAgent()}
      >
        Reload and watch
      </Button>
    </>
  );
}
