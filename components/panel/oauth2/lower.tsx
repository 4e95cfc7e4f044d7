/** Owns what stands under the timeline: the chosen entry, a call of the API, and the doctor's findings. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { doctorOf } from '../../../lib/extension/panel/oauth2/doctor/doctor.ts';
import type { Finding } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';
import { showEntry } from '../../../lib/extension/panel/oauth2/doctor/show-entry.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { Tabs } from '../../ui/index.ts';
import { ApiPlace } from './api-place.tsx';
import { countFaults } from './doctor-findings.ts';
import { DoctorView } from './doctor-view.tsx';
import { EntryDetails } from './entry-details.tsx';

type Place = 'entry' | 'api' | 'doctor';

export function Lower({
  panel,
  store,
  findings,
}: {
  panel: Panel;
  store: OAuth2Store;
  findings: readonly Finding[];
}): JSX.Element {
  const [chosen, setChosen] = useState<Place | null>(null);
  const selected = store.selected.value;
  const faults = countFaults(findings);
  // Until a person chooses, what is wrong comes first.
  const place = chosen ?? (faults > 0 ? 'doctor' : 'entry');
  useEffect(() => {
    if (selected !== null) setChosen('entry');
  }, [selected]);
  return (
    <div class="details">
      <Tabs
        label="Details"
        selected={place}
        onSelect={setChosen}
        tabs={[
          { id: 'entry', label: 'Entry' },
          { id: 'api', label: 'Call the API' },
          { id: 'doctor', label: 'Doctor', badge: faults },
        ]}
      >
        {place === 'entry' ? <EntryDetails store={store} /> : null}
        {place === 'api' ? <ApiPlace panel={panel} store={store} /> : null}
        {place === 'doctor' ? (
          <DoctorView
            doctor={doctorOf(store)}
            findings={findings}
            service={store.service.value}
            onShow={(entry) => showEntry(store, entry)}
            copy={(text) => void panel.copy(text)}
          />
        ) : null}
      </Tabs>
    </div>
  );
}
