/** A chart's data as a table, newest first. */
import type { JSX } from 'preact';
import { type TimeChartProps, UNITS } from './chart-props.ts';

export function DataTable({ title, times, timeText, unit, series, valueText }: TimeChartProps): JSX.Element {
  const newestFirst = times.map((time, index) => ({ time, index })).reverse();
  return (
    <div class="chart-table" role="region" aria-label={`Data for ${title}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{UNITS[unit]}</th>
            {series.map(({ label }) => (
              <th key={label} scope="col" class="untrusted">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst.map(({ time, index }) => (
            <tr key={time}>
              <th scope="row">{timeText(time)}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{valueText(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
