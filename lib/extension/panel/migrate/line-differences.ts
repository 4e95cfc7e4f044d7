/** Compares two versions of code by line. */

export interface DiffLine {
  /** A note is about the lines after it. */
  kind: 'same' | 'added' | 'removed' | 'gap' | 'note';
  text: string;
}

/** Equal lines around a difference that are listed. */
const CONTEXT = 3;
/** Longer different parts are listed as removed and added as a whole. */
const ALIGN_LIMIT = 2_000;
const COARSE = 'Too many lines differ to compare them one by one.';

/** Without what is equal farther away. Empty if both are equal. */
export function lineDifferences(before: string, now: string): DiffLine[] {
  const [old, next] = [before.split('\n'), now.split('\n')];
  let start = 0;
  while (start < old.length && start < next.length && old[start] === next[start]) start++;
  if (start === old.length && start === next.length) return [];
  let end = 0;
  const room = Math.min(old.length, next.length) - start;
  while (end < room && old.at(-1 - end) === next.at(-1 - end)) end++;
  const middle = aligned(old.slice(start, old.length - end), next.slice(start, next.length - end));
  const lines: DiffLine[] = [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
  return withGaps(lines);
}

const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));

function aligned(old: readonly string[], next: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const width = next.length + 1;
  const isLong = old.length > ALIGN_LIMIT || next.length > ALIGN_LIMIT;
  if (isLong && old.length > 0 && next.length > 0) lines.push({ kind: 'note', text: COARSE });
  const common = isLong ? null : commonLengths(old, next);
  let [i, j] = [0, 0];
  while (i < old.length || j < next.length) {
    const [one, other] = [old[i], next[j]];
    if (common && one !== undefined && one === other) {
      lines.push({ kind: 'same', text: one });
      i++;
      j++;
    } else if (one !== undefined && (other === undefined || isRemoved(common, i, j, width))) {
      lines.push({ kind: 'removed', text: one });
      i++;
    } else {
      lines.push({ kind: 'added', text: other ?? '' });
      j++;
    }
  }
  return lines;
}

function isRemoved(common: Uint16Array | null, i: number, j: number, width: number): boolean {
  if (!common) return true;
  return (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0);
}

/** How many lines the rests have in common, by the start of both. */
function commonLengths(old: readonly string[], next: readonly string[]): Uint16Array {
  const width = next.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = next.length - 1; j >= 0; j--) {
      const [down, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const both = lengths[(i + 1) * width + j + 1] ?? 0;
      lengths[i * width + j] = old[i] === next[j] ? both + 1 : Math.max(down, right);
    }
  return lengths;
}

function withGaps(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Uint8Array(lines.length);
  lines.forEach(({ kind }, index) => {
    if (kind !== 'same') isNear.fill(1, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const shown: DiffLine[] = [];
  lines.forEach((line, index) => {
    if (isNear[index]) shown.push(line);
    else if (shown.at(-1)?.kind !== 'gap') shown.push({ kind: 'gap', text: '' });
  });
  return shown;
}
