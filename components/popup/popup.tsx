/** The popup, which publishes an update of an app. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { Alert, Notice } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { UnlockForm } from '../ui/unlock-form.tsx';
import { type UnlockPort, useLock } from '../ui/unlock-port.ts';
import { AppPicker } from './app-picker.tsx';
import { ConfirmView } from './confirm-view.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { ReleaseForm } from './release-form.tsx';
import './popup.css';

interface PopupViewProps {
  popup: Popup;
  lock: UnlockPort;
  openOptions: () => void;
}

export function PopupView({ popup, lock, openOptions }: PopupViewProps): JSX.Element {
  const { environments, environmentsLoaded } = popup.selection;
  if (useLock(lock).isPrompting()) {
    return (
      <main>
        <h1>Publish an update</h1>
        <UnlockForm lock={lock} takesFocus onForgotten={openOptions} />
      </main>
    );
  }
  if (environmentsLoaded.value && environments.value.length === 0) return <FirstSteps openOptions={openOptions} />;
  return <Publish popup={popup} />;
}

function Publish({ popup }: { popup: Popup }): JSX.Element {
  const error = popup.error.value;
  const shown = popup.shown.value;
  useEffect(() => {
    // Focus an input right away, so that the user can type before data is loaded.
    document.querySelector<HTMLElement>(popup.selection.appId.value === null ? 'input[name=app]' : 'textarea')?.focus();
    performance.mark('ready to type');
  }, []);
  return (
    <main>
      <h1 class="visually-hidden">Publish an update</h1>
      <AppPicker popup={popup} />
      {popup.isOnline.value ? null : <Notice code="OFFLINE">You’re offline. This data may be out of date.</Notice>}
      {error ? (
        <Alert
          error={error}
          onDismiss={() => popup.dismissError()}
          actions={<Button onClick={() => void popup.refresh()}>Try again</Button>}
        />
      ) : null}
      {shown ? (
        <OutcomeView key={shown.id} popup={popup} record={shown} />
      ) : popup.isConfirming.value ? (
        <ConfirmView popup={popup} />
      ) : (
        <ReleaseForm popup={popup} />
      )}
    </main>
  );
}

function FirstSteps({ openOptions }: { openOptions: () => void }): JSX.Element {
  return (
    <main>
      <h1>Publish an update</h1>
      <p>Add an environment first: its base URL and a token. Then choose an app here and publish it.</p>
      <div class="actions">
        <Button kind="primary" onClick={openOptions}>
          Add environment
        </Button>
      </div>
    </main>
  );
}
