/** A virtual table with sortable columns. Columns that don't fit are left out, starting with the last one. */
import { Component, type ComponentChildren, type JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useVirtualRows } from './virtual-rows.ts';
import './grid.css';

export interface GridColumn<Id extends string, Row> {
  id: Id;
  label: string;
  /** Minimum width in pixels. */
  width: number;
  /** Share of the remaining width. */
  grow?: number;
  align?: 'end';
  sortable?: boolean;
  cell: (row: Row) => ComponentChildren;
}

export interface GridSort<Id extends string> {
  by: Id;
  descending: boolean;
}

export interface GridProps<Id extends string, Row> {
  label: string;
  /** Pass the same array until the columns change: a new array re-renders every visible row. */
  columns: readonly GridColumn<Id, Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selected: string | null;
  onSelect: (row: Row) => void;
  /** Called on Enter and on double-click. */
  onActivate?: (row: Row) => void;
  /** Whether a click activates the row, too, instead of selecting it. */
  activatesOnClick?: boolean;
  sort?: GridSort<Id>;
  onSort?: (column: Id) => void;
  /** Additional row attributes, such as data attributes. Must depend only on the row. */
  attributes?: (row: Row) => Record<string, string | undefined>;
  /** Called when the last row becomes visible. */
  onEnd?: () => void;
  /** Attributes of the table element. */
  mark?: Record<string, string>;
}

const ROW_HEIGHT = 20;
const HEADER_HEIGHT = 22;
/** Padding per column: the gap between columns and at both ends. */
const PADDING = 8;

export function Grid<Id extends string, Row>(props: GridProps<Id, Row>): JSX.Element {
  const { label, columns, rows, onActivate, activatesOnClick = false, sort, onSort, attributes, onEnd, mark } = props;
  const virtual = useVirtualRows({ ...props, rowHeight: ROW_HEIGHT, headerHeight: HEADER_HEIGHT });
  const { width, isEndVisible, select } = virtual;
  useLayoutEffect(() => {
    if (isEndVisible) onEnd?.();
  }, [isEndVisible, rows.length]);
  const layout = useMemo(() => layOut(columns, width), [columns, width]);
  const handlers = useRef<Handlers<Row>>({}).current;
  const activate = (index: number): void => onActivate?.(rows[index] as Row);
  Object.assign(
    handlers,
    activatesOnClick
      ? { attributes, onClick: activate, onDblClick: undefined }
      : { attributes, onClick: select, onDblClick: onActivate },
  );
  return (
    <div
      ref={virtual.ref}
      {...mark}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      onKeyDown={(event) => {
        if (!(event.target as Element).closest('[role=columnheader]')) virtual.onKeyDown(event);
      }}
      onScroll={virtual.onScroll}
    >
      <GridHeader layout={layout} sort={sort} onSort={onSort} />
      <div role="rowgroup" class="grid-space" style={{ height: `${rows.length * ROW_HEIGHT}px` }}>
        {virtual.rendered.map(({ row, index, slot }) => (
          <GridLine
            key={slot}
            row={row}
            index={index}
            isActive={index === virtual.activeIndex}
            isSelected={index === virtual.selectedIndex}
            layout={layout}
            handlers={handlers}
          />
        ))}
      </div>
    </div>
  );
}

function GridHeader<Id extends string, Row>({
  layout,
  sort,
  onSort,
}: {
  layout: Layout<Row, Id>;
  sort?: GridSort<Id>;
  onSort?: (column: Id) => void;
}): JSX.Element {
  return (
    <div role="row" aria-rowindex={1} class="grid-head" style={layout.style}>
      {layout.columns.map(({ id, label, align, sortable }, index) => {
        const direction = sort?.by !== id ? null : sort.descending ? 'descending' : 'ascending';
        return (
          <div key={id} role="columnheader" class={align} aria-colindex={index + 1} aria-sort={direction ?? undefined}>
            {onSort && sortable !== false ? (
              <button type="button" title={`Sort by ${label}`} onClick={() => onSort(id)}>
                {label}
                <span aria-hidden="true">{direction && (direction === 'descending' ? ' ▾' : ' ▴')}</span>
              </button>
            ) : (
              label
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Stays the same object across renders, so that new handlers don't re-render the rows. */
interface Handlers<Row> {
  attributes?: GridProps<never, Row>['attributes'];
  onClick?: (index: number) => void;
  onDblClick?: ((row: Row) => void) | undefined;
}

interface GridLineProps<Row> {
  row: Row;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  layout: Layout<Row>;
  handlers: Handlers<Row>;
}

/** Skips rows that don't change while the table scrolls. */
class GridLine<Row> extends Component<GridLineProps<Row>> {
  override shouldComponentUpdate(next: GridLineProps<Row>): boolean {
    const { row, index, isActive, isSelected, layout } = this.props;
    return (
      row !== next.row ||
      index !== next.index ||
      isActive !== next.isActive ||
      isSelected !== next.isSelected ||
      layout !== next.layout
    );
  }

  override render({ row, index, isActive, isSelected, layout, handlers }: GridLineProps<Row>): JSX.Element {
    return (
      <div
        {...handlers.attributes?.(row)}
        class="grid-row"
        role="row"
        data-index={index}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        tabIndex={isActive ? 0 : -1}
        style={{ ...layout.style, top: `${index * ROW_HEIGHT}px` }}
        onClick={() => handlers.onClick?.(index)}
        onDblClick={() => handlers.onDblClick?.(row)}
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

interface Layout<Row, Id extends string = string> {
  columns: readonly GridColumn<Id, Row>[];
  style: { gridTemplateColumns: string };
}

/** The columns that fit, in order; all columns until the element has been measured. */
function layOut<Id extends string, Row>(all: readonly GridColumn<Id, Row>[], width: number): Layout<Row, Id> {
  let left = width - PADDING;
  const count = width === 0 ? -1 : all.findIndex((column) => (left -= column.width + PADDING) < 0);
  const columns = count < 0 ? all : all.slice(0, Math.max(1, count));
  return {
    columns,
    style: {
      gridTemplateColumns: columns
        .map(({ width: minimum, grow }) => (grow ? `minmax(${minimum}px, ${grow}fr)` : `${minimum}px`))
        .join(' '),
    },
  };
}
