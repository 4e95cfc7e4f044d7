/** Owns the demo analytics sessions: some hundred devices over the last weeks, of several makes and app versions. */
import type { analyticsSessions } from '../schema.ts';
import { PEOPLE } from './entries.ts';
import { createChance, type Chance } from './random.ts';

type NewSession = typeof analyticsSessions.$inferInsert;
type Device = Pick<NonNullable<NewSession['identifier']>, 'os' | 'device' | 'browser' | 'userAgent'>;

const DAY = 86_400_000;

const DEVICES: Device[] = [
  device('iOS', '18', 'iPhone', 'Mobile Safari', '18', '5', 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'),
  device('iOS', '17', 'iPad', 'Mobile Safari', '17', '7', 'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.7 Mobile/15E148 Safari/604.1'),
  device('Android', '15', 'Pixel 9', 'Chrome Mobile', '151', '0', 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/151.0.0.0 Mobile Safari/537.36'),
  device('Android', '13', 'Samsung SM-A536B', 'Chrome Mobile', '148', '0', 'Mozilla/5.0 (Linux; Android 13; SM-A536B) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Mobile Safari/537.36'),
  device('Windows', '10', 'Other', 'Edge', '150', '0', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36 Edg/150.0.0.0'),
  device('Mac OS X', '15', 'Mac', 'Firefox', '153', '0', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15.0; rv:153.0) Gecko/20100101 Firefox/153.0'),
];

/** Apps, how many sessions each has and the newest version of its app. */
const COUNTS = [
  { appId: 101, count: 320, latest: 12 },
  { appId: 102, count: 140, latest: 4 },
  { appId: 104, count: 24, latest: 31 },
];

/** Relative to `now`, from 45 days ago on. */
export function demoSessions(now: Date): NewSession[] {
  const chance = createChance(20_260_101);
  let id = 70_000;
  return COUNTS.flatMap(({ appId, count, latest }) => Array.from({ length: count }, () => session((id += 1), appId, latest, now, chance)));
}

function session(id: number, appId: number, latest: number, now: Date, chance: Chance): NewSession {
  // Squared: most devices were seen lately.
  const seen = new Date(now.getTime() - Math.floor(chance.next() ** 2 * 45 * DAY));
  const currentVersion = Math.max(1, latest - Math.floor(chance.next() ** 3 * 5));
  return {
    id,
    appId,
    identifier: { ...chance.pick(DEVICES), ipAddress: addresses(id % 100 === 50 ? 10 : chance.int(1, 3), chance) },
    lastAccessedAt: seen,
    userEmail: chance.next() < 0.12 ? null : chance.pick(PEOPLE).email,
    appVersion: {
      isManualCheck: chance.next() < 0.2,
      lastCheckedAt: withOffset(new Date(seen.getTime() - chance.int(0, 3_600_000)), chance.pick([-300, 0, 60, 120, 330])),
      latestVersion: latest,
      currentVersion,
      nrOfDownloads: latest - currentVersion,
      lastUpdateType: null,
      localUpdatedAt: new Date(seen.getTime() - chance.int(1, 20) * DAY).toISOString(),
      assetsToDownload: currentVersion === latest ? 0 : chance.int(1, 60),
    },
  };
}

/** Proxies on the way add their addresses: "comma-separated list of addresses". */
function addresses(count: number, chance: Chance): string {
  return Array.from({ length: count }, (_, index) => (index === 0 ? `203.0.113.${chance.int(1, 254)}` : `10.${chance.int(0, 255)}.${chance.int(0, 255)}.${chance.int(1, 254)}`)).join(', ');
}

/** ISO 8601 with a numeric offset: `2026-03-01T10:00:00+01:00`. */
export function withOffset(date: Date, minutes: number): string {
  const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 19);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

function device(os: string, osMajor: string, family: string, browser: string, major: string, minor: string, userAgent: string): Device {
  return { os: { major: osMajor, family: os }, device: { family }, browser: { major, minor, family: browser }, userAgent };
}
