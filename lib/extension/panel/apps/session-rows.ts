/** Table rows for an app's sessions, and their sort order. */
import type { AnalyticsSession } from '../../../platform-api/sessions/session.ts';
import { timeOf } from '../../../platform-api/sessions/timestamp.ts';
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
    os: nameOf(identifier?.os),
    browser: nameOf(identifier?.browser),
    lastAccess: timeOf(lastAccessedAt),
    updated: timeOf(appVersion?.localUpdatedAt ?? null),
    session,
  };
}

const nameOf = (product: Identifier['os'] | undefined): string =>
  product?.family ? (product.major ? `${product.family} ${product.major}` : product.family) : '';

/** Returns the rows with the number of versions each is behind. */
export function withVersionsBehind(rows: readonly SessionRow[], latest: number | null): SessionRow[] {
  return rows.map((row) => ({
    ...row,
    behind: latest === null || row.version === null ? null : Math.max(0, latest - row.version),
  }));
}

/** A field that filters and charts group by. Its version is ignored. */
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
  ipAddress: (row) => ipAddressOf(row) || null,
};

/**
 * The row indexes sorted by a column. Includes all rows, so that filtering doesn't require sorting again. Missing
 * values come last in both directions; ties keep the platform's order. Compares numeric keys first, since most strings
 * differ in those.
 */
export function orderOf(rows: readonly SessionRow[], { by, descending }: SessionSort): Uint32Array {
  const values = rows.map(VALUES[by]);
  const direction = descending ? -1 : 1;
  const keyOf = stringKeys(values);
  const keys = Float64Array.from(values, (value) =>
    value === null ? direction * Infinity : typeof value === 'number' ? value : keyOf(value),
  );
  return Uint32Array.from(rows.keys()).sort((a, b) => {
    const byKey = keys[a]! - keys[b]!;
    if (byKey) return direction * byKey;
    const [first, second] = [values[a], values[b]];
    return first == null || second == null || first === second ? 0 : first < second ? -direction : direction;
  });
}

/** How many characters of a string its key can include. */
const KEY_LENGTH = 13;
/** All character codes from this value up share one digit, and the key ends after it. */
const LAST_CODE = 254;

/**
 * Maps strings to numbers that sort in the same order. Skips the common prefix, and uses the next characters as digits
 * in a base that is just large enough for the characters that occur.
 */
function stringKeys(values: readonly Value[]): (text: string) => number {
  const start = commonPrefixLength(values);
  const digits = new Uint8Array(256);
  for (const value of values) {
    if (typeof value !== 'string') continue;
    const end = Math.min(value.length, start + KEY_LENGTH);
    for (let at = start; at < end; at++) digits[Math.min(LAST_CODE, value.charCodeAt(at))] = 1;
  }
  let base = 1;
  for (const code of digits.keys()) if (digits[code] === 1) digits[code] = base++;
  const length = Math.min(KEY_LENGTH, Math.floor(52 / Math.log2(Math.max(2, base))));
  return (text) => {
    let key = 0;
    let end = text.length;
    for (let at = start; at < start + length; at++) {
      const code = at < end ? Math.min(LAST_CODE, text.charCodeAt(at)) : -1;
      if (code === LAST_CODE) end = at;
      key = key * base + (code < 0 ? 0 : digits[code]!);
    }
    return key;
  };
}

function commonPrefixLength(values: readonly Value[]): number {
  let common: string | null = null;
  for (const value of values) {
    if (typeof value !== 'string') continue;
    common ??= value;
    while (!value.startsWith(common)) common = common.slice(0, -1);
  }
  return common?.length ?? 0;
}
