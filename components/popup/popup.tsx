/** Owns the popup: quick publish, on the app that was published last. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useReducer } from 'preact/hooks';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { Alert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { AppChoice } from './app-choice.tsx';
import { ReleaseForm } from './release-form.tsx';
import './popup.css';

const NOT_LOADED = {
  code: 'PART_NOT_LOADED',
  message: 'This part of the window could not be loaded: the extension was updated or removed meanwhile.',
  hint: 'Close it and open it again; what you wrote is kept.',
};

export function PopupView({ popup, openOptions }: { popup: Popup; openOptions: () => void }): JSX.Element {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => popup.subscribe(() => draw(undefined)), [popup]);
  const error = popup.error.value;
  // Not the form until it is loaded: a second press of its button would be taken for the second step.
  const isPublishing = popup.shown.value !== null || popup.confirming.value;
  const AfterPublish = useLoaded(
    () => import('./after-publish.tsx').then((module) => module.AfterPublish),
    isPublishing || popup.starting.value,
  );
  useEffect(() => {
    // At once, before anything is read: a person can type.
    document.querySelector<HTMLElement>(popup.appId.value === null ? 'input[name=app]' : 'textarea')?.focus();
    performance.mark('ready to type');
  }, []);
  if (popup.environmentsRead.value && popup.environments.value.length === 0)
    return <FirstSteps openOptions={openOptions} />;
  return (
    <main>
      <h1 class="visually-hidden">Publish an update</h1>
      <AppChoice popup={popup} />
      {popup.online.value ? null : (
        <Notice code="OFFLINE">This machine is offline: what is shown is from before.</Notice>
      )}
      {error ? (
        <Alert
          error={error}
          onDismiss={popup.dismiss}
          actions={<Button onClick={() => void popup.refresh()}>Read again</Button>}
        />
      ) : null}
      {!isPublishing ? (
        <ReleaseForm popup={popup} />
      ) : AfterPublish === 'failed' ? (
        <Alert error={NOT_LOADED} />
      ) : (
        AfterPublish && <AfterPublish popup={popup} />
      )}
    </main>
  );
}

function FirstSteps({ openOptions }: { openOptions: () => void }): JSX.Element {
  return (
    <main>
      <h1>Publish an update</h1>
      <p>
        Enter an environment first: its address and a token. Then choose an app here, say what has changed, and publish.
      </p>
      <div class="actions">
        <Button kind="primary" onClick={openOptions}>
          Add an environment
        </Button>
      </div>
    </main>
  );
}
