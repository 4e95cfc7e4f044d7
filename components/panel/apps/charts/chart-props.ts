/** The props of a chart over time. */
import type { SeriesStyle } from './series-style.ts';

export interface ChartSeries {
  label: string;
  /** Label at the end of its line; absent for a single series. */
  short?: string;
  /** As many as there are times. */
  values: readonly number[];
  style: SeriesStyle;
}

export interface TimeChartProps {
  /** Its name in data attributes. */
  id: string;
  title: string;
  /** What the chart shows, in a sentence. */
  summary: string;
  /** Epoch seconds, ascending. */
  times: readonly number[];
  timeText: (seconds: number) => string;
  unit: 'day' | 'time';
  series: readonly ChartSeries[];
  kind: 'lines' | 'bars';
  valueText: (value: number) => string;
  /** The end of the value axis, such as 100 for percentages; the largest value by default. */
  most?: number;
  /** In pixels. */
  height?: number;
}
