/** Owns the rows of an app's sessions: what of a session is filtered and shown, and in which order. */
import type { AnalyticsSession } from '../../../platform-api/session.ts';
import { timeOf } from '../../../platform-api/timestamp.ts';
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

const named = (what: Identifier['os'] | undefined): string =>
  what?.family ? (what.major ? `${what.family} ${what.major}` : what.family) : '';

/** The same rows, told how far they are behind. */
export function withVersionsBehind(rows: readonly SessionRow[], latest: number | null): SessionRow[] {
  return rows.map((row) => ({
    ...row,
    behind: latest === null || row.version === null ? null : Math.max(0, latest - row.version),
  }));
}

/** What a filter and the charts go by, whatever the version. */
export type FamilyField = 'device' | 'os' | 'browser';
export const familyOf = ({ session: { identifier } }: SessionRow, field: FamilyField): string =>
  identifier?.[field]?.family ?? '';
export const ipAddressOf = ({ session: { identifier } }: SessionRow): string => identifier?.ipAddress ?? '';

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
  address: (row) => ipAddressOf(row) || null,
};

/**
 * The places of the rows in the order of a column: an order that is made once serves every filter. What has no value comes last either
 * way, and equals stay as the platform lists them.
 */
export function orderOf(rows: readonly SessionRow[], { by, descending }: SessionSort): Uint32Array {
  const values = rows.map(VALUES[by]);
  const direction = descending ? -1 : 1;
  const common = commonStart(values);
  const keys = Float64Array.from(values, (value) =>
    value === null ? direction * Infinity : typeof value === 'number' ? value : headOf(value, common),
  );
  return Uint32Array.from(rows.keys()).sort((a, b) => {
    const byKey = keys[a]! - keys[b]!;
    if (byKey) return direction * byKey;
    const [first, second] = [values[a], values[b]];
    return first == null || second == null || first === second ? 0 : first < second ? -direction : direction;
  });
}

/** With how many characters all the texts begin alike. */
function commonStart(values: readonly Value[]): number {
  let common: string | null = null;
  for (const value of values) {
    if (typeof value !== 'string') continue;
    common ??= value;
    while (!value.startsWith(common)) common = common.slice(0, -1);
  }
  return common?.length ?? 0;
}

/** The six characters from there on, up to the first beyond Latin-1, as a number in the order of texts: most texts are told apart by it, in half the time. */
function headOf(text: string, from: number): number {
  let head = 0;
  let isPlain = true;
  for (let at = from; at < from + 6; at++) {
    const code = isPlain ? Math.min(255, text.charCodeAt(at) || 0) : 0;
    if (code === 255) isPlain = false;
    head = head * 256 + code;
  }
  return head;
}
