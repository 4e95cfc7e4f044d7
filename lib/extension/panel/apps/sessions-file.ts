/** Exports sessions as CSV for spreadsheets and as JSON for programs. */
import { csvOf, type FileColumn } from '../shared/table-file.ts';
import { ipAddressOf } from './session-rows.ts';
import type { SessionRow } from './types.ts';

const COLUMNS: readonly FileColumn<SessionRow>[] = [
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

export const toCsv = (rows: readonly SessionRow[]): string => csvOf(COLUMNS, rows);

/** Sessions as the platform sent them. */
export function toJson(rows: readonly SessionRow[]): string {
  return `{"sessions":[${rows.map(({ session }) => `\n${JSON.stringify(session)}`).join(',')}\n]}\n`;
}
