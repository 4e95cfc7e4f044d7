/** Owns an app's page in a browser tab by itself: its head, what stands in the way, and the page as the panel has it. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { truncate } from '../../../lib/shared/format.ts';
import type { StandaloneApp } from '../../../lib/extension/panel/apps/standalone-app.ts';
import { Alert, Button, EmptyState } from '../../ui/index.ts';
import type { UnlockPort } from '../../ui/unlock-port.ts';
import { Unlock } from '../../ui/unlock.tsx';
import { AppPage } from './app-page.tsx';
import type { CopyText } from './copy-button.tsx';
import './standalone-app.css';

export interface StandaloneAppViewProps {
  /** Null where the address names no app. */
  lone: StandaloneApp | null;
  lock: UnlockPort;
  copyText: CopyText;
  openOptions: () => void;
  /** Goes to the page of another app of the same environment. */
  onOpenApp: (id: number) => void;
}

export function StandaloneAppView({ lone, lock, ...rest }: StandaloneAppViewProps): JSX.Element {
  const name = lone?.app.value?.name;
  const title = name === undefined ? 'App' : truncate(name, 100);
  useEffect(() => void (document.title = `${title} – Platform DevTools`), [title]);
  const environment = lone?.environment.value;
  return (
    <main class="lone-app" data-state={lone?.state.value ?? 'no-link'}>
      <header class="section-head">
        <h1>Users and releases of an app</h1>
        <span class="grow" />
        {environment ? (
          <span class="untrusted muted" title={environment.baseUrl}>
            {environment.name}
          </span>
        ) : null}
      </header>
      <Unlock lock={lock} onForgotten={rest.openOptions} />
      {lone ? (
        <Body lone={lone} {...rest} />
      ) : (
        <EmptyState title="This address names no app">
          <p>
            Publish an update with the button in the toolbar, and follow the link that stands there when it is done.
          </p>
        </EmptyState>
      )}
    </main>
  );
}

function Body({
  lone,
  copyText,
  openOptions,
  onOpenApp,
}: Omit<StandaloneAppViewProps, 'lock'> & { lone: StandaloneApp }): JSX.Element {
  const error = lone.error.value;
  const app = lone.app.value;
  const environment = lone.environment.value;
  const needsAccess = error?.code === 'HOST_PERMISSION_MISSING';
  const again = <Button onClick={() => void lone.load()}>Try again</Button>;
  return (
    <>
      {error && needsAccess ? (
        <Alert
          error={{ ...error, hint: 'Press “Allow access”, and say yes when the browser asks.' }}
          actions={
            <Button kind="primary" onClick={() => void lone.allow()}>
              Allow access
            </Button>
          }
        />
      ) : null}
      {error && !needsAccess ? <Alert error={error} actions={again} /> : null}
      {lone.state.value === 'reading' ? (
        <p class="remark" role="status">
          Reading the app…
        </p>
      ) : null}
      {lone.state.value === 'no-environment' ? (
        <EmptyState
          title="The environment is gone"
          actions={
            <>
              <Button onClick={openOptions}>Environments</Button>
              {again}
            </>
          }
        >
          <p>It was removed since this link was made. Enter it again, and open the app from there.</p>
        </EmptyState>
      ) : null}
      {lone.state.value === 'no-app' ? (
        <EmptyState title="The app is not in the list" actions={again}>
          <p>
            It was removed, or the token of this environment no longer has access to it: an administrator of the
            organization can give it.
          </p>
        </EmptyState>
      ) : null}
      {app && environment ? (
        <AppPage
          app={app}
          page={lone.page}
          environment={environment}
          copyText={copyText}
          nameOf={(id) => lone.apps.value.find((one) => one.id === id)?.name ?? null}
          onOpenApp={onOpenApp}
        />
      ) : null}
    </>
  );
}
