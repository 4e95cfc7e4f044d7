/** Explains that the page has no OAuth2 library or no service, and what to do. */
import type { JSX } from 'preact';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { OAuth2Page } from '../../../lib/extension/panel/oauth2/types.ts';
import { EmptyState } from '../../ui/index.ts';
import { PageButtons } from './page-toolbar.tsx';

const TITLES: Record<OAuth2Page['library'], string> = {
  absent: 'This page has no OAuth2 library',
  'not-a-function': 'OAuth2 on this page isn’t a function',
  throws: 'Couldn’t read this page’s OAuth2 library',
  ready: 'No service is configured',
};

export function NoLibrary({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  return (
    <EmptyState title={TITLES[page.library]} actions={<PageButtons store={store} />}>
      {page.detail ? (
        <p>
          Found instead: <code class="untrusted">{page.detail}</code>
        </p>
      ) : null}
      <p>The app’s services, logins, and problems appear here.</p>
      <ol>
        <li>
          Open a page that includes <code>platform-oauth2:0.1</code> or a library with the same methods. For a preview
          page or live page, paste its URL on the <em>Run</em> tab and press <em>Open</em>.
        </li>
        <li>
          Press <em>Log in</em>, on the page or here.
        </li>
      </ol>
      <p>
        A library that loads later is detected automatically. If your platform uses a different namespace, enter it in
        the environment’s options.
      </p>
    </EmptyState>
  );
}

const example = (origin: string): string => `Platform.OAuth2.configure('service', {
  clientId: '…', clientSecret: '…',
  redirectUrl: '${origin}/v1/auth/sso-callback',
  authUrl: 'https://…', grantType: 'code', grantUrl: 'https://…',
});`;

export function NoService({ page, store }: { page: OAuth2Page; store: OAuth2Store }): JSX.Element {
  return (
    <EmptyState
      title={page.readable ? TITLES.ready : 'Couldn’t read the services'}
      actions={<PageButtons store={store} />}
    >
      {page.readable ? (
        <p>
          Services appear here when the page calls <code>Platform.OAuth2.configure(name, options)</code>.
        </p>
      ) : (
        <p>
          This library’s <code>configure()</code> doesn’t return its services. Reload the page to record them.
        </p>
      )}
      <pre class="untrusted">{example(page.origin)}</pre>
    </EmptyState>
  );
}
