/** Selects a comparison’s visible rows: not collapsed and, if filtered, only those that differ. */
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

/** Marks rows that differ, and their ancestors. Walks backward. */
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

/** Null for a leaf. */
export function isExpanded(row: ComparedRow, collapsed: ReadonlySet<number>): boolean | null {
  return row.end === row.id + 1 ? null : !collapsed.has(row.id);
}

/** Steps that ran in only one run start out collapsed, because their nested steps add no information. */
export function initiallyCollapsed(rows: readonly ComparedRow[]): ReadonlySet<number> {
  return new Set(
    rows
      .filter((row) => row.end > row.id + 1 && row.what === 'step' && (row.before === null || row.now === null))
      .map(({ id }) => id),
  );
}

/** IDs of a row’s ancestors, outermost first. */
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
