/** Draws a time chart with a cursor for mouse and keyboard. */
import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type TimeChartProps, UNITS } from './chart-props.ts';
import { plotOptions } from './plot-options.ts';
import type { SeriesStyle } from './series-style.ts';
import { Swatch } from './swatch.tsx';

const HEIGHT = 170;
/** Arrow keys move by one point, Page Up and Page Down by this many. */
const WEEK = 7;

export function Plot(props: TimeChartProps): JSX.Element {
  const { title, times, series, timeText, valueText, unit, height = HEIGHT } = props;
  const { host, plot, cursor, width } = usePlot(props, height);
  const moveCursor = (index: number): void => {
    const { current } = plot;
    const time = times[Math.max(0, Math.min(times.length - 1, index))];
    if (current && time !== undefined) current.setCursor({ left: current.valToPos(time, 'x'), top: 0 });
  };
  const index = Math.min(cursor ?? times.length - 1, times.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = cursorTarget(event.key, index, times.length - 1);
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    moveCursor(to);
  };
  const left =
    plot.current === null ? 0 : plot.current.valToPos(times[index] ?? 0, 'x') + plot.current.bbox.left / uPlot.pxRatio;
  const shownValues = series
    .map(({ label, values, style }) => ({ label, style, value: values[index] ?? 0 }))
    .filter(({ value }) => value > 0 || series.length === 1);
  const valueTexts = shownValues.map(({ label, value }) =>
    series.length === 1 ? valueText(value) : `${label} ${valueText(value)}`,
  );
  const side = left > width / 2 ? { right: `${width - left + 8}px` } : { left: `${left + 8}px` };
  const text = `${timeText(times[index] ?? 0)}: ${valueTexts.join(', ') || 'none'}`;
  return (
    <div
      class="plot"
      // Screen readers announce a slider's value when it changes.
      role="slider"
      tabIndex={0}
      aria-label={`${UNITS[unit]} in ${title}`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, times.length - 1)}
      aria-valuenow={index}
      aria-valuetext={text}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) moveCursor(index);
      }}
      onBlur={() => plot.current?.setCursor({ left: -10, top: -10 })}
    >
      <div ref={host} class="canvas" style={{ height: `${height}px` }} aria-hidden="true" />
      {cursor === null ? null : (
        <Tip time={timeText(times[index] ?? 0)} values={shownValues} side={side} props={props} />
      )}
    </div>
  );
}

/**
 * Creates the chart in `host`, and recreates it when its options or series change. Adapts to the element's size and the
 * theme.
 */
function usePlot(
  props: TimeChartProps,
  height: number,
): { host: RefObject<HTMLDivElement | null>; plot: RefObject<uPlot | null>; cursor: number | null; width: number } {
  const { times, series, kind, unit, most } = props;
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [cursor, setCursor] = useState<number | null>(null);
  const [width, setWidth] = useState(0);
  const data = (): uPlot.AlignedData => [times as number[], ...series.map(({ values }) => values as number[])];
  const shape = JSON.stringify([kind, unit, most, series.map(({ label, style }) => [label, style])]);

  useLayoutEffect(() => {
    const element = host.current;
    if (!element) return;
    const made = new uPlot(
      plotOptions(props, { width: element.clientWidth || 300, height }, setCursor),
      data(),
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => {
      made.setSize({ width: element.clientWidth, height });
      setWidth(element.clientWidth);
    });
    observer.observe(element);
    // The theme's colors are read while drawing.
    const redraw = (): void => made.redraw();
    const theme = new MutationObserver(redraw);
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', redraw);
    return () => {
      observer.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', redraw);
      made.destroy();
      plot.current = null;
    };
  }, [shape, height]);
  useEffect(() => {
    if (plot.current && plot.current.data[0] !== times) plot.current.setData(data());
  }, [times, series]);
  return { host, plot, cursor, width };
}

/** The index to which a key moves the cursor; undefined for keys that don't move it. */
function cursorTarget(key: string, index: number, last: number): number | undefined {
  const targets: Record<string, number> = {
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    PageUp: index + WEEK,
    PageDown: index - WEEK,
    Home: 0,
    End: last,
  };
  return targets[key];
}

interface TipProps {
  time: string;
  values: readonly { label: string; style: SeriesStyle; value: number }[];
  side: { left: string } | { right: string };
  props: TimeChartProps;
}

function Tip({ time, values, side, props: { series, valueText } }: TipProps): JSX.Element {
  return (
    <div class="tip" aria-hidden="true" style={side}>
      <strong>{time}</strong>
      {values.map(({ label, style, value }) => (
        <div key={label}>
          {series.length > 1 ? (
            <>
              <Swatch style={style} /> <span class="untrusted">{label}</span>{' '}
            </>
          ) : null}
          {valueText(value)}
        </div>
      ))}
      {values.length === 0 ? <div>none</div> : null}
    </div>
  );
}
