/** Owns a table of any length: only the rows in sight are in the document; a head that sorts, arrows that move, one row in the tab order. */
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { scrollFor, visibleRows } from './virtual-window.ts';
import './grid.css';

export interface GridColumn<Id extends string, Row> {
  id: Id;
  label: string;
  /** Least width in pixels, and the share of what is left; the columns that do not fit are left out, the last first. */
  width: number;
  grow?: number;
  align?: 'end';
  sortable?: boolean;
  cell: (row: Row) => ComponentChildren;
}

export interface GridProps<Id extends string, Row> {
  label: string;
  /** The same array for as long as they show the same: a row in sight is drawn anew for another one. */
  columns: readonly GridColumn<Id, Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selected: string | null;
  onSelect: (row: Row) => void;
  /** Enter, or a double click. */
  onActivate?: (row: Row) => void;
  sort?: { by: Id; descending: boolean };
  onSort?: (column: Id) => void;
  /** Further attributes of a row, such as data attributes; by the row alone. */
  attributes?: (row: Row) => Record<string, string | undefined>;
  /** The last row has come into sight. */
  onEnd?: () => void;
  /** Attributes of the element itself. */
  mark?: Record<string, string>;
}

const ROW = 20;
const HEAD = 22;
/** Of each column: the gap, or the padding at the ends. */
const PADDING = 8;

export function Grid<Id extends string, Row>({
  label,
  columns,
  rows,
  keyOf,
  selected,
  onSelect,
  onActivate,
  sort,
  onSort,
  attributes,
  onEnd,
  mark,
}: GridProps<Id, Row>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400, width: 0 });
  const takesFocus = useRef(false);
  const selectedIndex = useMemo(
    () => (selected === null ? -1 : rows.findIndex((row) => keyOf(row) === selected)),
    [rows, selected],
  );
  const active = Math.min(Math.max(0, selectedIndex), Math.max(0, rows.length - 1));
  const room = Math.max(ROW, view.height - HEAD);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void =>
      setView((old) =>
        old.height === element.clientHeight && old.width === element.clientWidth
          ? old
          : { ...old, height: element.clientHeight, width: element.clientWidth },
      );
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selectedIndex < 0) return;
    element.scrollTop = scrollFor(selectedIndex, element.scrollTop, (element.clientHeight || view.height) - HEAD, ROW);
    if (!takesFocus.current) return;
    takesFocus.current = false;
    element.querySelector<HTMLElement>(`[data-index="${selectedIndex}"]`)?.focus({ preventScroll: true });
  }, [selectedIndex]);

  const { from, to } = visibleRows(view.top, room, ROW, rows.length);
  const isAtEnd = rows.length > 0 && to >= rows.length;
  useLayoutEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, rows.length]);

  const go = (index: number): void => {
    const to = Math.max(0, Math.min(rows.length - 1, index));
    const row = rows[to];
    if (!row) return;
    takesFocus.current = to !== selectedIndex;
    onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).closest('[role=columnheader]'))
      return;
    const page = Math.max(1, Math.floor(room / ROW) - 1);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(selectedIndex < 0 ? 0 : active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ' ': () => go(active),
      Enter: () => {
        const row = rows[active];
        if (row && onActivate) onActivate(row);
        else go(active);
      },
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const layout = useMemo(() => layOut(columns, view.width), [columns, view.width]);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (active < from && active < rows.length) shown.unshift(active);
  if (active >= to && active < rows.length) shown.push(active);
  const slots = useSlots(shown.map((index) => keyOf(rows[index] as Row)));
  const does = useRef<Does<Row>>({}).current;
  Object.assign(does, { attributes, onClick: go, onDblClick: onActivate });
  return (
    <div
      ref={box}
      {...mark}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop } = event.currentTarget;
        setView((old) => ({ ...old, top: scrollTop }));
      }}
    >
      <div role="row" aria-rowindex={1} class="grid-head" style={layout.style}>
        {layout.columns.map((column) => {
          const isSorted = sort?.by === column.id;
          return (
            <div
              key={column.id}
              role="columnheader"
              class={column.align}
              aria-colindex={layout.columns.indexOf(column) + 1}
              aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
            >
              {onSort && column.sortable !== false ? (
                <button type="button" title={`Sort by ${column.label}`} onClick={() => onSort(column.id)}>
                  {column.label}
                  <span aria-hidden="true">{isSorted ? (sort.descending ? ' ▾' : ' ▴') : ''}</span>
                </button>
              ) : (
                column.label
              )}
            </div>
          );
        })}
      </div>
      <div role="rowgroup" class="grid-space" style={{ height: `${rows.length * ROW}px` }}>
        {shown.map((index, place) => (
          <Line
            key={slots[place]}
            row={rows[index] as Row}
            index={index}
            isActive={index === active}
            isSelected={index === selectedIndex}
            layout={layout}
            does={does}
          />
        ))}
      </div>
    </div>
  );
}

/** What a row answers to; the same object through every drawing. */
interface Does<Row> {
  attributes?: GridProps<never, Row>['attributes'];
  onClick?: (index: number) => void;
  onDblClick?: ((row: Row) => void) | undefined;
}

interface LineProps<Row> {
  row: Row;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  layout: Layout<Row>;
  does: Does<Row>;
}

/** Drawn again only when something of it is another: most rows stay as they are while the table is scrolled. */
class Line<Row> extends Component<LineProps<Row>> {
  override shouldComponentUpdate(next: LineProps<Row>): boolean {
    const { row, index, isActive, isSelected, layout } = this.props;
    return (
      row !== next.row ||
      index !== next.index ||
      isActive !== next.isActive ||
      isSelected !== next.isSelected ||
      layout !== next.layout
    );
  }

  override render({ row, index, isActive, isSelected, layout, does }: LineProps<Row>): JSX.Element {
    return (
      <div
        {...does.attributes?.(row)}
        class="grid-row"
        role="row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        tabIndex={isActive ? 0 : -1}
        style={{ ...layout.style, top: `${index * ROW}px` }}
        onClick={() => does.onClick?.(index)}
        onDblClick={() => does.onDblClick?.(row)}
      >
        {layout.columns.map((column, place) => (
          <div key={column.id} role="gridcell" class={column.align} aria-colindex={place + 1}>
            {column.cell(row)}
          </div>
        ))}
      </div>
    );
  }
}

/**
 * For each of `keys` the number of its element: one that stays keeps it, one that comes takes over that of one that went, where that one
 * stood between the same two that stay. So none ever moves in the document, which would cost the focus and take long.
 */
function useSlots(keys: readonly string[]): number[] {
  const state = useRef({ shown: [] as { key: string; slot: number }[], made: 0 }).current;
  const before = state.shown;
  const places = new Map(before.map(({ key }, place) => [key, place]));
  const coming = new Set(keys);
  let next = 0;
  state.shown = keys.map((key) => {
    const place = places.get(key);
    if (place !== undefined) next = Math.max(next, place + 1);
    const gone = before[next];
    const from = place === undefined && gone && !coming.has(gone.key) ? next++ : place;
    return { key, slot: from === undefined ? state.made++ : before[from]!.slot };
  });
  return state.shown.map(({ slot }) => slot);
}

interface Layout<Row, Id extends string = string> {
  columns: readonly GridColumn<Id, Row>[];
  style: { gridTemplateColumns: string };
}

/** As many columns as fit, in their order; before the place is measured, all. */
function layOut<Id extends string, Row>(all: readonly GridColumn<Id, Row>[], width: number): Layout<Row, Id> {
  let left = width - PADDING;
  const count = width === 0 ? -1 : all.findIndex((column) => (left -= column.width + PADDING) < 0);
  const columns = count < 0 ? all : all.slice(0, Math.max(1, count));
  return {
    columns,
    style: {
      gridTemplateColumns: columns
        .map(({ width, grow }) => (grow ? `minmax(${width}px, ${grow}fr)` : `${width}px`))
        .join(' '),
    },
  };
}
