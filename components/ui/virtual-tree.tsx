/** Owns a tree of any length: only the rows in sight are in the document; arrows move, fold and unfold; one row is in the tab order. */
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { scrollFor, visibleRows } from './virtual-window.ts';
import './virtual-tree.css';

export interface TreeRow {
  key: string;
  /** 0 at the top. */
  level: number;
  /** Null when there is nothing to unfold. */
  expanded: boolean | null;
}

export interface VirtualTreeProps<Row> {
  label: string;
  /** `treegrid` when a row has cells: they are elements with the role `gridcell`. */
  role?: 'tree' | 'treegrid';
  rows: readonly Row[];
  /** What the tree needs to know of a row. */
  shape: (row: Row) => TreeRow;
  render: (row: Row) => ComponentChildren;
  /** Further attributes of a row, such as data attributes. */
  attributes?: (row: Row) => Record<string, string | undefined>;
  selected: string | null;
  onSelect: (row: Row) => void;
  onToggle: (row: Row, expanded: boolean) => void;
  /** Enter, or a double click. */
  onActivate?: (row: Row) => void;
  rowHeight?: number;
  /** Stays at the end as rows are added, as long as it is scrolled there. */
  follow?: boolean;
  /** Grows with its rows up to so many pixels, instead of filling its place. */
  maxHeight?: number;
}

export function VirtualTree<Row>({
  label,
  role = 'tree',
  rows,
  shape,
  render,
  attributes,
  selected,
  onSelect,
  onToggle,
  onActivate,
  rowHeight = 20,
  follow,
  maxHeight,
}: VirtualTreeProps<Row>): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const takesFocus = useRef(false);
  const isAtEnd = useRef(true);
  // Of 100,000 rows the selected one is not looked for at every step of a scroll. A list may grow in place.
  const selectedIndex = useMemo(
    () => (selected === null ? -1 : rows.findIndex((row) => shape(row).key === selected)),
    [rows, rows.length, selected],
  );
  const active = Math.max(0, selectedIndex);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = (): void =>
      setView((old) => (old.height === element.clientHeight ? old : { ...old, height: element.clientHeight }));
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element || selectedIndex < 0) return;
    element.scrollTop = scrollFor(selectedIndex, element.scrollTop, element.clientHeight || view.height, rowHeight);
    if (!takesFocus.current) return;
    takesFocus.current = false;
    element.querySelector<HTMLElement>(`[data-index="${selectedIndex}"]`)?.focus({ preventScroll: true });
  }, [selectedIndex]);

  useLayoutEffect(() => {
    const element = box.current;
    if (element && follow && isAtEnd.current && selectedIndex < 0) element.scrollTop = element.scrollHeight;
  }, [rows.length, follow]);

  const go = (index: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    takesFocus.current = true;
    onSelect(row);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[active];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const { level, expanded } = shape(row);
    const page = Math.max(1, Math.floor(view.height / rowHeight) - 1);
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(selectedIndex < 0 ? 0 : active + 1),
      ArrowUp: () => go(active - 1),
      PageDown: () => go(active + page),
      PageUp: () => go(active - page),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (expanded === false ? onToggle(row, true) : expanded ? go(active + 1) : undefined),
      ArrowLeft: () => (expanded ? onToggle(row, false) : go(parentOf(rows, shape, active, level))),
      ' ': () => go(active),
      Enter: () => (onActivate ? onActivate(row) : go(active)),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  const { from, to } = visibleRows(view.top, view.height, rowHeight, rows.length);
  const shown = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (active < from && active < rows.length) shown.unshift(active);
  if (active >= to && active < rows.length) shown.push(active);
  return (
    <div
      ref={box}
      class={maxHeight ? 'vtree' : 'vtree fills'}
      role={role}
      aria-label={label}
      aria-rowcount={role === 'treegrid' ? rows.length : undefined}
      style={maxHeight ? { height: `${Math.min(maxHeight, rows.length * rowHeight)}px` } : undefined}
      onKeyDown={onKeyDown}
      onScroll={(event) => {
        const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - rowHeight;
        setView((old) => ({ ...old, top: scrollTop, height: clientHeight || old.height }));
      }}
    >
      <div role="presentation" class="vtree-space" style={{ height: `${rows.length * rowHeight}px` }}>
        {shown.map((index) => {
          const row = rows[index] as Row;
          const { key, level, expanded } = shape(row);
          return (
            <div
              key={key}
              {...attributes?.(row)}
              class="vtree-row"
              role={role === 'tree' ? 'treeitem' : 'row'}
              data-index={index}
              aria-level={level + 1}
              aria-expanded={expanded ?? undefined}
              aria-selected={index === selectedIndex}
              aria-rowindex={role === 'treegrid' ? index + 1 : undefined}
              tabIndex={index === active ? 0 : -1}
              style={{
                top: `${index * rowHeight}px`,
                height: `${rowHeight}px`,
                '--level': String(Math.min(level, 24)),
              }}
              onClick={() => go(index)}
              onDblClick={() => onActivate?.(row)}
            >
              {role === 'treegrid' ? null : <Twist expanded={expanded} onToggle={() => onToggle(row, !expanded)} />}
              {render(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The triangle before a row; the keyboard has the arrows for it. */
export function Twist({ expanded, onToggle }: { expanded: boolean | null; onToggle: () => void }): JSX.Element {
  return (
    <span
      class="twist"
      aria-hidden="true"
      onClick={(event) => {
        if (expanded === null) return;
        event.stopPropagation();
        onToggle();
      }}
    >
      {expanded === null ? '' : expanded ? '▾' : '▸'}
    </span>
  );
}

function parentOf<Row>(rows: readonly Row[], shape: (row: Row) => TreeRow, index: number, level: number): number {
  for (let at = index - 1; at >= 0; at--) if (shape(rows[at] as Row).level < level) return at;
  return index;
}
