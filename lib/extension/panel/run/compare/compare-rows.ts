/** Owns which rows of a comparison are shown: those whose parents are open, and with the filter those that differ and what they are in. */
import type { ComparedRow, Comparison } from './compare-runs.ts';

export function shownRows(
  { rows }: Pick<Comparison, 'rows'>,
  isOnlyDifferences: boolean,
  folded: ReadonlySet<number>,
): ComparedRow[] {
  const kept = isOnlyDifferences ? keptRows(rows) : null;
  const shown: ComparedRow[] = [];
  for (let at = 0; at < rows.length;) {
    const row = rows[at] as ComparedRow;
    if (kept && !kept[at]) {
      at = row.end;
      continue;
    }
    shown.push(row);
    at = folded.has(at) ? row.end : at + 1;
  }
  return shown;
}

/** Marks the rows that differ and, back to front, the rows that they are nested in. */
function keptRows(rows: readonly ComparedRow[]): Uint8Array {
  const kept = new Uint8Array(rows.length);
  let next = rows.length;
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at] as ComparedRow;
    if (row.kinds.length > 0 || next < row.end) {
      kept[at] = 1;
      next = at;
    }
  }
  return kept;
}

/** Null when nothing is nested. */
export function isOpen(row: ComparedRow, folded: ReadonlySet<number>): boolean | null {
  return row.end === row.id + 1 ? null : !folded.has(row.id);
}

/** What ran in one run only is folded at first: that it did says all. */
export function foldedAtFirst(rows: readonly ComparedRow[]): ReadonlySet<number> {
  return new Set(
    rows
      .filter((row) => row.end > row.id + 1 && row.what === 'step' && (row.before === null || row.now === null))
      .map(({ id }) => id),
  );
}

/** The rows that a row is nested in, outermost first. */
export function around(rows: readonly ComparedRow[], id: number): number[] {
  const found: number[] = [];
  let level = rows[id]?.level ?? 0;
  for (let at = id - 1; at >= 0 && level > 0; at--) {
    const row = rows[at] as ComparedRow;
    if (row.level >= level) continue;
    level = row.level;
    found.unshift(at);
  }
  return found;
}
