// @vitest-environment happy-dom
/** Renders long trees, and moves in them with the keyboard. */
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { VirtualTree } from '../../../components/ui/virtual-tree.tsx';
import { scrollFor, visibleRows } from '../../../components/ui/virtual-rows.ts';

afterEach(cleanup);

interface Row {
  id: string;
  level: number;
  expanded: boolean | null;
}

/** `b` and `c` are nested in `a`. */
function Sample({ rows: given, onActivate }: { rows?: Row[]; onActivate?: (row: Row) => void }) {
  const [open, setOpen] = useState(true);
  const [selected, setSelected] = useState<string | null>(null);
  const rows = given ?? [
    { id: 'a', level: 0, expanded: open },
    ...(open
      ? [
          { id: 'b', level: 1, expanded: null },
          { id: 'c', level: 1, expanded: null },
        ]
      : []),
    { id: 'd', level: 0, expanded: null },
  ];
  return (
    <VirtualTree<Row>
      label="Sample"
      rows={rows}
      shape={(row) => ({ key: row.id, level: row.level, expanded: row.expanded })}
      render={(row) => row.id}
      selected={selected}
      onSelect={(row) => setSelected(row.id)}
      onToggle={(_row, expanded) => setOpen(expanded)}
      onActivate={onActivate}
    />
  );
}
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(screen.getByRole('tree'), { key });
};
const selected = () =>
  screen.getAllByRole('treeitem').find((item) => item.getAttribute('aria-selected') === 'true')?.textContent;
const names = () => screen.getAllByRole('treeitem').map((item) => item.textContent);

describe('a tree', () => {
  it('moves selection and focus with the arrow keys, Home, and End', () => {
    render(<Sample />);
    press('ArrowDown');
    expect(selected()).toContain('a');
    press('ArrowDown', 'ArrowDown');
    expect(selected()).toContain('c');
    expect(document.activeElement).toBe(screen.getAllByRole('treeitem')[2]);
    press('End');
    expect(selected()).toContain('d');
    press('Home', 'ArrowUp');
    expect(selected()).toContain('a');
  });

  it('collapses with Left, expands with Right, and moves to the parent and the first child', () => {
    render(<Sample />);
    press('ArrowDown', 'ArrowRight');
    expect(selected()).toContain('b');
    press('ArrowLeft');
    expect(selected()).toContain('a');
    press('ArrowLeft');
    expect(names()).toHaveLength(2);
    expect(screen.getAllByRole('treeitem')[0]?.getAttribute('aria-expanded')).toBe('false');
    press('ArrowRight');
    expect(names()).toHaveLength(4);
  });

  it('has one row in the tab order', () => {
    render(<Sample />);
    press('End');
    expect(
      screen
        .getAllByRole('treeitem')
        .filter((item) => item.tabIndex === 0)
        .map((item) => item.textContent),
    ).toEqual([expect.stringContaining('d')]);
  });

  it('activates a row on Enter', () => {
    const done: string[] = [];
    render(<Sample onActivate={(row) => done.push(row.id)} />);
    press('ArrowDown', 'ArrowDown', 'Enter');
    expect(done).toEqual(['b']);
  });

  it('ignores shortcuts of the panel', () => {
    render(<Sample />);
    expect(fireEvent.keyDown(screen.getByRole('tree'), { key: 'Enter', ctrlKey: true })).toBe(true);
  });

  it('renders only the visible ones of 100,000 rows, and reaches the last', () => {
    render(
      <Sample
        rows={Array.from({ length: 100_000 }, (_, index) => ({ id: String(index), level: 0, expanded: null }))}
      />,
    );
    expect(names().length).toBeLessThan(60);
    press('End');
    expect(selected()).toBe('99999');
  });
});

describe('virtual rows', () => {
  it('are the visible ones and a few more', () => {
    expect(visibleRows(0, 100, 20, 1000)).toEqual({ from: 0, to: 9 });
    expect(visibleRows(1000, 100, 20, 1000)).toEqual({ from: 46, to: 59 });
    expect(visibleRows(1e9, 100, 20, 10)).toEqual({ from: 6, to: 10 });
    expect(visibleRows(0, 100, 20, 0)).toEqual({ from: 0, to: 0 });
  });
  it('scroll no further than needed', () => {
    expect(scrollFor(3, 0, 100, 20)).toBe(0);
    expect(scrollFor(5, 0, 100, 20)).toBe(20);
    expect(scrollFor(1, 100, 100, 20)).toBe(20);
  });
});
