// @vitest-environment happy-dom
/** Renders long tables, and uses them with keyboard and screen reader. */
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Grid, type GridColumn } from '../../../components/ui/grid.tsx';

afterEach(cleanup);

const rows = Array.from({ length: 100_000 }, (_, n) => ({ id: n, name: `row ${n}` }));
type Row = (typeof rows)[number];
const columns: GridColumn<'name' | 'id', Row>[] = [
  { id: 'name', label: 'Name', width: 100, grow: 1, cell: ({ name }) => name },
  { id: 'id', label: 'Id', width: 50, cell: ({ id }) => id },
];

function show(selected: string | null, more: Partial<Parameters<typeof Grid<'name' | 'id', Row>>[0]> = {}) {
  const onSelect = vi.fn();
  render(
    <Grid
      label="Rows"
      columns={columns}
      rows={rows}
      keyOf={({ id }) => String(id)}
      selected={selected}
      onSelect={onSelect}
      {...more}
    />,
  );
  return onSelect;
}

describe('a grid of 100,000 rows', () => {
  it('renders only the visible rows, with their number and the total', () => {
    show(null);
    expect(screen.getAllByRole('row').length).toBeLessThan(60);
    const grid = screen.getByRole('grid');
    expect([grid.getAttribute('aria-rowcount'), grid.getAttribute('aria-colcount')]).toEqual(['100001', '2']);
    expect(screen.getAllByRole('row')[1]?.getAttribute('aria-rowindex')).toBe('2');
    expect(screen.getAllByRole('gridcell')[0]?.textContent).toBe('row 0');
  });

  it('keeps the selected row in the tab order, even when it’s scrolled out', () => {
    show('50000');
    const inOrder = screen.getAllByRole('row').filter((row) => row.tabIndex === 0);
    expect(inOrder.map((row) => row.textContent)).toEqual(['row 5000050000']);
    expect(inOrder[0]?.getAttribute('aria-selected')).toBe('true');
  });

  it.each([
    ['ArrowDown', 11],
    ['ArrowUp', 9],
    ['Home', 0],
    ['End', 99_999],
    [' ', 10],
  ])('on %j, moves to row %i', (key, to) => {
    const onSelect = show('10');
    fireEvent.keyDown(
      screen.getAllByRole('row').find((row) => row.tabIndex === 0)!,
      { key },
    );
    expect(onSelect).toHaveBeenCalledWith(rows[to]);
  });

  it('sorts by its column headers, and ignores keys pressed there', () => {
    const onSort = vi.fn();
    const onSelect = show('10', { onSort, sort: { by: 'name', descending: true } });
    const [name, id] = screen.getAllByRole('columnheader');
    expect(name?.getAttribute('aria-sort')).toBe('descending');
    expect(id?.getAttribute('aria-sort')).toBe(null);
    const button = screen.getByRole('button', { name: 'Id' });
    fireEvent.keyDown(button, { key: 'End' });
    fireEvent.click(button);
    expect(onSort).toHaveBeenCalledWith('id');
    expect(onSelect).not.toHaveBeenCalled();
  });

  it('focuses a row only when the keyboard moved to it', () => {
    const grid = (selected: string, from: number) => (
      <>
        <input aria-label="Search" />
        <Grid
          label="Rows"
          columns={columns}
          rows={rows.slice(from)}
          keyOf={({ id }) => String(id)}
          selected={selected}
          onSelect={() => {}}
        />
      </>
    );
    const { rerender } = render(grid('10', 0));
    const row = () => screen.getAllByRole('row').find((one) => one.getAttribute('aria-selected') === 'true')!;
    fireEvent.keyDown(row(), { key: 'ArrowDown' });
    rerender(grid('11', 0));
    expect(document.activeElement).toBe(row());
    fireEvent.click(row());
    screen.getByLabelText('Search').focus();
    rerender(grid('11', 5));
    expect(document.activeElement).toBe(screen.getByLabelText('Search'));
  });

  it('activates a row on Enter and on a double click', () => {
    const onActivate = vi.fn();
    show('10', { onActivate });
    const row = screen.getAllByRole('row').find((one) => one.tabIndex === 0)!;
    fireEvent.keyDown(row, { key: 'Enter' });
    fireEvent.dblClick(row);
    expect(onActivate.mock.calls).toEqual([[rows[10]], [rows[10]]]);
  });

  it('reports its end once when it becomes visible', () => {
    const onEnd = vi.fn();
    show(null, { rows: rows.slice(0, 5), onEnd });
    expect(onEnd).toHaveBeenCalledTimes(1);
    cleanup();
    show(null, { onEnd });
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  describe('while scrolling', () => {
    const lines = () =>
      new Map(
        screen
          .getAllByRole('row')
          .slice(1)
          .map((row) => [row.getAttribute('data-index'), row]),
      );
    const scrollTo = (row: number) => {
      const grid = screen.getByRole('grid');
      grid.scrollTop = row * 20;
      fireEvent.scroll(grid);
    };

    it('doesn’t render rows again that stay visible', () => {
      const cell = vi.fn(({ name }: Row) => name);
      show(null, { columns: [{ id: 'name', label: 'Name', width: 100, cell }] });
      scrollTo(1_000);
      const before = lines();
      cell.mockClear();
      scrollTo(1_003);
      const after = lines();
      expect(cell.mock.calls.map(([{ id }]) => String(id))).toEqual(
        [...after.keys()].filter((index) => !before.has(index)),
      );
      expect(cell).toHaveBeenCalledTimes(3);
      for (const [index, row] of after) if (before.has(index)) expect(row).toBe(before.get(index));
    });

    it('reuses elements for new rows without moving them', () => {
      show(null);
      scrollTo(1_000);
      const before = screen.getAllByRole('row');
      scrollTo(5_000);
      const after = screen.getAllByRole('row');
      expect(after.every((row, position) => row === before[position])).toBe(true);
      expect(after).toHaveLength(before.length);
    });

    it('shows each row at its position, with its number and handlers', () => {
      const onActivate = vi.fn();
      const onSelect = show(null, { onActivate, attributes: ({ id }) => ({ 'data-row': String(id) }) });
      scrollTo(50_000);
      const row = lines().get('50003')!;
      expect([row.textContent, row.style.top, row.getAttribute('data-row'), row.getAttribute('aria-rowindex')]).toEqual(
        ['row 5000350003', '1000060px', '50003', '50005'],
      );
      fireEvent.click(row);
      fireEvent.dblClick(row);
      expect(onSelect).toHaveBeenCalledWith(rows[50_003]);
      expect(onActivate).toHaveBeenCalledWith(rows[50_003]);
    });

    it('keeps the focus on the selected row', () => {
      show('10');
      const row = lines().get('10')!;
      row.focus();
      scrollTo(70_000);
      expect(document.activeElement).toBe(row);
      expect(row.textContent).toBe('row 1010');
    });
  });
});
