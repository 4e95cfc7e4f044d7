/** The popup, which publishes an update of an app. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { docUrl } from '../../lib/shared/docs.ts';
import { plural } from '../../lib/shared/format.ts';
import type { OptionsForm } from '../../lib/extension/messaging/options-page.ts';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { publishDone } from '../../lib/extension/popup/text.ts';
import { Alert, Notice } from '../ui/alert.tsx';
import { Boundary } from '../ui/surface/boundary.tsx';
import { Button } from '../ui/button.tsx';
import { FirstSteps } from '../ui/first-steps.tsx';
import { Surface } from '../ui/surface/surface.tsx';
import { UnlockForm } from '../ui/unlock/unlock-form.tsx';
import { type UnlockPort, useLock } from '../ui/unlock/unlock-port.ts';
import { AppPicker } from './app-picker.tsx';
import { ConfirmView } from './confirm-view.tsx';
import { OutcomeView } from './outcome-view.tsx';
import { ReleaseForm } from './release-form.tsx';
import './popup.css';

interface PopupViewProps {
  popup: Popup;
  lock: UnlockPort;
  openOptions: (form?: OptionsForm) => void;
}

export function PopupView(props: PopupViewProps): JSX.Element {
  return (
    <Surface name="popup" done={() => publishDone(props.popup.shown.peek())}>
      <Main {...props} />
    </Surface>
  );
}

function Main({ popup, lock, openOptions }: PopupViewProps): JSX.Element {
  const { environments, environmentsLoaded } = popup.selection;
  if (useLock(lock).isPrompting()) {
    return (
      <main>
        <h1>Publish an update</h1>
        <UnlockForm lock={lock} takesFocus onForgotten={() => openOptions()} />
      </main>
    );
  }
  if (environmentsLoaded.value && environments.value.length === 0)
    return (
      <main>
        <h1 class="visually-hidden">Publish an update</h1>
        {popup.selection.quarantined.value > 0 ? (
          <Notice code="VAULT_RECORDS_ASIDE">
            {`${plural(popup.selection.quarantined.value, 'damaged environment')} moved to quarantine. Nothing was deleted.`}
          </Notice>
        ) : null}
        <FirstSteps place="popup" onAdd={() => openOptions('new')} onLocal={() => openOptions('local')} />
      </main>
    );
  return <Publish popup={popup} openOptions={openOptions} />;
}

function Publish({ popup, openOptions }: Omit<PopupViewProps, 'lock'>): JSX.Element {
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
      <Boundary>
        <AppPicker popup={popup} />
      </Boundary>
      {error && !popup.isOnline.value ? (
        <Notice code="OFFLINE">The browser reports no network. This data may be out of date.</Notice>
      ) : null}
      {error ? (
        <Alert
          error={error}
          onDismiss={() => popup.dismissError()}
          actions={<Button onClick={() => void popup.refresh()}>Try again</Button>}
        />
      ) : null}
      <Boundary of={shown?.id ?? (popup.isConfirming.value ? 'confirm' : 'form')}>
        {shown ? (
          <OutcomeView key={shown.id} popup={popup} record={shown} />
        ) : popup.isConfirming.value ? (
          <ConfirmView popup={popup} />
        ) : (
          <ReleaseForm popup={popup} />
        )}
      </Boundary>
      <Links openOptions={openOptions} />
    </main>
  );
}

/** Leads to the options and the docs. */
function Links({ openOptions }: Pick<PopupViewProps, 'openOptions'>): JSX.Element {
  return (
    <footer class="links">
      <Button kind="quiet" onClick={() => openOptions()}>
        Options
      </Button>
      <a class="button quiet" href={docUrl('surfaces', 'popup')} target="_blank">
        Help
      </a>
    </footer>
  );
}
