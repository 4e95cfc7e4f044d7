/** Owns a table of any length: only the rows in sight are in the document; a head that sorts, arrows that move, one row in the tab order. */
import type { ComponentChildren, JSX } from 'preact';
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
  columns: readonly GridColumn<Id, Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selected: string | null;
  onSelect: (row: Row) => void;
  /** Enter, or a double click. */
  onActivate?: (row: Row) => void;
  sort?: { by: Id; descending: boolean };
  onSort?: (column: Id) => void;
  /** Further attributes of a row, such as data attributes. */
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

export function Grid<Id extends string, Row>({ label, columns, rows, keyOf, selected, onSelect, onActivate, sort, onSort, attributes, onEnd, mark }: GridProps<Id, Row>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400, width: 0 });
  const takesFocus = useRef(false);
  const selectedIndex = useMemo(() => (selected === null ? -1 : rows.findIndex((row) => keyOf(row) === selected)), [rows, selected]);
  const active = Math.min(Math.max(0, selectedIndex), Math.max(0, rows.length - 1));
  const room = Math.max(ROW, view.height - HEAD);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void => setView((old) => (old.height === element.clientHeight && old.width === element.clientWidth ? old : { ...old, height: element.clientHeight, width: element.clientWidth }));
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
    if (event.altKey || event.ctrlKey || event.metaKey || (event.target as Element).closest('[role=columnheader]')) return;
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

  const fitting = fittingColumns(columns, view.width);
  const template = { gridTemplateColumns: fitting.map(({ width, grow }) => (grow ? `minmax(${width}px, ${grow}fr)` : `${width}px`)).join(' ') };
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (active < from && active < rows.length) shown.unshift(active);
  if (active >= to && active < rows.length) shown.push(active);
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
      <div role="row" aria-rowindex={1} class="grid-head" style={template}>
        {fitting.map((column) => {
          const isSorted = sort?.by === column.id;
          return (
            <div key={column.id} role="columnheader" class={column.align} aria-colindex={columns.indexOf(column) + 1} aria-sort={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}>
              {onSort && column.sortable !== false
                ? <button type="button" title={`Sort by ${column.label}`} onClick={() => onSort(column.id)}>{column.label}<span aria-hidden="true">{isSorted ? (sort.descending ? ' ▾' : ' ▴') : ''}</span></button>
                : column.label}
            </div>
          );
        })}
      </div>
      <div role="rowgroup" class="grid-space" style={{ height: `${rows.length * ROW}px` }}>
        {shown.map((index) => {
          const row = rows[index] as Row;
          return (
            <div
              key={keyOf(row)}
              {...attributes?.(row)}
              class="grid-row"
              role="row"
              data-index={index}
              aria-rowindex={index + 2}
              aria-selected={index === selectedIndex}
              tabIndex={index === active ? 0 : -1}
              style={{ ...template, top: `${index * ROW}px` }}
              onClick={() => go(index)}
              onDblClick={() => onActivate?.(row)}
            >
              {fitting.map((column) => <div key={column.id} role="gridcell" class={column.align} aria-colindex={columns.indexOf(column) + 1}>{column.cell(row)}</div>)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** As many as fit, in their order; before the place is measured, all. */
function fittingColumns<Id extends string, Row>(columns: readonly GridColumn<Id, Row>[], width: number): readonly GridColumn<Id, Row>[] {
  if (width === 0) return columns;
  let left = width - PADDING;
  const count = columns.findIndex((column) => (left -= column.width + PADDING) < 0);
  return count < 0 ? columns : columns.slice(0, Math.max(1, count));
}
