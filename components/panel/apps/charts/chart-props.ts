/** Props of a time chart, and the names of its units. */
import type { SeriesStyle } from './series-style.ts';

export interface ChartSeries {
  label: string;
  /** Label at the line's end; absent for a single series. */
  short?: string;
  /** One value per entry in `times`. */
  values: readonly number[];
  style: SeriesStyle;
}

export const UNITS = { day: 'Day', hour: 'Hour', time: 'Time' } as const;

export interface TimeChartProps {
  /** The chart's name in data attributes. */
  id: string;
  title: string;
  /** One sentence about what the chart shows. */
  summary: string;
  /** Epoch seconds, in ascending order. */
  times: readonly number[];
  timeText: (seconds: number) => string;
  /** What each time is: the start of a day or hour, or a moment. */
  unit: 'day' | 'hour' | 'time';
  series: readonly ChartSeries[];
  kind: 'lines' | 'bars';
  valueText: (value: number) => string;
  /** Maximum of the value axis, such as 100 for percentages; by default, the largest value. */
  most?: number;
  /** In pixels. */
  height?: number;
}
