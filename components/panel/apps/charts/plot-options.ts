/** Chart options: axes, lines or bars, and labels at the line ends. */
import uPlot from 'uplot';
import { formatClock, formatDate } from '../../../../lib/shared/format.ts';
import type { ChartSeries, TimeChartProps } from './chart-props.ts';

const FONT = '11px system-ui, sans-serif';
const DAY = 86_400;
const COMPACT = new Intl.NumberFormat('en', { notation: 'compact' });
/** Half of this is added on both sides of bars, and of a single point, in seconds. */
const WIDTHS = { day: DAY, hour: 3_600, time: 30 } as const;
const WHOLE_NUMBERS = Array.from({ length: 10 }, (_, zeros) => [1, 2, 5].map((digit) => digit * 10 ** zeros)).flat();
/** Minimum distance between labels, in pixels. */
const LINE = 12;
const LABELS = 46;
const MARGIN = 8;

/** @param onCursor receives the index of the time under the cursor, or null when the cursor leaves */
export function plotOptions(
  props: TimeChartProps,
  size: { width: number; height: number },
  onCursor: (index: number | null) => void,
): uPlot.Options {
  const { series, kind, unit } = props;
  const colors = new Colors();
  const hasLabels = kind === 'lines' && series.length > 1;
  return {
    ...size,
    padding: [MARGIN, hasLabels ? LABELS : MARGIN * 2, 0, 0],
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    cursor: {
      y: false,
      drag: { x: false, y: false },
      points: {
        show: kind === 'lines',
        size: 7,
        width: 1,
        fill: (_, index) => `var(${series[index - 1]?.style.color})`,
        stroke: 'var(--bg)',
      },
    },
    scales: {
      x: {
        range: (_, min, max) => around(min, max, kind === 'bars' || min === max ? WIDTHS[unit] / 2 : 0),
      },
      y: { range: (_, __, max) => [0, props.most ?? Math.max(1, max * 1.05)] },
    },
    axes: axes(props, colors),
    series: [
      {},
      ...series.map(({ label, style }, index): uPlot.Series => ({
        label,
        stroke: colors.of(style.color),
        width: index === 0 ? 2.5 : 1.75,
        // A single point wouldn't be visible as a line.
        points: { show: (u) => kind === 'lines' && u.data[0].length === 1, fill: colors.of(style.color) },
        ...(kind === 'bars'
          ? { paths: uPlot.paths.bars?.({ size: [0.8, 40] }), width: 0, fill: colors.of(style.color) }
          : { dash: [...style.dash] }),
      })),
    ],
    hooks: {
      drawClear: [(u) => colors.read(u.root)],
      draw: hasLabels ? [(u) => labelEnds(u, series, colors)] : [],
      setCursor: [(u) => onCursor(u.cursor.idx ?? null)],
    },
  };
}

function axes({ unit, most }: TimeChartProps, colors: Colors): uPlot.Axis[] {
  const line = { stroke: colors.of('--border'), width: 1 };
  const text = { stroke: colors.of('--muted'), font: FONT };
  return [
    {
      ...text,
      size: 24,
      gap: 3,
      space: unit === 'day' ? 64 : 70,
      grid: { show: false },
      ticks: { ...line, size: 4 },
      ...(unit === 'day' && { incrs: [1, 2, 5, 10, 15, 30, 60, 90].map((days) => days * DAY) }),
      values: (_, times) => timeLabels(times, unit),
    },
    {
      ...text,
      size: 44,
      gap: 4,
      space: 30,
      grid: line,
      ticks: { show: false },
      incrs: most === 100 ? [10, 20, 25, 50] : WHOLE_NUMBERS,
      values: (_, values) => values.map((value) => (most === 100 ? `${value}%` : COMPACT.format(value))),
    },
  ];
}

/** The current theme's colors. */
class Colors {
  private style: CSSStyleDeclaration | null = null;
  read(element: Element): void {
    this.style = getComputedStyle(element);
  }
  get(name: string): string {
    return this.style?.getPropertyValue(name).trim() || 'gray';
  }
  of(name: string): () => string {
    return () => this.get(name);
  }
}

const around = (min: number, max: number, by: number): uPlot.Range.MinMax => [min - by, max + by];

/** Days: `23 Nov`, and the first one of each later year with the year. Others: `14:03`, and `23 Nov` for a new day. */
export function timeLabels(times: readonly number[], unit: TimeChartProps['unit']): string[] {
  const seconds = unit === 'time' && (times[1] ?? 0) - (times[0] ?? 0) < 60;
  // The weekday makes labels too wide for an axis.
  const dayOf = (time: number, now: number): string => formatDate(time * 1000, { now }).replace(/^\w+ /, '');
  return times.map((time, index) => {
    const before = (times[index - 1] ?? times[0] ?? 0) * 1000;
    const day = dayOf(time, before);
    if (unit === 'day') return day;
    return index > 0 && day !== dayOf(before / 1000, before) ? day : formatClock(time * 1000, { seconds });
  });
}

/** Labels each line at its end. Overlapping labels move down; those that don't fit appear only in the legend. */
function labelEnds(u: uPlot, series: readonly ChartSeries[], colors: Colors): void {
  const { ctx, bbox } = u;
  const ratio = uPlot.pxRatio;
  const ends = series
    .map(({ label, short, style }, index) => ({
      label: short ?? label,
      value: (u.data[index + 1] as number[]).at(-1) ?? 0,
      color: colors.get(style.color),
    }))
    .filter(({ value }) => value > 0)
    .map((end) => ({ ...end, y: u.valToPos(end.value, 'y', true) }))
    .sort((a, b) => a.y - b.y);
  ctx.save();
  ctx.font = FONT.replace('11px', `${11 * ratio}px`);
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  let last = -Infinity;
  const x = bbox.left + bbox.width + 4 * ratio;
  for (const { label, color, y } of ends) {
    const at = Math.max(y, last + LINE * ratio);
    if (at > bbox.top + bbox.height + 2 * ratio) break;
    ctx.fillStyle = color;
    ctx.fillRect(x, at - 2 * ratio, 5 * ratio, 4 * ratio);
    ctx.fillStyle = colors.get('--text');
    ctx.fillText(label, x + 8 * ratio, at);
    last = at;
  }
  ctx.restore();
}
