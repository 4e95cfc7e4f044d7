/** The *Charts* view of an app's page, for the filtered sessions. */
import type { JSX } from 'preact';
import type { ChartTimes } from '../../../../lib/extension/panel/apps/types.ts';
import type { Sessions } from '../../../../lib/extension/panel/apps/sessions.ts';
import { formatCount, plural, truncate } from '../../../../lib/shared/format.ts';
import { EmptyState } from '../../../ui/index.ts';
import { EmptyList } from '../../shared/empty-list.tsx';
import { SessionFilters } from '../sessions/session-filters.tsx';
import { Bars } from './bars.tsx';
import { styleOf } from './series-style.ts';
import { TimeChart } from './time-chart.tsx';
import { adoptionText, lastAccessText, periodText, versionsText } from './summaries.ts';

export function ChartsView({ sessions }: { sessions: Sessions }): JSX.Element {
  const charts = sessions.charts.value;
  const { versions, adoption, lastAccess, devices, browsers } = charts;
  const count = sessions.rows.value.length;
  return (
    <section class="charts" aria-label="Charts">
      <SessionFilters sessions={sessions} />
      {count === 0 ? (
        <NoCharts sessions={sessions} />
      ) : (
        <div class="chart-grid" data-charts={count}>
          <TimeChart
            {...periods(versions)}
            id="versions"
            title="Versions over time"
            summary={versionsText(charts)}
            kind="lines"
            series={versions.series.map(({ label, values }, index) => ({
              label,
              short: shortVersion(label),
              values,
              style: styleOf(index),
            }))}
            valueText={formatCount}
          />
          <TimeChart
            {...periods(adoption)}
            id="adoption"
            title={adoption.version === null ? 'Adoption' : `Adoption of version ${adoption.version}`}
            summary={adoptionText(charts)}
            kind="lines"
            series={[{ label: 'Sessions on this version', values: adoption.percent, style: styleOf(0) }]}
            valueText={(value) => `${Math.round(value)}%`}
            most={100}
          />
          <TimeChart
            {...periods(lastAccess)}
            id="last-access"
            title={`Last access per ${lastAccess.unit}`}
            summary={lastAccessText(charts)}
            kind="bars"
            series={[{ label: 'Sessions', values: lastAccess.counts, style: styleOf(0) }]}
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

const periods = ({ times, unit }: ChartTimes) => ({
  times,
  unit,
  timeText: (seconds: number) => periodText(seconds, unit),
});

function NoCharts({ sessions }: { sessions: Sessions }): JSX.Element {
  if (sessions.all.value.length > 0)
    return (
      <EmptyState title="No sessions match these filters">
        <p>Change or clear the filters.</p>
      </EmptyState>
    );
  return (
    <EmptyList title="No sessions" unreadable={sessions.unreadable.value} what="session">
      <p>Charts appear here after users open the app.</p>
    </EmptyList>
  );
}

/** Shortens a label so that it fits beside a chart. */
const shortVersion = (label: string): string => truncate(label.replace(/^Version /, 'v').replace(/ versions$/, ''), 5);
