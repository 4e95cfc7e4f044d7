/** The *OAuth2* tab: services, timeline, and details, arranged by the panel's width. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { type OAuth2Store, oauth2Of } from '../../../lib/extension/panel/oauth2/store.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Alert, Button, Splitter, Tabs } from '../../ui/index.ts';
import { useMedia } from '../shared/use-media.ts';
import { DetailsPane } from './details-pane.tsx';
import { NoLibrary, NoService } from './no-service.tsx';
import { PageToolbar } from './page-toolbar.tsx';
import { ServicesView } from './services-view.tsx';
import { TimelineView } from './timeline-view.tsx';
import './oauth2.css';
import { Loading } from '../shared/loading.tsx';

export function OAuth2Tab({ panel }: { panel: Panel }): JSX.Element {
  const store = oauth2Of(panel);
  const { lost, page, actions } = store;
  return (
    <div class="oauth2">
      {lost.value ? (
        <Alert error={lost.value} actions={<Button onClick={() => void store.refresh()}>Try again</Button>} />
      ) : null}
      {actions.error.value ? (
        <Alert error={actions.error.value} onDismiss={() => (actions.error.value = null)} />
      ) : null}
      {page.value && !isUnreachable(store) ? <PageToolbar page={page.value} store={store} /> : null}
      <div class="fill">
        <Content panel={panel} store={store} />
      </div>
    </div>
  );
}

/** While the page is unreachable, everything shown is about an earlier page. */
const isUnreachable = ({ lost }: OAuth2Store): boolean => lost.value?.code === 'PAGE_UNREACHABLE';

function Content({ panel, store }: { panel: Panel; store: OAuth2Store }): JSX.Element {
  const page = store.page.value;
  const isEmpty = store.timeline.flows.value.length === 0;
  if (isUnreachable(store)) return isEmpty ? <></> : <TimelineView store={store} />;
  if (!page) return <Loading>Reading the page…</Loading>;
  const hasLibrary = page.library === 'ready';
  if (!hasLibrary && isEmpty) return <NoLibrary page={page} store={store} />;
  const services = store.service.value ? (
    <ServicesView store={store} />
  ) : hasLibrary ? (
    <NoService page={page} store={store} />
  ) : (
    <NoLibrary page={page} store={store} />
  );
  return <Layout panel={panel} store={store} services={services} />;
}

interface LayoutProps {
  panel: Panel;
  store: OAuth2Store;
  services: JSX.Element;
}

function Layout(props: LayoutProps): JSX.Element {
  const isNarrow = useMedia('(max-width: 699px)');
  const isTiny = useMedia('(max-width: 479px)');
  if (isTiny) return <TabsLayout {...props} />;
  const left = <div class="left">{props.services}</div>;
  const right = (
    <Splitter label="Resize timeline and details" direction="rows" share={58}>
      <TimelineView store={props.store} />
      <DetailsPane {...props} />
    </Splitter>
  );
  return isNarrow ? (
    <Splitter key="narrow" label="Resize services and timeline" direction="rows" share={42}>
      {left}
      {right}
    </Splitter>
  ) : (
    <Splitter key="wide" label="Resize services and timeline" direction="columns" share={38}>
      {left}
      {right}
    </Splitter>
  );
}

function TabsLayout(props: LayoutProps): JSX.Element {
  const { store, services } = props;
  const problems = store.problems.value;
  const [selected, setView] = useState<'service' | 'timeline' | 'more' | null>(null);
  const view = selected ?? (problems > 0 ? 'more' : 'service');
  return (
    <Tabs
      label="OAuth2 views"
      selected={view}
      onSelect={setView}
      tabs={[
        { id: 'service', label: 'Services' },
        { id: 'timeline', label: 'Timeline', badge: store.timeline.flows.value.length },
        { id: 'more', label: 'Details', badge: problems, problems: plural(problems, 'problem') },
      ]}
    >
      {view === 'service' ? <div class="left">{services}</div> : null}
      {view === 'timeline' ? <TimelineView store={store} /> : null}
      {view === 'more' ? <DetailsPane {...props} /> : null}
    </Tabs>
  );
}
