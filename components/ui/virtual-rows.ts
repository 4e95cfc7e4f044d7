/**
 * Virtual rows for grids and trees: renders only visible rows, handles the keyboard, and keeps one row in the tab
 * order.
 */
import { type RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

/** Rows rendered above and below the visible ones, so that quick scrolling doesn't show gaps. */
const OVERSCAN = 4;
/** In pixels, used until the element has been measured. */
const INITIAL_HEIGHT = 400;

export interface VirtualRowsOptions<Row> {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selected: string | null;
  onSelect: (row: Row) => void;
  /** Called on Enter. Without it, Enter selects the row. */
  onActivate?: (row: Row) => void;
  /** In pixels, the same for every row. */
  rowHeight: number;
  /** Height in pixels of a sticky header above the rows. */
  headerHeight?: number;
  /** In pixels. In a narrower element, the header isn’t shown. */
  headerMinWidth?: number;
  /** Keeps the end in view as rows are added, if the end was in view and no row is selected. */
  follow?: boolean;
}

/**
 * A rendered row. Its slot is its element's key: rows that scroll into view reuse the elements of rows that scrolled
 * out.
 */
export interface VirtualRow<Row> {
  row: Row;
  index: number;
  slot: number;
}

export interface VirtualRows<Row> {
  /** The scrolling element. */
  ref: RefObject<HTMLDivElement | null>;
  /** The element's width in pixels; 0 until it has been measured. */
  width: number;
  /** In pixels; 0 if the header isn’t shown. */
  headerHeight: number;
  rendered: VirtualRow<Row>[];
  /** Index of the selected row; -1 if there is none. */
  selectedIndex: number;
  /** Index of the row that is in the tab order. */
  activeIndex: number;
  /** Whether the last row is rendered. */
  isEndVisible: boolean;
  /** Selects and focuses the row at `index`, clamped to the list. */
  select: (index: number) => void;
  onScroll: () => void;
  /** @param extraKeys handlers for additional keys */
  onKeyDown: (event: KeyboardEvent, extraKeys?: Record<string, () => void>) => void;
}

export function useVirtualRows<Row>(options: VirtualRowsOptions<Row>): VirtualRows<Row> {
  const { rows, keyOf, selected, rowHeight, headerMinWidth = 0 } = options;
  const ref = useRef<HTMLDivElement>(null);
  const { view, isAtEnd, onScroll } = useView(ref, options);
  const headerHeight = view.width < headerMinWidth ? 0 : (options.headerHeight ?? 0);
  // Memoized, because searching 100,000 rows on every scroll is slow. Depends on the length, too: lists can grow in
  // place.
  const selectedIndex = useMemo(
    () => (selected === null ? -1 : rows.findIndex((row) => keyOf(row) === selected)),
    [rows, rows.length, selected],
  );
  const activeIndex = Math.min(Math.max(0, selectedIndex), Math.max(0, rows.length - 1));
  const movesFocus = useScrollToSelected(ref, selectedIndex, rowHeight, headerHeight);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element && options.follow && isAtEnd.current && selectedIndex < 0) element.scrollTop = element.scrollHeight;
  }, [rows.length, options.follow]);

  const height = Math.max(rowHeight, view.height - headerHeight);
  const { from, to } = visibleRows(view.top, height, rowHeight, rows.length);
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  keepIndex(indexes, activeIndex, rows.length);
  const slots = useSlots(indexes.map((index) => keyOf(rows[index] as Row)));

  const select = (index: number): void => {
    const target = Math.max(0, Math.min(rows.length - 1, index));
    movesFocus.current = target !== selectedIndex;
    if (target in rows) options.onSelect(rows[target] as Row);
  };
  const onKeyDown = (event: KeyboardEvent, extraKeys: Record<string, () => void> = {}): void => {
    const row = rows[activeIndex];
    if (!row || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(height / rowHeight) - 1);
    const keys: Record<string, () => void> = {
      ArrowDown: () => select(selectedIndex + 1),
      ArrowUp: () => select(activeIndex - 1),
      PageDown: () => select(activeIndex + page),
      PageUp: () => select(activeIndex - page),
      Home: () => select(0),
      End: () => select(rows.length - 1),
      ' ': () => select(activeIndex),
      Enter: () => (options.onActivate ? options.onActivate(row) : select(activeIndex)),
      ...extraKeys,
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return {
    ref,
    width: view.width,
    headerHeight,
    rendered: indexes.map((index, place) => ({ row: rows[index] as Row, index, slot: slots[place] as number })),
    selectedIndex,
    activeIndex,
    isEndVisible: rows.length > 0 && to >= rows.length,
    select,
    onScroll,
    onKeyDown,
  };
}

/** Keeps the row in the tab order rendered, so that it doesn't lose focus when it scrolls out of view. */
function keepIndex(indexes: number[], index: number, count: number): void {
  const [first = Infinity, last = -1] = [indexes[0], indexes.at(-1)];
  if (index >= count) return;
  if (index < first) indexes.unshift(index);
  else if (index > last) indexes.push(index);
}

/** Tracks the element's size and scroll position. */
function useView(ref: RefObject<HTMLDivElement | null>, { rowHeight }: Pick<VirtualRowsOptions<never>, 'rowHeight'>) {
  const [view, setView] = useState({ top: 0, height: INITIAL_HEIGHT, width: 0 });
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = ref.current;
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
  const onScroll = (): void => {
    const element = ref.current;
    if (!element) return;
    const { scrollTop, clientHeight, scrollHeight } = element;
    isAtEnd.current = scrollTop + clientHeight >= scrollHeight - rowHeight;
    // Re-renders only when different rows become visible.
    const top = Math.floor(scrollTop / rowHeight) * rowHeight;
    setView((old) => (old.top === top ? old : { ...old, top }));
  };
  return { view, isAtEnd, onScroll };
}

/** Scrolls to a row when it's selected. Set the returned ref to true to focus it, too. */
function useScrollToSelected(
  ref: RefObject<HTMLDivElement | null>,
  selectedIndex: number,
  rowHeight: number,
  headerHeight: number,
) {
  const movesFocus = useRef(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || selectedIndex < 0) return;
    const height = (element.clientHeight || INITIAL_HEIGHT) - headerHeight;
    element.scrollTop = scrollFor(selectedIndex, element.scrollTop, height, rowHeight);
    if (!movesFocus.current) return;
    movesFocus.current = false;
    element.querySelector<HTMLElement>(`[data-index="${selectedIndex}"]`)?.focus({ preventScroll: true });
    // The header appears once the element has been measured.
  }, [selectedIndex, headerHeight]);
  return movesFocus;
}

/**
 * Maps each key to its element's slot. Keys that stay keep their slots. A new key reuses the slot of a removed key if
 * both have the same neighbors. That way, no element moves in the document, which would be slow and lose focus.
 */
function useSlots(keys: readonly string[]): number[] {
  const state = useRef({ shown: [] as { key: string; slot: number }[], count: 0 }).current;
  const before = state.shown;
  const places = new Map(before.map(({ key }, place) => [key, place]));
  const current = new Set(keys);
  let next = 0;
  state.shown = keys.map((key) => {
    const place = places.get(key);
    if (place !== undefined) next = Math.max(next, place + 1);
    const candidate = before[next];
    const from = place === undefined && candidate && !current.has(candidate.key) ? next++ : place;
    return { key, slot: from === undefined ? state.count++ : before[from]!.slot };
  });
  return state.shown.map(({ slot }) => slot);
}

/** Indexes of the rows to render, from `from` up to but excluding `to`. */
export function visibleRows(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): { from: number; to: number } {
  const from = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - OVERSCAN);
  return { from, to: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN) };
}

/** The scroll position that reveals row `index`; unchanged if it's already visible. */
export function scrollFor(index: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
