/** Compares names, to find the one that was meant. */

/** Levenshtein distance. */
export function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= other.length; j++)
      row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1));
  }
  return row[other.length]!;
}

const MAX_LENGTH = 100;
const MAX_NAMES = 2_000;

/**
 * The name that was probably meant: at most two edits away, ignoring case, and fewer than half of its characters.
 * Undefined if there is none.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const wanted = given.toLowerCase();
  let nearest: string | undefined;
  let least = 3;
  for (const name of names.slice(0, MAX_NAMES)) {
    if (name === given || Math.abs(name.length - given.length) >= least) continue;
    const edits = editDistance(name.toLowerCase(), wanted);
    if (edits < least && edits * 2 < name.length) [nearest, least] = [name, edits];
  }
  return nearest;
}
