/** Owns tab *OAuth2*: its places, what is said about the page, and what stands there when the page has nothing to show. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { type OAuth2Store, oauth2Of } from '../../../lib/extension/panel/oauth2/store.ts';
import { Alert, Button, Splitter, Tabs } from '../../ui/index.ts';
import { useMedia } from '../shared/use-media.ts';
import { countFaults, useFindings } from './doctor-findings.ts';
import { FlowPlace } from './flow-place.tsx';
import { Lower } from './lower.tsx';
import { NoLibrary, NoService } from './no-service.tsx';
import { PageLine } from './page-line.tsx';
import { ServicePlace } from './service-place.tsx';
import './oauth2.css';

export function OAuth2Tab({ panel }: { panel: Panel }): JSX.Element {
  const store = oauth2Of(panel);
  const { error, lost, page } = store;
  return (
    <div class="oauth2">
      {lost.value ? (
        <Alert error={lost.value} actions={<Button onClick={() => void store.look()}>Try again</Button>} />
      ) : null}
      {error.value ? <Alert error={error.value} onDismiss={store.dismiss} /> : null}
      {page.value && !isGone(store) ? <PageLine page={page.value} store={store} /> : null}
      <div class="fill">
        <Places panel={panel} store={store} />
      </div>
    </div>
  );
}

/** What is known then is of a page before. */
const isGone = ({ lost }: OAuth2Store): boolean => lost.value?.code === 'PAGE_UNREACHABLE';

function Places({ panel, store }: { panel: Panel; store: OAuth2Store }): JSX.Element {
  const isNarrow = useMedia('(max-width: 699px)');
  const isTiny = useMedia('(max-width: 479px)');
  const [place, setPlace] = useState<'service' | 'timeline' | 'more'>('service');
  const findings = useFindings(store);
  const page = store.page.value;
  const isEmpty = store.flows.value.length === 0;
  if (isGone(store)) return isEmpty ? <></> : <FlowPlace store={store} />;
  if (!page)
    return (
      <p class="remark" role="status">
        The page is being looked at.
      </p>
    );
  if (page.library !== 'ready' && isEmpty) return <NoLibrary page={page} store={store} />;
  const service = store.service.value ? (
    <ServicePlace store={store} />
  ) : page.library === 'ready' ? (
    <NoService page={page} store={store} />
  ) : (
    <NoLibrary page={page} store={store} />
  );
  const lower = <Lower panel={panel} store={store} findings={findings} />;
  if (isTiny) {
    return (
      <Tabs
        label="Places of OAuth2"
        selected={place}
        onSelect={setPlace}
        tabs={[
          { id: 'service', label: 'Services' },
          { id: 'timeline', label: 'Timeline', badge: store.flows.value.length },
          { id: 'more', label: 'More', badge: countFaults(findings) },
        ]}
      >
        {place === 'service' ? (
          <div class="left">{service}</div>
        ) : place === 'timeline' ? (
          <FlowPlace store={store} />
        ) : (
          lower
        )}
      </Tabs>
    );
  }
  const right = (
    <Splitter label="Height of timeline and details" direction="rows" share={58}>
      <FlowPlace store={store} />
      {lower}
    </Splitter>
  );
  return isNarrow ? (
    <Splitter key="narrow" label="Height of services and timeline" direction="rows" share={42}>
      <div class="left">{service}</div>
      {right}
    </Splitter>
  ) : (
    <Splitter key="wide" label="Width of services and timeline" direction="columns" share={38}>
      <div class="left">{service}</div>
      {right}
    </Splitter>
  );
}
