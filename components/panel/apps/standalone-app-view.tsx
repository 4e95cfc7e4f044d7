/** An app's page in its own browser tab: a header, problems with the link, and the same page as in the panel. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { truncate } from '../../../lib/shared/format.ts';
import { visible } from '../../../lib/shared/invisible.ts';
import type { StandaloneApp } from '../../../lib/extension/panel/apps/standalone-app.ts';
import { Alert, Boundary, Button, EmptyState, Surface } from '../../ui/index.ts';
import type { UnlockPort } from '../../ui/unlock/unlock-port.ts';
import { Unlock } from '../../ui/unlock/unlock.tsx';
import { MissingApp } from './missing-app.tsx';
import { AppPage } from './app-page.tsx';
import type { CopyText } from '../../ui/copy-button.tsx';
import './standalone-app.css';
import { Loading } from '../shared/loading.tsx';

export interface StandaloneAppViewProps {
  /** Null if the URL names no app. */
  standalone: StandaloneApp | null;
  lock: UnlockPort;
  copyText: CopyText;
  openOptions: () => void;
  /** Opens another app's page in the same environment. */
  onOpenApp: (id: number) => void;
}

export function StandaloneAppView(props: StandaloneAppViewProps): JSX.Element {
  return (
    <Surface name="app page">
      <Main {...props} />
    </Surface>
  );
}

function Main({ standalone, lock, ...rest }: StandaloneAppViewProps): JSX.Element {
  const name = standalone?.app.value?.name;
  const title = name === undefined ? 'App' : truncate(name, 100);
  useEffect(() => void (document.title = `${visible(title)} – Platform DevTools`), [title]);
  const environment = standalone?.environment.value;
  return (
    <main class="standalone-app" data-state={standalone?.state.value ?? 'no-link'}>
      <header class="section-head">
        <h1>App users and releases</h1>
        <span class="grow" />
        {environment ? (
          <span class="untrusted muted" title={environment.baseUrl}>
            {environment.name}
          </span>
        ) : null}
      </header>
      <Unlock lock={lock} onForgotten={rest.openOptions} />
      {standalone ? (
        <Boundary>
          <Body standalone={standalone} {...rest} />
        </Boundary>
      ) : (
        <EmptyState title="No app in this URL">
          <p>Publish a release from the extension’s toolbar button, then follow its link.</p>
        </EmptyState>
      )}
    </main>
  );
}

function Body({
  standalone,
  copyText,
  openOptions,
  onOpenApp,
}: Omit<StandaloneAppViewProps, 'lock'> & { standalone: StandaloneApp }): JSX.Element {
  const error = standalone.error.value;
  const app = standalone.app.value;
  const environment = standalone.environment.value;
  const needsAccess = error?.code === 'HOST_PERMISSION_MISSING';
  const retry = <Button onClick={() => void standalone.load()}>Try again</Button>;
  return (
    <>
      {error && needsAccess ? (
        <Alert
          error={{ ...error, hint: 'Choose “Allow access”, then confirm in the browser’s dialog.' }}
          actions={
            <Button kind="primary" onClick={() => void standalone.allow()}>
              Allow access
            </Button>
          }
        />
      ) : null}
      {error && !needsAccess ? <Alert error={error} actions={retry} /> : null}
      {standalone.state.value === 'loading' ? <Loading>Loading app…</Loading> : null}
      {standalone.state.value === 'no-environment' ? (
        <EmptyState
          title="This environment was removed"
          actions={
            <>
              <Button onClick={openOptions}>Open options</Button>
              {retry}
            </>
          }
        >
          <p>Add the environment again in the options, then open the app from the panel.</p>
        </EmptyState>
      ) : null}
      {standalone.state.value === 'no-app' ? <MissingApp list={standalone.apps.value} button={retry} /> : null}
      {app && environment ? (
        <AppPage
          app={app}
          page={standalone.page}
          environment={environment}
          copyText={copyText}
          nameOf={(id) => standalone.apps.value.find((one) => one.id === id)?.name ?? null}
          onOpenApp={onOpenApp}
        />
      ) : null}
    </>
  );
}
