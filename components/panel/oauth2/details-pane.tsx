/** The pane below the timeline: the selected entry, API calls, and the doctor's findings. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Tabs } from '../../ui/index.ts';
import { ApiView } from './api-view.tsx';
import { DoctorView } from './doctor-view.tsx';
import { recordingOf } from '../../../lib/extension/panel/oauth2/recording.ts';
import { EntryDetails } from './entry-details.tsx';

type View = 'entry' | 'api' | 'doctor';

interface DetailsPaneProps {
  panel: Panel;
  store: OAuth2Store;
}

export function DetailsPane({ panel, store }: DetailsPaneProps): JSX.Element {
  const [selectedView, setSelectedView] = useState<View | null>(null);
  const entry = store.timeline.selected.value;
  const problems = store.problems.value;
  const view = selectedView ?? (problems > 0 ? 'doctor' : 'entry');
  useEffect(() => {
    if (entry !== null) setSelectedView('entry');
  }, [entry]);
  return (
    <div class="details">
      <Tabs
        label="Details"
        selected={view}
        onSelect={setSelectedView}
        tabs={[
          { id: 'doctor', label: 'Doctor', badge: problems, problems: plural(problems, 'problem') },
          { id: 'entry', label: 'Entry' },
          { id: 'api', label: 'Call API' },
        ]}
      >
        {view === 'entry' ? <EntryDetails store={store} /> : null}
        {view === 'api' ? <ApiView panel={panel} store={store} /> : null}
        {view === 'doctor' ? (
          <DoctorView
            doctor={store.doctor}
            findings={store.findings.value}
            service={store.service.value}
            recording={incompleteRecording(store)}
            onShow={(entryId) => store.timeline.reveal(entryId)}
            copy={(text) => void panel.copy(text)}
          />
        ) : null}
      </Tabs>
    </div>
  );
}

/** What the doctor can't have seen. */
function incompleteRecording({ page }: OAuth2Store): string {
  if (!page.value) return '';
  const { level, text } = recordingOf(page.value);
  return level === 'partial' ? text : '';
}
