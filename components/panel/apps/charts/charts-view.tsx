/** Owns the place *Charts* of an app's page, of the sessions that the filters leave. */
import type { JSX } from 'preact';
import type { Sessions } from '../../../../lib/extension/panel/apps/types.ts';
import { plural, truncate } from '../../../../lib/shared/format.ts';
import { EmptyState } from '../../../ui/index.ts';
import { SessionFilters } from '../sessions/session-filters.tsx';
import { Bars } from './bars.tsx';
import { styleOf } from './series-style.ts';
import { TimeChart } from './time-chart.tsx';
import { adoptionSays, dayText, lastAccessSays, versionsSay } from './summaries.ts';

export function ChartsView({ sessions }: { sessions: Sessions }): JSX.Element {
  const charts = sessions.charts.value;
  const { versions, adoption, lastAccess, devices, browsers } = charts;
  const count = sessions.rows.value.length;
  const byDay = { timeText: dayText, unit: 'day' as const };
  const counted = (value: number): string => value.toLocaleString('en');
  return (
    <section class="charts" aria-label="Charts">
      <SessionFilters sessions={sessions} />
      {count === 0 ? (
        <EmptyState title="Nothing to draw">
          <p>
            {sessions.all.value.length > 0
              ? 'No session matches the filters.'
              : 'Once somebody has opened the app, charts stand here.'}
          </p>
        </EmptyState>
      ) : (
        <div class="chart-grid" data-charts={count}>
          <TimeChart
            {...byDay}
            id="versions"
            title="Versions over time"
            says={versionsSay(charts)}
            kind="lines"
            times={versions.days}
            series={versions.series.map(({ label, values }, index) => ({
              label,
              short: shortVersion(label),
              values,
              look: styleOf(index),
            }))}
            valueText={counted}
          />
          <TimeChart
            {...byDay}
            id="adoption"
            title={adoption.version === null ? 'Adoption' : `Adoption of version ${adoption.version}`}
            says={adoptionSays(charts)}
            kind="lines"
            times={adoption.days}
            series={[{ label: 'Sessions with it', values: adoption.percent, look: styleOf(0) }]}
            valueText={(value) => `${Math.round(value)} %`}
            most={100}
          />
          <TimeChart
            {...byDay}
            id="last-access"
            title="Last access per day"
            says={lastAccessSays(charts)}
            kind="bars"
            times={lastAccess.days}
            series={[{ label: 'Sessions', values: lastAccess.counts, look: styleOf(0) }]}
            valueText={(value) => plural(value, 'session')}
          />
          <div class="chart-pair">
            <Bars id="devices" title="Devices" shares={devices} />
            <Bars id="browsers" title="Browsers" shares={browsers} />
          </div>
        </div>
      )}
    </section>
  );
}

/** As much as stands beside a chart. */
const shortVersion = (label: string): string => truncate(label.replace(/^Version /, 'v').replace(/ versions$/, ''), 5);
