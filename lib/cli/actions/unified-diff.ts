/** Compares two texts by line, as `diff -u` does, in time that their length bounds. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY, formatPatch } from 'diff';

export interface UnifiedDiff {
  diff: string;
  /** The differing part is removed and added as a whole, because its lines differ in too many places to align. */
  isCoarse: boolean;
}

export interface TextFile {
  name: string;
  /** Empty, or ends with a line break. */
  text: string;
}

/** Lines that are removed or added. Aligning takes their number times that of all lines, and memory of its square. */
const MAX_EDITS = 1_000;
/** Equal lines around a difference. */
const CONTEXT = 4;
const NOTE = 'differs in too many places to align';

export function unifiedDiff(before: TextFile, now: TextFile): UnifiedDiff {
  const whole = wholeDifference(linesOf(before.text), linesOf(now.text));
  // If lines were only added, or only removed, this is exact.
  const isExact = whole.removed.length === 0 || whole.added.length === 0;
  const options = { headerOptions: FILE_HEADERS_ONLY, context: CONTEXT, maxEditLength: MAX_EDITS };
  const aligned = isExact
    ? undefined
    : createTwoFilesPatch(before.name, now.name, before.text, now.text, undefined, undefined, options);
  if (aligned !== undefined) return { diff: aligned, isCoarse: false };
  const patch = formatPatch(
    {
      oldFileName: before.name,
      newFileName: now.name,
      oldHeader: undefined,
      newHeader: undefined,
      hunks: whole.removed.length + whole.added.length > 0 ? [hunkOf(whole)] : [],
    },
    FILE_HEADERS_ONLY,
  );
  return { diff: isExact ? patch : patch.replace(/^(@@ .* @@)$/m, `$1 ${NOTE}`), isCoarse: !isExact };
}

interface WholeDifference {
  /** How many equal lines precede it. */
  start: number;
  before: readonly string[];
  removed: readonly string[];
  added: readonly string[];
  after: readonly string[];
}

/** From the first line that differs to the last one. */
function wholeDifference(old: readonly string[], now: readonly string[]): WholeDifference {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return {
    start,
    before: old.slice(Math.max(0, start - CONTEXT), start),
    removed: old.slice(start, old.length - end),
    added: now.slice(start, now.length - end),
    after: old.slice(old.length - end, old.length - end + CONTEXT),
  };
}

function hunkOf({ start, before, removed, added, after }: WholeDifference) {
  const around = before.length + after.length;
  const first = start - before.length + 1;
  return {
    oldStart: first,
    oldLines: around + removed.length,
    newStart: first,
    newLines: around + added.length,
    lines: [
      ...before.map((line) => ` ${line}`),
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...after.map((line) => ` ${line}`),
    ],
  };
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
