/** Exports sessions as CSV for spreadsheets and as JSON for programs. */
import { ipAddressOf } from './session-rows.ts';
import type { SessionRow } from './types.ts';

type Cell = string | number | boolean | null | undefined;
const COLUMNS: [title: string, cellOf: (row: SessionRow) => Cell][] = [
  ['id', ({ id }) => id],
  ['email', ({ email }) => email],
  ['currentVersion', ({ version }) => version],
  ['behind', ({ behind }) => behind],
  ['lastAccessedAt', ({ session }) => session.lastAccessedAt],
  ['localUpdatedAt', ({ session }) => session.appVersion?.localUpdatedAt],
  ['device', ({ device }) => device],
  ['os', ({ os }) => os],
  ['browser', ({ browser }) => browser],
  ['ipAddress', ipAddressOf],
  ['userAgent', ({ session }) => session.identifier?.userAgent],
  ['latestVersion', ({ session }) => session.appVersion?.latestVersion],
  ['lastCheckedAt', ({ session }) => session.appVersion?.lastCheckedAt],
  ['isManualCheck', ({ session }) => session.appVersion?.isManualCheck],
  ['nrOfDownloads', ({ session }) => session.appVersion?.nrOfDownloads],
  ['lastUpdateType', ({ session }) => session.appVersion?.lastUpdateType],
  ['assetsToDownload', ({ session }) => session.appVersion?.assetsToDownload],
];

/** Writes CSV (RFC 4180) with a byte order mark, without which Excel doesn't recognize UTF-8. */
export function toCsv(rows: readonly SessionRow[]): string {
  const lines = [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, cellOf]) => cell(cellOf(row))))];
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

/** Sessions as the platform sent them. */
export function toJson(rows: readonly SessionRow[]): string {
  return `{"sessions":[${rows.map(({ session }) => `\n${JSON.stringify(session)}`).join(',')}\n]}\n`;
}

/** For example, `field-service-101-sessions-2026-11-21.csv`. The app's name is shortened to fit every file system. */
export function fileName(app: { id: number; name: string }, format: 'csv' | 'json', now: number): string {
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
  return `${[...(name ? [name] : ['app']), app.id, 'sessions', day].join('-')}.${format}`;
}
