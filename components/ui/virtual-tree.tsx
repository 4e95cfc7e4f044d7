/** A virtual tree. Arrow keys move, expand, and collapse. */
import type { ComponentChildren, JSX } from 'preact';
import { useVirtualRows } from './virtual-rows.ts';
import './virtual-tree.css';

export interface TreeRow {
  key: string;
  /** 0 for top-level rows. */
  level: number;
  /** Null for a leaf. */
  expanded: boolean | null;
}

export interface VirtualTreeProps<Row> {
  label: string;
  /** Use `treegrid` if rows contain cells: elements with the role `gridcell`. */
  role?: 'tree' | 'treegrid';
  rows: readonly Row[];
  shape: (row: Row) => TreeRow;
  render: (row: Row) => ComponentChildren;
  /** Additional row attributes, such as data attributes. */
  attributes?: (row: Row) => Record<string, string | undefined>;
  selected: string | null;
  onSelect: (row: Row) => void;
  onToggle: (row: Row, expanded: boolean) => void;
  /** Called on Enter and on double-click. */
  onActivate?: (row: Row) => void;
  /** Called instead of opening the browser's context menu, such as on a right-click. The row is selected first. */
  onMenu?: (row: Row, at: { x: number; y: number }) => void;
  rowHeight?: number;
  /** Keeps the end in view as rows are added, if the end was in view. */
  follow?: boolean;
  /** In pixels. The tree grows with its rows up to this height, instead of filling its container. */
  maxHeight?: number;
  /** Stays in view above the rows. Decoration only: it isn't part of the tree. */
  header?: ComponentChildren;
  /** In pixels. */
  headerHeight?: number;
  /** In pixels. A narrower tree has no header. */
  headerMinWidth?: number;
}

export function VirtualTree<Row>(props: VirtualTreeProps<Row>): JSX.Element {
  const { label, role = 'tree', rows, shape, selected, onSelect, onToggle, onActivate, rowHeight = 20 } = props;
  const { follow, maxHeight, header, headerHeight, headerMinWidth } = props;
  const virtual = useVirtualRows({
    rows,
    keyOf: (row) => shape(row).key,
    selected,
    onSelect,
    onActivate,
    rowHeight,
    follow,
    headerHeight,
    headerMinWidth,
  });
  const { activeIndex, select } = virtual;
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[activeIndex];
    if (!row) return;
    const { expanded } = shape(row);
    virtual.onKeyDown(event, {
      ArrowRight: () => (expanded === false ? onToggle(row, true) : expanded ? select(activeIndex + 1) : undefined),
      ArrowLeft: () => (expanded ? onToggle(row, false) : select(parentIndex(rows, shape, activeIndex))),
    });
  };
  return (
    <div
      ref={virtual.ref}
      class={maxHeight ? 'vtree' : 'vtree fills'}
      role={role}
      aria-label={label}
      aria-rowcount={role === 'treegrid' ? rows.length : undefined}
      style={maxHeight ? { height: `${Math.min(maxHeight, rows.length * rowHeight)}px` } : undefined}
      onKeyDown={onKeyDown}
      onScroll={virtual.onScroll}
    >
      {header && virtual.headerHeight > 0 ? (
        <div role="presentation" class="vtree-header" style={{ height: `${virtual.headerHeight}px` }}>
          {header}
        </div>
      ) : null}
      <div role="presentation" class="vtree-space" style={{ height: `${rows.length * rowHeight}px` }}>
        {virtual.rendered.map(({ row, index, slot }) => (
          <TreeLine
            key={slot}
            tree={props}
            row={row}
            index={index}
            isActive={index === activeIndex}
            isSelected={index === virtual.selectedIndex}
            onClick={() => select(index)}
          />
        ))}
      </div>
    </div>
  );
}

interface TreeLineProps<Row> {
  tree: VirtualTreeProps<Row>;
  row: Row;
  index: number;
  isActive: boolean;
  isSelected: boolean;
  onClick: () => void;
}

function TreeLine<Row>({ tree, row, index, isActive, isSelected, onClick }: TreeLineProps<Row>): JSX.Element {
  const { role = 'tree', shape, attributes, render, rowHeight = 20, onToggle, onActivate, onMenu } = tree;
  const { level, expanded } = shape(row);
  return (
    <div
      {...attributes?.(row)}
      class="vtree-row"
      role={role === 'tree' ? 'treeitem' : 'row'}
      data-index={index}
      aria-level={level + 1}
      aria-expanded={expanded ?? undefined}
      aria-selected={isSelected}
      aria-rowindex={role === 'treegrid' ? index + 1 : undefined}
      tabIndex={isActive ? 0 : -1}
      style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px`, '--level': String(Math.min(level, 24)) }}
      onClick={onClick}
      onDblClick={() => onActivate?.(row)}
      onContextMenu={(event) => {
        if (!onMenu) return;
        event.preventDefault();
        onClick();
        onMenu(row, { x: event.clientX, y: event.clientY });
      }}
    >
      {role === 'treegrid' ? null : <Twist expanded={expanded} onToggle={() => onToggle(row, !expanded)} />}
      {render(row)}
    </div>
  );
}

/** The triangle that expands a row by mouse. On the keyboard, arrow keys do that. */
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

function parentIndex<Row>(rows: readonly Row[], shape: (row: Row) => TreeRow, index: number): number {
  const { level } = shape(rows[index] as Row);
  for (let at = index - 1; at >= 0; at--) if (shape(rows[at] as Row).level < level) return at;
  return index;
}
