/** Finds the rows where two runs first differ. */
import type { ComparedRow, DifferenceKind } from './compare-runs.ts';

type Counts = (kind: DifferenceKind) => boolean;

/** These kinds are known before nested steps run, so they come before any difference in nested steps. */
const AT_START: ReadonlySet<DifferenceKind> = new Set([
  'missing',
  'replaced',
  'input',
  'settings',
  'condition',
  'skipped',
]);

/**
 * Finds a different payload, and the first difference during the runs.
 * @param weak kinds that count only if there are no others
 */
export function firstDifferences(rows: readonly ComparedRow[], weak: ReadonlySet<DifferenceKind>): number[] {
  const payload = rows.find(({ kinds }) => kinds.includes('payload'));
  const first = firstOf(rows, (kind) => !weak.has(kind)) ?? firstOf(rows, () => true);
  return [payload, first].flatMap((row) => row?.id ?? []);
}

/** A step's input precedes its nested steps, and its outcome follows them. */
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

/** If both loops completed, they iterated over different arrays. If one was cut short, a nested step failed. */
function isKnownAtStart(row: ComparedRow, kind: DifferenceKind): boolean {
  const isComplete = row.before?.state === 'completed' && row.now?.state === 'completed';
  return AT_START.has(kind) || (kind === 'iterations' && isComplete);
}
