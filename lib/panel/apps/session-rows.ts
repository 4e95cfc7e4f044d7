/** Owns the rows of an app's sessions: what of a session is filtered and shown, and in which order. */
import type { AnalyticsSession } from '../../contract/session.ts';
import { timeOf } from '../../contract/timestamp.ts';
import type { SessionColumn, SessionRow, SessionSort } from './types.ts';

type Identifier = NonNullable<AnalyticsSession['identifier']>;

export function sessionRow(session: AnalyticsSession): SessionRow {
  const { id, identifier, user, appVersion, lastAccessedAt } = session;
  return {
    id,
    email: user?.email || null,
    version: appVersion?.currentVersion ?? null,
    behind: null,
    device: identifier?.device?.family ?? '',
    os: named(identifier?.os),
    browser: named(identifier?.browser),
    lastAccess: timeOf(lastAccessedAt),
    updated: timeOf(appVersion?.localUpdatedAt ?? null),
    session,
  };
}

const named = (what: Identifier['os'] | undefined): string => (what?.family ? (what.major ? `${what.family} ${what.major}` : what.family) : '');

/** The same rows, told how far they are behind. */
export function rowsBehind(rows: readonly SessionRow[], latest: number | null): SessionRow[] {
  return rows.map((row) => ({ ...row, behind: latest === null || row.version === null ? null : Math.max(0, latest - row.version) }));
}

/** What a filter and the charts go by, whatever the version. */
export type FamilyField = 'device' | 'os' | 'browser';
export const familyOf = ({ session: { identifier } }: SessionRow, field: FamilyField): string => identifier?.[field]?.family ?? '';
export const addressOf = ({ session: { identifier } }: SessionRow): string => identifier?.ipAddress ?? '';

type Value = string | number | null;
const VALUES: Record<SessionColumn, (row: SessionRow) => Value> = {
  user: ({ email }) => email?.toLowerCase() ?? null,
  version: ({ version }) => version,
  behind: ({ behind }) => behind,
  device: ({ device }) => device.toLowerCase() || null,
  os: ({ os }) => os.toLowerCase() || null,
  browser: ({ browser }) => browser.toLowerCase() || null,
  lastAccess: ({ lastAccess }) => lastAccess,
  updated: ({ updated }) => updated,
  address: (row) => addressOf(row) || null,
};

/**
 * Where each row stands in the order of a column, ascending: an order that is made once serves every filter. What has no value comes
 * last either way, and equals stay as the platform lists them.
 */
export function orderOf(rows: readonly SessionRow[], { by, descending }: SessionSort): Uint32Array {
  const ranks = ranksOf(rows.map(VALUES[by]), descending);
  return Uint32Array.from(rows.keys()).sort((a, b) => ranks[a]! - ranks[b]! || a - b);
}

/** Numbers in place of values: many rows share few values, and numbers are compared faster than texts. */
function ranksOf(values: readonly Value[], descending: boolean): Float64Array {
  const direction = descending ? -1 : 1;
  const ranked = new Map<string, number>();
  for (const text of [...new Set(values)].filter((value) => typeof value === 'string').sort()) ranked.set(text, ranked.size);
  return Float64Array.from(values, (value) => (value === null ? Infinity : direction * (typeof value === 'number' ? value : ranked.get(value)!)));
}
