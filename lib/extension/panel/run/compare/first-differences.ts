/** Finds the rows of a comparison where two runs differ first. */
import type { ComparedRow, DifferenceKind } from './compare-runs.ts';

type Counts = (kind: DifferenceKind) => boolean;

/** Known before nested steps run, so these come before the differences of nested steps. */
const AT_START: ReadonlySet<DifferenceKind> = new Set([
  'missing',
  'replaced',
  'input',
  'settings',
  'condition',
  'skipped',
]);

/**
 * A different payload, and then the first difference in the course of the runs.
 * @param weak kinds that only count when there is no other
 */
export function firstDifferences(rows: readonly ComparedRow[], weak: ReadonlySet<DifferenceKind>): number[] {
  const payload = rows.find(({ kinds }) => kinds.includes('payload'));
  const first = firstOf(rows, (kind) => !weak.has(kind)) ?? firstOf(rows, () => true);
  return [payload, first].flatMap((row) => row?.id ?? []);
}

/** The input of a step comes before its nested steps, and its outcome after them. */
function firstOf(rows: readonly ComparedRow[], counts: Counts): ComparedRow | undefined {
  const open: ComparedRow[] = [];
  for (const row of rows) {
    if (row.what === 'payload') continue;
    for (let ended = open.at(-1); ended && ended.end <= row.id; ended = open.at(-1)) {
      open.pop();
      if (ended.kinds.some(counts)) return ended;
    }
    if (row.kinds.some((kind) => counts(kind) && isKnownAtStart(row, kind))) return row;
    open.push(row);
  }
  return open.findLast((row) => row.kinds.some(counts));
}

/** A loop that completed got another array. One that was cut short failed in a nested step. */
function isKnownAtStart(row: ComparedRow, kind: DifferenceKind): boolean {
  const isComplete = row.before?.state === 'completed' && row.now?.state === 'completed';
  return AT_START.has(kind) || (kind === 'iterations' && isComplete);
}
