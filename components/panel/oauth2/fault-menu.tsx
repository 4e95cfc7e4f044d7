/** Makes the next response of a demo service fail. */
import type { JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { faultPageOf } from '../../../lib/extension/panel/oauth2/demo-service.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { PageService } from '../../../lib/extension/panel/oauth2/types.ts';
import { Button } from '../../ui/index.ts';

/** Nothing for other services. */
export function FaultMenu({ store, service }: { store: OAuth2Store; service: PageService }): JSX.Element | null {
  const { faults, timeline } = store;
  const id = useId();
  const url = faultPageOf(service);
  const state = url === null ? undefined : faults.states.value.get(url);
  // A fault is over once it has struck.
  const ended = timeline.flows.value.filter(({ isOpen }) => !isOpen).length;
  useEffect(() => {
    if (url !== null && state) void faults.load(url);
  }, [url, ended]);
  if (url === null) return null;
  // Nothing is sent to a service before the user asks for it.
  if (state === undefined)
    return (
      <p class="fault-menu">
        <Button title="Choose how this demo service fails next" onClick={() => void faults.load(url)}>
          Inject a fault…
        </Button>
      </p>
    );
  if (state === null) return <FaultsLink url={url} />;
  const next = state.next[0]?.name ?? '';
  return (
    <p class="fault-menu">
      <label for={id}>Next fault</label>{' '}
      <select
        id={id}
        class="input"
        name="fault"
        value={next}
        title="How this demo service fails next"
        onChange={(event) => void faults.inject(url, event.currentTarget.value)}
      >
        <option value="">none</option>
        {state.menu.map(({ name, says }) => (
          <option key={name} value={name} title={says}>
            {name}
          </option>
        ))}
      </select>{' '}
      <span class="muted untrusted" role="status">
        {state.menu.find(({ name }) => name === next)?.says}
      </span>
    </p>
  );
}

/** For a page that can’t read the service’s faults. */
function FaultsLink({ url }: { url: string }): JSX.Element {
  return (
    <a
      class="button quiet"
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title="Opens a page where you choose how the demo service fails next"
    >
      Inject a fault…
    </a>
  );
}
