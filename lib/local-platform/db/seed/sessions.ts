/** Demo analytics sessions: hundreds of devices over the last weeks, with versions that match their app’s releases. */
import { withOffset } from '../../apps/sessions/offset.ts';
import { rhythmOf } from '../../apps/sessions/openings.ts';
import type { PastRelease } from '../../apps/sessions/state.ts';
import type { analyticsSessions } from '../schema.ts';
import { APPS, releaseNotes } from './apps.ts';
import { personOf } from './entries.ts';
import { createChance, type Chance } from './random.ts';

type NewSession = typeof analyticsSessions.$inferInsert;
type Device = Pick<NonNullable<NewSession['identifier']>, 'os' | 'device' | 'browser' | 'userAgent'>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const WEEKS = 45 * DAY;

/** Ordered by frequency, the most frequent first. */
const DEVICES: Device[] = [
  device(
    'iOS',
    '18',
    'iPhone',
    'Mobile Safari',
    '18',
    '5',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  ),
  device(
    'Android',
    '15',
    'Pixel 9',
    'Chrome Mobile',
    '151',
    '0',
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36',
  ),
  device(
    'Android',
    '13',
    'Samsung SM-A536B',
    'Chrome Mobile',
    '148',
    '0',
    'Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36',
  ),
  device(
    'Windows',
    '10',
    'Other',
    'Edge',
    '150',
    '0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0',
  ),
  device(
    'iOS',
    '17',
    'iPad',
    'Mobile Safari',
    '17',
    '7',
    'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1',
  ),
  device(
    'Android',
    '14',
    'Samsung SM-S921B',
    'Samsung Internet',
    '28',
    '0',
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
  ),
  device(
    'Windows',
    '11',
    'Other',
    'Chrome',
    '151',
    '0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Safari/537.36',
  ),
  device(
    'Mac OS X',
    '15',
    'Mac',
    'Safari',
    '18',
    '5',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ),
  device(
    'Mac OS X',
    '15',
    'Mac',
    'Firefox',
    '153',
    '0',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:153.0) Gecko/20100101 Firefox/153.0',
  ),
  device(
    'Android',
    '12',
    'Zebra TC26',
    'Chrome Mobile',
    '139',
    '0',
    'Mozilla/5.0 (Linux; Android 12; TC26) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Mobile Safari/537.36',
  ),
  device(
    'Ubuntu',
    '24',
    'Other',
    'Firefox',
    '153',
    '0',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0',
  ),
];

const COUNTS = [
  { appId: 101, count: 320 },
  { appId: 102, count: 140 },
  { appId: 104, count: 24 },
];

/**
 * A session that was last used in the 45 days before `now`. Only the times depend on `now`, not the users and devices.
 */
export function demoSessions(now: Date): NewSession[] {
  let id = 70_000;
  return COUNTS.flatMap(({ appId, count }) => {
    const app = APPS.find((each) => each.id === appId)!;
    const past = releaseNotes(app).map(({ version, type, days }) => ({
      version,
      type,
      at: now.getTime() - days * DAY,
    }));
    return Array.from({ length: count }, (_, index) =>
      session((id += 1), appId, index, past, now.getTime(), createChance(id)),
    );
  });
}

/** @param past the app’s releases, ascending */
function session(
  id: number,
  appId: number,
  index: number,
  past: readonly PastRelease[],
  now: number,
  chance: Chance,
): NewSession {
  // Most people have one device, and some have two.
  const userEmail = chance.next() < 0.12 ? null : personOf(Math.floor(index * 0.7)).email;
  const identifier = {
    ...DEVICES[Math.floor(chance.next() ** 1.6 * DEVICES.length)]!,
    ipAddress: addresses(id % 100 === 50 ? 10 : chance.int(1, 3), chance),
  };
  const every = habit(rhythmOf(id));
  // An abandoned device was last seen some time ago.
  const idle =
    every === null ? WEEKS * (0.2 + 0.8 * chance.next()) : Math.min(WEEKS, -every * Math.log(1 - chance.next()));
  const seen = atWork(now - idle, now, chance);
  const installed = Math.max(past[0]!.at, seen - chance.next() ** 2 * 300 * DAY);
  const { version, updated } = lastUpdate(past, every ?? 2 * DAY, installed, seen, chance);
  const checked = seen - chance.int(0, Math.min(HOUR, seen - updated));
  const latest = past.findLast(({ at }) => at <= checked)!.version;
  return {
    id,
    appId,
    identifier,
    lastAccessedAt: new Date(seen),
    userEmail,
    appVersion: {
      isManualCheck: chance.next() < 0.1,
      lastCheckedAt: withOffset(new Date(checked), chance.pick([-300, 0, 60, 120, 330])),
      latestVersion: latest,
      currentVersion: version,
      nrOfDownloads: 1 + past.filter(({ at }) => at > installed && at <= updated).length,
      lastUpdateType: null,
      localUpdatedAt: new Date(updated).toISOString(),
      assetsToDownload: version === latest ? 0 : chance.int(1, 60),
    },
    recordedVersion: past.at(-1)!.version,
  };
}

/** The usual time between two uses of a device with this rhythm. Null: the device was abandoned. */
function habit(rhythm: number | null): number | null {
  if (rhythm === null) return null;
  return rhythm < HOUR / 6 ? 1.2 * DAY : rhythm < DAY / 2 ? 4 * DAY : 12 * DAY;
}

/** Moves a time to working hours before `now`, and most weekend times to Friday. */
function atWork(time: number, now: number, chance: Chance): number {
  let day = Math.floor(time / DAY) * DAY;
  const weekday = new Date(day).getUTCDay();
  const isQuiet = chance.next() < 0.75;
  if ((weekday === 0 || weekday === 6) && isQuiet) day -= (weekday === 6 ? 1 : 2) * DAY;
  const at = day + Math.floor((6 + (chance.next() + chance.next()) * 6.5) * HOUR);
  return at > now ? at - DAY : at;
}

/** The last release that the device installed before it was last seen, and when. */
function lastUpdate(
  past: readonly PastRelease[],
  every: number,
  installed: number,
  seen: number,
  chance: Chance,
): { version: number; updated: number } {
  for (const { version, type, at } of past.toReversed()) {
    if (at > seen) continue;
    if (at <= installed) return { version, updated: installed };
    const declined = type === 'visible' && chance.next() < 0.1;
    const updated = Math.floor(at + every * chance.next() * { forced: 1.5, silent: 2.5, visible: 5 }[type]);
    if (!declined && updated <= seen) return { version, updated };
  }
  return { version: past[0]!.version, updated: installed };
}

/** Each proxy adds its address (specification: “comma-separated list of addresses”). */
function addresses(count: number, chance: Chance): string {
  return Array.from({ length: count }, (_, index) =>
    index === 0
      ? `203.0.113.${chance.int(1, 254)}`
      : `10.${chance.int(0, 255)}.${chance.int(0, 255)}.${chance.int(1, 254)}`,
  ).join(', ');
}

function device(
  os: string,
  osMajor: string,
  family: string,
  browser: string,
  major: string,
  minor: string,
  userAgent: string,
): Device {
  return {
    os: { major: osMajor, family: os },
    device: { family },
    browser: { major, minor, family: browser },
    userAgent,
  };
}
