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
 * The places of the rows in the order of a column: an order that is made once serves every filter. What has no value comes last either
 * way, and equals stay as the platform lists them.
 */
export function orderOf(rows: readonly SessionRow[], { by, descending }: SessionSort): Uint32Array {
  const values = rows.map(VALUES[by]);
  if (values.some((value) => typeof value === 'string')) return orderOfTexts(values, descending);
  const direction = descending ? -1 : 1;
  const keys = Float64Array.from(values, (value) => (value === null ? Infinity : direction * Number(value)));
  return Uint32Array.from(rows.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
}

/** Each different text is compared once, and rows are counted into their places: comparing 100,000 texts would take three times as long. */
function orderOfTexts(values: readonly Value[], descending: boolean): Uint32Array {
  const codes = new Map<Value, number>([[null, 0]]);
  const codeOf = Uint32Array.from(values, (value) => {
    const known = codes.get(value);
    if (known === undefined) codes.set(value, codes.size);
    return known ?? codes.size - 1;
  });
  const counts = new Uint32Array(codes.size);
  for (const code of codeOf) counts[code]!++;
  codes.delete(null);
  const sorted = [...codes.keys()].sort();
  const places = new Uint32Array(counts.length);
  let place = 0;
  for (const value of descending ? sorted.reverse() : sorted) {
    const code = codes.get(value)!;
    places[code] = place;
    place += counts[code]!;
  }
  places[0] = place;
  const order = new Uint32Array(values.length);
  for (const [index, code] of codeOf.entries()) order[places[code]!++] = index;
  return order;
}
