/** Shows the services, and the selected service's actions, session, and options. */
import type { JSX } from 'preact';
import type { RunningAction } from '../../../lib/extension/panel/oauth2/page-actions.ts';
import { sessionStateOf } from '../../../lib/extension/panel/oauth2/session-state.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { PageService } from '../../../lib/extension/panel/oauth2/types.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Button, Notice } from '../../ui/index.ts';
import { useNow } from '../shared/use-now.ts';
import { FaultMenu } from './fault-menu.tsx';
import { OptionsTable } from './options-table.tsx';
import { SessionView, StateBadge } from './session-view.tsx';

export function ServicesView({ store }: { store: OAuth2Store }): JSX.Element {
  const page = store.page.value;
  const selected = store.service.value;
  const now = useNow(1_000);
  if (!page || !selected) return <></>;
  return (
    <section class="services" aria-label="Services">
      <ul class="service-list" aria-label="Services">
        {page.services.map((service) => (
          <li key={service.name}>
            <button
              type="button"
              class="open-service"
              data-service={service.name}
              aria-pressed={service === selected}
              onClick={() => store.selectService(service.name)}
            >
              <span class="what untrusted">{service.name === '' ? '(no name)' : service.name}</span>
              <StateBadge state={sessionStateOf(service, now)} />
            </button>
          </li>
        ))}
      </ul>
      {page.moreServices > 0 ? <p class="remark">{plural(page.moreServices, 'more service')} not shown.</p> : null}
      <div class="scroll service" data-service-shown={selected.name}>
        <ServiceActions store={store} service={selected} now={now} />
        <SessionView service={selected} now={now} />
        {selected.options ? (
          <OptionsTable
            key={`${page.documentId} ${selected.name}`}
            store={store}
            service={selected.name}
            options={selected.options}
          />
        ) : (
          <p class="remark">The options are unknown, since this library doesn’t report them.</p>
        )}
      </div>
    </section>
  );
}

interface ServiceActionsProps {
  store: OAuth2Store;
  service: PageService;
  now: number;
}

function ServiceActions({ store, service, now }: ServiceActionsProps): JSX.Element {
  const { actions, page } = store;
  const isOurs = (each: RunningAction) => each.service === service.name && each.action !== 'api';
  const running = actions.running.value.find(isOurs) ?? null;
  const start = (action: 'login' | 'logout' | 'refresh') => () => void actions.start({ action, service: service.name });
  const hasSession = sessionStateOf(service, now).name !== 'none';
  const busy = running ? 'Wait for the current operation to finish, or cancel it' : null;
  const noSession = hasSession ? null : 'Log in first';
  const noRefresh = page.value?.canRefresh
    ? null
    : 'Call the API instead: this library refreshes tokens only during calls';
  return (
    <div class="service-actions">
      <div class="buttons">
        <Button
          kind={hasSession ? 'plain' : 'primary'}
          unavailable={busy}
          title="Opens a popup from the page"
          onClick={start('login')}
        >
          Log in
        </Button>
        <Button unavailable={busy ?? noSession} onClick={start('logout')}>
          Log out
        </Button>
        <Button
          unavailable={busy ?? noSession ?? noRefresh}
          title="Requests a new token now"
          onClick={start('refresh')}
        >
          Refresh token
        </Button>
      </div>
      <FaultMenu store={store} service={service} />
      {running ? <Progress running={running} onCancel={() => void actions.cancel(running.id)} /> : null}
    </div>
  );
}

function Progress({ running, onCancel }: { running: RunningAction; onCancel: () => void }): JSX.Element {
  const { action, service, state } = running;
  const cancel = <Button onClick={onCancel}>Cancel</Button>;
  if (state === 'waiting')
    return (
      <Notice code="CLICK_IN_PAGE" actions={cancel}>
        <strong>Click “Log in to {service}” at the top of the page.</strong>
        <div>Browsers open a login popup only after a click on the page.</div>
      </Notice>
    );
  return (
    <Notice code="WORKING" actions={cancel}>
      <span>
        {action === 'login'
          ? 'Complete the login in the popup.'
          : action === 'logout'
            ? 'Logging out…'
            : 'Refreshing token…'}
      </span>
    </Notice>
  );
}
