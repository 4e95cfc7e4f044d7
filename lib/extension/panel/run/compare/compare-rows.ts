/** Chooses the visible rows of a comparison: those that aren’t collapsed, and with the filter those that differ. */
import type { ComparedRow, Comparison } from './compare-runs.ts';

export function visibleRows(
  { rows }: Pick<Comparison, 'rows'>,
  onlyDifferences: boolean,
  collapsed: ReadonlySet<number>,
): ComparedRow[] {
  const matching = onlyDifferences ? matchingRows(rows) : null;
  const visible: ComparedRow[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at] as ComparedRow;
    if (matching && !matching[at]) {
      at = row.end;
      continue;
    }
    visible.push(row);
    at = collapsed.has(at) ? row.end : at + 1;
  }
  return visible;
}

/** Marks the rows that differ and, back to front, the rows that contain them. */
function matchingRows(rows: readonly ComparedRow[]): Uint8Array {
  const matching = new Uint8Array(rows.length);
  let next = rows.length;
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] as ComparedRow;
    if (row.kinds.length > 0 || next < row.end) {
      matching[at] = 1;
      next = at;
    }
  }
  return matching;
}

/** Null when nothing is nested. */
export function isExpanded(row: ComparedRow, collapsed: ReadonlySet<number>): boolean | null {
  return row.end === row.id + 1 ? null : !collapsed.has(row.id);
}

/** Steps that ran in one run only: their nested steps add nothing. */
export function initiallyCollapsed(rows: readonly ComparedRow[]): ReadonlySet<number> {
  return new Set(
    rows
      .filter((row) => row.end > row.id + 1 && row.what === 'step' && (row.before === null || row.now === null))
      .map(({ id }) => id),
  );
}

/** Ids of the rows that contain a row, outermost first. */
export function ancestorsOf(rows: readonly ComparedRow[], id: number): number[] {
  const ancestors: number[] = [];
  let level = rows[id]?.level ?? 0;
  for (let at = id - 1; at >= 0 && level > 0; at--) {
    const row = rows[at] as ComparedRow;
    if (row.level >= level) continue;
    level = row.level;
    ancestors.unshift(at);
  }
  return ancestors;
}
