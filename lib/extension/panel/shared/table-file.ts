/** Writes tables as CSV for spreadsheets, and names the files. */

export type Cell = string | number | boolean | null | undefined;
export type FileColumn<Row> = readonly [title: string, cellOf: (row: Row) => Cell];

/** Writes CSV (RFC 4180) with a byte order mark, without which Excel doesn't recognize UTF-8. */
export function csvOf<Row>(columns: readonly FileColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cellOf]) => cell(cellOf(row))))];
  return `\uFEFF${lines.map((line) => `${line.join(',')}\r\n`).join('')}`;
}

/** Spreadsheets evaluate text that starts like this (OWASP, "CSV Injection"). A leading apostrophe prevents that. */
const FORMULA = /^[=+\-@\t\r\n]/;
/**
 * Also applies after `;`, because in some locales Excel treats it as a separator and ignores quotes in the middle of a
 * line.
 */
const INNER_FORMULA = /;(?=\s*[=+\-@])/g;

function cell(value: Cell): string {
  if (typeof value !== 'string') return value === null || value === undefined ? '' : String(value);
  const safe = (FORMULA.test(value) ? `'${value}` : value).replace(INNER_FORMULA, ";'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface TableFile {
  app: { id: number; name: string };
  /** What the table has, such as `sessions`. */
  what: string;
  format: 'csv' | 'json';
  /** Epoch milliseconds. */
  now: number;
}

/** For example, `field-service-101-sessions-2026-11-21.csv`. The app's name is shortened to fit every file system. */
export function tableFileName({ app, what, format, now }: TableFile): string {
  const name = app.name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
  const today = new Date(now);
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${[...(name ? [name] : ['app']), app.id, what, day].join('-')}.${format}`;
}
