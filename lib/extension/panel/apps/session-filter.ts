/** Filters an app's sessions, and lists the options of each filter. */
import { ipAddressOf, familyOf, type FamilyField } from './session-rows.ts';
import type { SessionChoices, SessionFilter, SessionRow, Share } from './types.ts';

export const NO_FILTER: SessionFilter = {
  query: '',
  version: null,
  device: null,
  os: null,
  browser: null,
  from: '',
  to: '',
  behind: null,
};

/** The searchable text of each row. Computed once per list. */
export const searchTexts = (rows: readonly SessionRow[]): string[] =>
  rows.map((row) => `${row.email ?? ''}\n${row.device}\n${row.os}\n${row.browser}\n${ipAddressOf(row)}`.toLowerCase());

type Test = (row: SessionRow, index: number) => boolean;

/**
 * For each row, 1 if it matches, 0 if it doesn't.
 * @param texts called only if there's a query
 */
export function matchingRows(
  rows: readonly SessionRow[],
  filter: SessionFilter,
  texts: () => readonly string[],
): Uint8Array {
  const tests = testsOf(filter, texts);
  const found = new Uint8Array(rows.length);
  for (const [index, row] of rows.entries()) found[index] = tests.every((test) => test(row, index)) ? 1 : 0;
  return found;
}

/** Tests in order of speed, fastest first. */
function testsOf(filter: SessionFilter, texts: () => readonly string[]): Test[] {
  const tests: Test[] = [];
  const { version, behind } = filter;
  if (version !== null) tests.push((row) => row.version === (version === 'none' ? null : version));
  if (behind !== null) tests.push((row) => row.behind !== null && row.behind >= behind);
  const from = startOfDay(filter.from, 0);
  const end = startOfDay(filter.to, 1);
  if (from !== null) tests.push(({ lastAccess }) => lastAccess !== null && lastAccess >= from);
  if (end !== null) tests.push(({ lastAccess }) => lastAccess !== null && lastAccess < end);
  for (const field of ['device', 'os', 'browser'] as const) {
    const family = filter[field];
    if (family) tests.push((row) => familyOf(row, field) === family);
  }
  const terms = filter.query.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length > 0) {
    const all = texts();
    tests.push((_, index) => terms.every((term) => all[index]!.includes(term)));
  }
  return tests;
}

/** Local midnight of a `YYYY-MM-DD` day plus `later` days; null if the day is invalid. */
function startOfDay(text: string, later: number): number | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  const time = new Date(Number(year), Number(month) - 1, Number(day) + later).getTime();
  return Number.isNaN(time) ? null : time;
}

const MOST_CHOICES = 200;

export function choicesOf(rows: readonly SessionRow[]): SessionChoices {
  const versions = counted(rows, ({ version }) => version ?? ('none' as const));
  const families = (field: FamilyField): Share[] =>
    sharesOf(rows, field)
      .filter(({ label }) => label !== '')
      .slice(0, MOST_CHOICES);
  return {
    versions: versions.slice(0, MOST_CHOICES).map(([value, count]) => ({ value, count })),
    devices: families('device'),
    systems: families('os'),
    browsers: families('browser'),
  };
}

/** Counts the rows of each family, most frequent first. */
export function sharesOf(rows: readonly SessionRow[], field: FamilyField): Share[] {
  return counted(rows, (row) => familyOf(row, field)).map(([label, count]) => ({ label, count }));
}

function counted<T>(rows: readonly SessionRow[], valueOf: (row: SessionRow) => T): [value: T, count: number][] {
  const counts = new Map<T, number>();
  for (const row of rows) {
    const value = valueOf(row);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}
