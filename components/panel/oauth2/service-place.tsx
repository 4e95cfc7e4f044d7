/** Owns the place of services: the list, and of the chosen one what can be done, its session and its options. */
import type { JSX } from 'preact';
import { sessionStateOf } from '../../../lib/extension/panel/oauth2/session-state.ts';
import type { OAuth2Store, Working } from '../../../lib/extension/panel/oauth2/store.ts';
import type { PageService } from '../../../lib/extension/panel/oauth2/types.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Button, Notice } from '../../ui/index.ts';
import { useNow } from '../actions/use-now.ts';
import { OptionsTable } from './options-table.tsx';
import { SessionView, StateBadge } from './session-view.tsx';

export function ServicePlace({ store }: { store: OAuth2Store }): JSX.Element {
  const page = store.page.value;
  const chosen = store.service.value;
  const now = useNow(1_000);
  if (!page || !chosen) return <></>;
  return (
    <section class="services" aria-label="Services">
      <ul class="service-list" aria-label="Services">
        {page.services.map((service) => (
          <li key={service.name}>
            <button
              type="button"
              class="open-service"
              data-service={service.name}
              aria-pressed={service === chosen}
              onClick={() => store.choose(service.name)}
            >
              <span class="what untrusted">{service.name === '' ? '(no name)' : service.name}</span>
              <StateBadge state={sessionStateOf(service, now)} />
            </button>
          </li>
        ))}
      </ul>
      {page.moreServices > 0 ? <p class="remark">{plural(page.moreServices, 'more service')}, not shown.</p> : null}
      <div class="scroll service" data-service-shown={chosen.name}>
        <Deeds store={store} service={chosen} now={now} />
        <SessionView service={chosen} now={now} />
        {chosen.options ? (
          <OptionsTable
            key={`${page.documentId} ${chosen.name}`}
            store={store}
            service={chosen.name}
            options={chosen.options}
          />
        ) : (
          <p class="remark">Its options are not known: the page never told them.</p>
        )}
      </div>
    </section>
  );
}

/** What a person can do with the service. */
function Deeds({ store, service, now }: { store: OAuth2Store; service: PageService; now: number }): JSX.Element {
  const working = store.working.value;
  const mine = working.find((one) => one.service === service.name && one.action !== 'api') ?? null;
  const busy = mine ? 'Wait for its end, or stop waiting.' : null;
  const act = (action: 'login' | 'logout' | 'refresh') => () => void store.act({ action, service: service.name });
  const { name } = sessionStateOf(service, now);
  const none = name === 'none' ? 'There is no session.' : null;
  return (
    <div class="deeds">
      <div class="buttons">
        <Button
          kind={name === 'none' ? 'primary' : 'plain'}
          unavailable={busy}
          title="Ends in a popup of the page"
          onClick={act('login')}
        >
          Log in
        </Button>
        <Button unavailable={busy ?? none} onClick={act('logout')}>
          Log out
        </Button>
        <Button
          unavailable={
            busy ??
            none ??
            (store.page.value?.canRefresh
              ? null
              : 'This library has no refresh(): it refreshes by itself before a call of the API.')
          }
          title="Asks for a new token, whatever the time"
          onClick={act('refresh')}
        >
          Refresh now
        </Button>
      </div>
      {mine ? <Waiting working={mine} onCancel={() => void store.cancel(mine.id)} /> : null}
    </div>
  );
}

function Waiting({ working, onCancel }: { working: Working; onCancel: () => void }): JSX.Element {
  const isLogin = working.action === 'login';
  return (
    <Notice
      code={working.state === 'waiting' ? 'CLICK_IN_PAGE' : 'WORKING'}
      actions={<Button onClick={onCancel}>{working.state === 'waiting' ? 'Cancel' : 'Stop waiting'}</Button>}
    >
      {working.state === 'waiting' ? (
        <>
          <strong>Press “Log in to {working.service}” in the page.</strong>
          <div>It stands at the page’s top. A browser opens a login window on a click in the page alone.</div>
        </>
      ) : (
        <span>
          {isLogin ? 'Waiting for the person to log in.' : working.action === 'logout' ? 'Logging out…' : 'Refreshing…'}
        </span>
      )}
    </Notice>
  );
}
