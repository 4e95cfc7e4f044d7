/**
 * Apps and sessions as a bad platform may list them: every case of bad input as response data (`FaultyPlatform.given`), and the
 * ones that a database accepts as rows of a real platform.
 */
import { sql } from '../../../lib/local-platform/db/drizzle.ts';
import type { Database } from '../../../lib/local-platform/db/database.ts';
import { analyticsSessions, apps, appUsers } from '../../../lib/local-platform/db/schema.ts';
import { DEVELOPER } from '../../../lib/local-platform/db/seed/index.ts';
import { ORGANIZATION } from '../../../lib/local-platform/db/seed/apps.ts';

type Listed = Record<string, unknown>;

export const MARKUP = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>&lt;b&gt;';
/** Embeds, overrides, and isolates that are never closed, which would reverse the text that follows. */
export const RTL = '\u202eevil\u202b\u2067 \u200fخدمة الميدان\u061c exe.ppa';
export const LONG = 'Long name '.repeat(1_000);
/** Wider than any screen, without a line break opportunity. */
const UNBROKEN = 'W'.repeat(10_000);
const SCRIPT_URL = 'javascript:globalThis.hacked=1';
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.hacked=1"><script>globalThis.hacked=1</script></svg>';

const TIME = '2026-01-01T00:00:00.000Z';
const FIRST_APP = 900_001;
const FIRST_SESSION = 9_000_001;

/**
 * Apps of `GET /v1/apps`, each with its own id from 900001 on; the first one is valid. A name or icon that runs sets
 * `globalThis.hacked`.
 */
export function hostileApps(): Listed[] {
  const fields: Listed[] = [
    { name: 'Plain' },
    // Null in every field that may be null, and in those that only a bad platform leaves null.
    {
      name: 'Nulls',
      icon: null,
      version: null,
      settings: null,
      releases: null,
      dependencies: null,
      slug: null,
      deletedAt: null,
      startingPageId: null,
      productionAppId: null,
      appUser: null,
    },
    {
      name: 'Absent',
      icon: undefined,
      version: undefined,
      settings: undefined,
      releases: undefined,
      dependencies: undefined,
      slug: undefined,
      deletedAt: undefined,
      startingPageId: undefined,
      productionAppId: undefined,
      appUser: undefined,
    },
    { name: 'Without appUser', appUser: undefined },
    {
      name: 'Unknown fields',
      colour: 'blue',
      owner: { name: MARKUP },
      ['__proto__']: { hacked: 1 },
      tags: Array.from({ length: 1_000 }, (_, n) => `tag-${n}`),
      appUser: { appRoleId: 1, appId: 900_005, userId: 1, since: TIME },
    },
    { name: LONG },
    { name: UNBROKEN },
    { name: MARKUP },
    { name: RTL },
    { name: '' },
    { name: ' \n\t ' },
    { name: 'e\u0301\u0323'.repeat(500) },
    { name: 'constructor' },
    { name: '__proto__' },
    { name: 'Icon runs a script', icon: SCRIPT_URL },
    { name: 'Icon runs a script, written oddly', icon: ' \u0001JaVa\tScRiPt:globalThis.hacked=1' },
    { name: 'Icon is a page', icon: `data:text/html,${encodeURIComponent(MARKUP)}` },
    { name: 'Icon is a picture that runs a script', icon: `data:image/svg+xml,${encodeURIComponent(SVG)}` },
    { name: 'Icon is a picture of a megabyte', icon: `data:image/png;base64,${'A'.repeat(1_000_000)}` },
    { name: 'Icon leads to a file', icon: 'file:///etc/passwd' },
    { name: 'Icon leads to the extension', icon: 'chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/options.html' },
    { name: 'Icon is no address', icon: 'https://[' },
    { name: 'Icon has a password', icon: 'https://user:secret@cdn.example.com/icon.png' },
    { name: 'Deleted', deletedAt: '2026-02-03T04:05:06.000Z' },
    { name: 'Dates are none', createdAt: 'yesterday', updatedAt: '', deletedAt: 'soon' },
    { name: 'Dates are far', createdAt: '0001-01-01T00:00:00Z', updatedAt: '+275760-09-13T00:00:00.000Z' },
    { name: 'Numbers are large', version: Number.MAX_SAFE_INTEGER, productionAppId: -1, startingPageId: 0 },
    { name: 'Version is negative', version: -3 },
  ];
  return fields.map((each, index) => ({
    id: FIRST_APP + index,
    icon: `https://cdn.example.com/icons/${index}.png`,
    version: 3,
    settings: {},
    releases: [],
    dependencies: [],
    slug: null,
    createdAt: TIME,
    updatedAt: TIME,
    deletedAt: null,
    organizationId: ORGANIZATION.id,
    startingPageId: 1,
    productionAppId: null,
    appUser: { appRoleId: 2, appId: FIRST_APP + index, userId: DEVELOPER.id },
    ...each,
  }));
}

const IDENTIFIER = {
  os: { major: '15', family: 'Android' },
  device: { family: 'Pixel 9' },
  browser: { major: '151', minor: '0', family: 'Chrome Mobile' },
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9)',
};
const VERSION = {
  isManualCheck: false,
  lastCheckedAt: '2026-11-10T10:00:00+01:00',
  latestVersion: 12,
  currentVersion: 11,
  nrOfDownloads: 3,
  lastUpdateType: null,
  localUpdatedAt: '2026-11-01T08:00:00.000Z',
  assetsToDownload: 4,
};

/** Sessions of `GET /v1/apps/:id/analytics/sessions`, each with its own ID from 9000001 on; the first is valid. */
export function hostileSessions(): Listed[] {
  const device = (fields: Listed): Listed => ({ identifier: { ...IDENTIFIER, ...fields } });
  const browser = (fields: Listed): Listed => device({ browser: { ...IDENTIFIER.browser, ...fields } });
  const version = (fields: Listed): Listed => ({ appVersion: { ...VERSION, ...fields } });
  const user = (email: unknown): Listed => ({ user: { email } });
  const cases: Listed[] = [
    {},
    // Null in every field that may be null, at each depth.
    { identifier: null, user: null, appVersion: null },
    { identifier: undefined, user: undefined, appVersion: undefined },
    device({ os: null, device: null, browser: null, ipAddress: null, userAgent: null }),
    device({
      os: { major: null, family: null },
      device: { family: null },
      browser: { major: null, minor: null, family: null },
    }),
    device({ os: undefined, device: undefined, browser: undefined, ipAddress: undefined, userAgent: undefined }),
    version({
      isManualCheck: null,
      lastCheckedAt: null,
      latestVersion: null,
      currentVersion: null,
      nrOfDownloads: null,
      localUpdatedAt: null,
      assetsToDownload: null,
    }),
    version({
      isManualCheck: undefined,
      lastCheckedAt: undefined,
      latestVersion: undefined,
      currentVersion: undefined,
      nrOfDownloads: undefined,
      lastUpdateType: undefined,
      localUpdatedAt: undefined,
      assetsToDownload: undefined,
    }),
    user(null),
    { user: {} },
    { user: undefined },
    user(''),
    {
      colour: 'blue',
      identifier: { ...IDENTIFIER, screen: { width: 390 } },
      appVersion: { ...VERSION, channel: 'beta' },
      user: { email: 'extra@example.com', name: 'Extra' },
    },
    device({ ipAddress: Array.from({ length: 10 }, (_, n) => `10.0.0.${n + 1}`).join(', ') }),
    device({ ipAddress: '2001:db8::1,::ffff:203.0.113.9,unknown' }),
    device({ ipAddress: Array.from({ length: 2_000 }, (_, n) => `10.${n % 256}.0.1`).join(',') }),
    browser({ family: 'Other', major: '', minor: '' }),
    browser({ family: 'NetHopper/3.2 (an unknown browser)', major: 'x', minor: '\u221e' }),
    browser({ family: MARKUP }),
    device({ os: { family: RTL, major: '9'.repeat(400) }, device: { family: LONG } }),
    device({ userAgent: UNBROKEN }),
    user(`${MARKUP}@example.com`),
    user(RTL),
    user(UNBROKEN),
    user('=HYPERLINK("http://evil.example","Click")'),
    user('+1+1|cmd'),
    user('"quoted", with\r\na line break'),
    user('constructor'),
    user('__proto__'),
    // Dates in both forms of the specification, the wrong way round; then none, far, and in the future.
    {
      lastAccessedAt: '2026-11-10T10:00:00+05:30',
      ...version({ lastCheckedAt: '2026-11-10T04:30:00.000Z', localUpdatedAt: '2026-11-10T04:00:00-05:00' }),
    },
    {
      lastAccessedAt: 'yesterday',
      ...version({ lastCheckedAt: 'not a date', localUpdatedAt: '2026-13-45T99:99:99Z' }),
    },
    { lastAccessedAt: '', ...version({ lastCheckedAt: '', localUpdatedAt: '' }) },
    {
      lastAccessedAt: '2099-01-01T00:00:00.000Z',
      ...version({ lastCheckedAt: '2099-01-01T00:00:00+00:00', localUpdatedAt: '2099-01-01T00:00:00.000Z' }),
    },
    { lastAccessedAt: '+275760-09-13T00:00:00.000Z', ...version({ localUpdatedAt: '+275760-09-13T00:00:00.000Z' }) },
    { lastAccessedAt: '0001-01-01T00:00:00.000Z', ...version({ localUpdatedAt: '1970-01-01T00:00:00.000Z' }) },
    version({ currentVersion: 13, latestVersion: 12 }),
    version({
      currentVersion: Number.MAX_SAFE_INTEGER,
      latestVersion: Number.MAX_SAFE_INTEGER,
      nrOfDownloads: Number.MAX_SAFE_INTEGER,
    }),
    version({ currentVersion: -1, latestVersion: 0, nrOfDownloads: -5, assetsToDownload: -5 }),
    version({ lastUpdateType: MARKUP }),
  ];
  return cases.map((each, index) => ({
    id: FIRST_SESSION + index,
    identifier: IDENTIFIER,
    lastAccessedAt: '2026-11-10T09:00:00.000Z',
    user: { email: `person-${index}@example.com` },
    appVersion: VERSION,
    ...each,
  }));
}

/** Adds the apps and sessions that a database accepts to a real platform, the sessions to app `appId`; returns how many. */
export async function addHostile(db: Database, appId: number): Promise<{ apps: number; sessions: number }> {
  const isText = (value: unknown): value is string => typeof value === 'string';
  const date = (value: unknown): Date | null =>
    isText(value) && !Number.isNaN(Date.parse(value)) ? new Date(value) : null;
  const isInteger = (value: unknown): value is number => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
  const newApps = hostileApps().flatMap(({ id, name, icon, version, deletedAt }) =>
    deletedAt || (version !== null && !isInteger(version))
      ? []
      : [
          {
            id: id as number,
            name: name as string,
            icon: isText(icon) ? icon : '',
            version: version as number | null,
            organizationId: ORGANIZATION.id,
          },
        ],
  );
  await db.insert(apps).values(newApps);
  await db.insert(appUsers).values(newApps.map(({ id }) => ({ appId: id, userId: DEVELOPER.id, appRoleId: 2 })));
  const newSessions = hostileSessions().flatMap(({ id, identifier, lastAccessedAt, user, appVersion }) => {
    const seen = date(lastAccessedAt);
    const email = (user as { email?: string | null } | null | undefined)?.email;
    // Each database driver formats a year beyond 9999 differently.
    if (!seen || seen.getUTCFullYear() > 9999) return [];
    const stored = (value: unknown) => sql`${JSON.stringify(value ?? null)}::json`;
    return [
      {
        id: id as number,
        appId,
        identifier: stored(identifier),
        lastAccessedAt: seen,
        userEmail: email ?? null,
        appVersion: stored(appVersion),
      },
    ];
  });
  await db.insert(analyticsSessions).values(newSessions);
  return { apps: newApps.length, sessions: newSessions.length };
}
