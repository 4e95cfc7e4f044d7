/**
 * Measures what a user waits for with 100,000 sessions: filters, sorting, and charts, compared with plain `filter` and
 * `sort`.
 */
import type { AnalyticsSession } from '../../lib/platform-api/sessions/session.ts';
import { latestVersion, usersOf } from '../../lib/platform-api/sessions/audience.ts';
import { usersBehind } from '../../lib/extension/panel/apps/sessions.ts';
import { chartsOf } from '../../lib/extension/panel/apps/session-charts.ts';
import { NO_FILTER, choicesOf, searchTexts, matchingRows } from '../../lib/extension/panel/apps/session-filter.ts';
import { orderOf, withVersionsBehind, sessionRow } from '../../lib/extension/panel/apps/session-rows.ts';
import type { SessionColumn, SessionFilter } from '../../lib/extension/panel/apps/types.ts';
import { interleave, row, type Contender, type Table } from './measure.ts';

const SESSIONS = 100_000;
const ALLOWED = 100;
const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = 86_400_000;
const FAMILIES = [
  'Chrome Mobile',
  'Mobile Safari',
  'Edge',
  'Firefox',
  'Samsung Internet',
  'Opera',
  'Brave',
  'Other',
  'Vivaldi',
  'Kiwi',
];

/** As parsed from JSON: no two sessions share a string. */
export function benchSessions(): AnalyticsSession[] {
  const made = Array.from({ length: SESSIONS }, (_, n) => {
    const seen = NOW - ((n * 7919) % 45) * DAY - ((n * 104_729) % DAY);
    return {
      id: n + 1,
      identifier: {
        os: { major: String(10 + (n % 8)), family: ['Android', 'iOS', 'Windows', 'Mac OS X'][n % 4] },
        device: { family: `Device ${n % 60}` },
        browser: { major: String(140 + (n % 15)), minor: '0', family: FAMILIES[n % 10] },
        ipAddress: `${1 + ((n * 97) % 220)}.${(n * 31) % 256}.113.${n % 250}, 10.${n % 256}.1.${n % 200}`,
        userAgent: `Mozilla/5.0 (Linux; Android 15; Pixel ${n % 9}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36`,
      },
      lastAccessedAt: new Date(seen).toISOString(),
      user: n % 9 ? { email: `user-${(n * 2_654_435_761) % 62_501}@example.com` } : null,
      appVersion: {
        isManualCheck: n % 5 === 0,
        lastCheckedAt: new Date(seen).toISOString().replace('Z', '+00:00'),
        latestVersion: 40,
        currentVersion: 40 - Math.floor(((n * 13) % 100) ** 2 / 500),
        nrOfDownloads: n % 7,
        lastUpdateType: null,
        localUpdatedAt: new Date(seen - ((n * 17) % 20) * DAY).toISOString(),
        assetsToDownload: n % 60,
      },
    };
  });
  return JSON.parse(JSON.stringify(made)) as AnalyticsSession[];
}

/** A filter written without regard for the number of sessions. */
function plainFilter(sessions: readonly AnalyticsSession[], { query, browser, from }: SessionFilter): number {
  const all = query.toLowerCase().split(/\s+/).filter(Boolean);
  const first = from ? new Date(`${from}T00:00`).getTime() : null;
  return sessions.filter(
    ({ user, identifier, lastAccessedAt }) =>
      all.every((word) =>
        [
          user?.email,
          identifier?.device?.family,
          identifier?.os?.family,
          identifier?.browser?.family,
          identifier?.ipAddress,
        ]
          .join(' ')
          .toLowerCase()
          .includes(word),
      ) &&
      (!browser || identifier?.browser?.family === browser) &&
      (first === null || Date.parse(lastAccessedAt ?? '') >= first),
  ).length;
}

export async function bench(): Promise<Table[]> {
  const sessions = benchSessions();
  const latest = latestVersion(sessions);
  const rows = withVersionsBehind(sessions.map(sessionRow), latest);
  const texts = searchTexts(rows);
  const users = usersOf(sessions, NOW);
  const once = (name: string, run: () => unknown): Contender => ({ name, units: 1e6, run });
  const filter = { ...NO_FILTER, query: 'user-1 chrome 113.2' };
  const fields = { ...NO_FILTER, browser: 'Edge', from: '2026-11-01', query: 'device' };
  const sorted = (by: SessionColumn): Contender =>
    once(`order by ${by}, the first time`, () => orderOf(rows, { by, descending: true }));
  const ours = [
    once('filter by words, the first time', () => matchingRows(rows, filter, () => searchTexts(rows))),
    once('filter by words, each further letter', () => matchingRows(rows, filter, () => texts)),
    once('filter by fields and words', () => matchingRows(rows, fields, () => texts)),
    ...(['user', 'browser', 'lastAccess', 'version', 'ipAddress'] as const).map(sorted),
    once('charts', () => chartsOf(rows, latest, NOW)),
    once('choices', () => choicesOf(rows)),
    once('rows with versions behind', () => withVersionsBehind(rows, latest)),
    once('users behind', () => usersBehind(users, latest, 1)),
  ];
  const references = [
    once('rows, made as the pieces come', () => sessions.map(sessionRow)),
    once('users, found as the pieces come', () => usersOf(sessions, NOW)),
    once('plain filter by words', () => plainFilter(sessions, filter)),
    once('plain filter by fields and words', () => plainFilter(sessions, fields)),
    once('plain sort by user', () =>
      sessions.toSorted((a, b) => (a.user?.email ?? '').localeCompare(b.user?.email ?? '')),
    ),
    once('plain sort by last access', () =>
      sessions.toSorted((a, b) => Date.parse(b.lastAccessedAt ?? '') - Date.parse(a.lastAccessedAt ?? '')),
    ),
  ];
  const subjects = ours.map((contender) => ({ ...contender, isSubject: true }));
  const samples = await interleave([...references, ...subjects], 9, 2);
  const isOurs = new Set(ours.map(({ name }) => name));
  const measured = [...references, ...ours].map(({ name }) => {
    const one = row(name, samples.get(name)!);
    return isOurs.has(name) ? { ...one, target: { text: `at most ${ALLOWED} ms`, met: one.median <= ALLOWED } } : one;
  });
  return [{ title: `${SESSIONS.toLocaleString('en')} sessions`, unit: 'ms', rows: measured }];
}
