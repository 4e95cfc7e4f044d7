/** Owns what a chart over time is given. */
import type { SeriesStyle } from './series-style.ts';

export interface ChartSeries {
  label: string;
  /** At the end of its line, where there is little room; absent for what stands alone. */
  short?: string;
  /** As many as there are times. */
  values: readonly number[];
  look: SeriesStyle;
}

export interface TimeChartProps {
  /** Its name in data attributes. */
  id: string;
  title: string;
  /** What a person would see in it. */
  says: string;
  /** Epoch seconds, ascending. */
  times: readonly number[];
  timeText: (seconds: number) => string;
  /** Days are told as days, other times by the clock. */
  unit: 'day' | 'time';
  series: readonly ChartSeries[];
  kind: 'lines' | 'bars';
  valueText: (value: number) => string;
  /** Where the values end, such as 100 of per cent; else with the highest. */
  most?: number;
  /** Of the picture, in pixels. */
  height?: number;
}
