/** A time chart: a summary, the chart with its legend, and its data as a table. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Button } from '../../../ui/index.ts';
import type { TimeChartProps } from './chart-props.ts';
import { DataTable } from './data-table.tsx';
import { Plot } from './plot.tsx';
import { Swatch } from './swatch.tsx';
import './charts.css';

export function TimeChart(props: TimeChartProps): JSX.Element {
  const id = useId();
  const [isTable, setTable] = useState(false);
  const { title, summary, series, times } = props;
  return (
    <figure class="chart" data-chart={props.id} aria-labelledby={id}>
      <figcaption>
        <h3 id={id}>{title}</h3>
        <p class="untrusted" data-text-alternative="">
          {summary}
        </p>
      </figcaption>
      {times.length === 0 ? null : (
        <>
          <Button kind="quiet" pressed={isTable} label={`Show as table: ${title}`} onClick={() => setTable(!isTable)}>
            Show as table
          </Button>
          {isTable ? <DataTable {...props} /> : <Plot {...props} />}
          {series.length > 1 && !isTable ? <Legend {...props} /> : null}
        </>
      )}
    </figure>
  );
}

function Legend({ title, series, valueText }: TimeChartProps): JSX.Element {
  return (
    <ul class="chart-legend" aria-label={`Legend for ${title}`}>
      {series.map(({ label, values, style }) => (
        <li key={label}>
          <Swatch style={style} /> <span class="untrusted">{label}</span>{' '}
          <span class="muted">{valueText(values.at(-1) ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}
