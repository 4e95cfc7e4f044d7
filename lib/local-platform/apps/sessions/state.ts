/**
 * Computes a session’s state at a given time from its stored state and the releases since. When a device installs a
 * release depends only on the session’s ID, the release, and when the app is opened. Nothing is scheduled.
 */
import type { AnalyticsSession, ReleaseType } from '../../../platform-api/index.ts';
import { offsetOf, withOffset } from './offset.ts';
import { chanceOf, lastOpening, nextOpening, rhythmOf, spread } from './openings.ts';

/** `at` in epoch milliseconds. */
export interface PastRelease {
  version: number;
  type: ReleaseType;
  at: number;
}
export interface SessionState {
  lastAccessedAt: Date;
  appVersion: AnalyticsSession['appVersion'];
}
export interface StoredSession extends SessionState {
  id: number;
  /**
   * The app’s latest version when the session was stored: only later releases affect it. Null: the latest version that
   * the device reported.
   */
  recordedVersion: number | null;
}
type AppVersion = NonNullable<SessionState['appVersion']>;

/**
 * Users accept a visible release after `from` to `to` milliseconds. `never` is the fraction of users who decline it.
 */
const PATIENCE = { from: 2_000, to: 4 * 86_400_000, never: 0.08 };
const MAX_ASSETS = 60;

/**
 * @param releases the app’s releases, ascending by version
 * @param now epoch milliseconds
 */
export function stateAt(stored: StoredSession, releases: readonly PastRelease[], now: number): SessionState {
  const { id, lastAccessedAt, appVersion } = stored;
  const recorded = stored.recordedVersion ?? appVersion?.latestVersion ?? appVersion?.currentVersion ?? 0;
  // Searches from the end, since few releases are newer.
  let first = releases.length;
  while (first > 0 && releases[first - 1]!.version > recorded) first -= 1;
  const rhythm = first < releases.length ? rhythmOf(id) : null;
  if (rhythm === null) return { lastAccessedAt, appVersion };
  const opened = lastOpening(id, rhythm, now);
  if (opened <= releases[first]!.at) return { lastAccessedAt, appVersion };
  return {
    lastAccessedAt: new Date(Math.max(opened, lastAccessedAt.getTime())),
    // A device that never reported its version still doesn’t.
    appVersion: appVersion && installReleases({ id, rhythm, opened }, appVersion, releases.slice(first)),
  };
}

interface Device {
  /** The session’s ID. */
  id: number;
  rhythm: number;
  /** When the app was last opened, in epoch milliseconds. */
  opened: number;
}

function installReleases(device: Device, appVersion: AppVersion, releases: readonly PastRelease[]): AppVersion {
  const { id, opened } = device;
  let { latestVersion, currentVersion, localUpdatedAt, nrOfDownloads } = appVersion;
  let downloaded = currentVersion ?? 0;
  let forcedAt: number | null = null;
  for (const [index, release] of releases.entries()) {
    const { version, type, at } = release;
    if (at >= opened) break;
    if (type === 'forced') forcedAt = at;
    latestVersion = Math.max(latestVersion ?? 0, version);
    const installation = installationOf(device, release, forcedAt, releases[index + 1]?.at ?? Infinity);
    if (!installation || installation.downloadedAt > opened || version <= downloaded) continue;
    downloaded = version;
    nrOfDownloads = (nrOfDownloads ?? 0) + 1;
    if (installation.startedAt > opened) continue;
    currentVersion = version;
    localUpdatedAt = new Date(installation.startedAt).toISOString();
  }
  const isBehind = latestVersion !== null && latestVersion > downloaded;
  return {
    ...appVersion,
    isManualCheck: false,
    lastCheckedAt: withOffset(new Date(opened), offsetOf(appVersion.lastCheckedAt)),
    latestVersion,
    currentVersion,
    nrOfDownloads,
    localUpdatedAt,
    assetsToDownload: isBehind ? 1 + Math.floor(chanceOf(id, -latestVersion!) * MAX_ASSETS) : 0,
  };
}

/**
 * When a device downloads a release and first starts it. Null if it never does, because its user declines or a newer
 * release comes first.
 * @param forcedAt time of the last forced release up to this one; null: none since the session was stored
 * @param supersededAt time of the next release
 */
function installationOf(
  { id, rhythm }: Device,
  { version, type, at }: PastRelease,
  forcedAt: number | null,
  supersededAt: number,
): { downloadedAt: number; startedAt: number } | null {
  const first = nextOpening(id, rhythm, at);
  // A device that hasn’t been opened since a forced release must also install whatever superseded it.
  const isForced = forcedAt !== null && nextOpening(id, rhythm, forcedAt) === first;
  if (!isForced && type === 'visible') {
    const chance = chanceOf(id, version);
    if (chance < PATIENCE.never) return null;
    const wait = spread(PATIENCE.from, PATIENCE.to, (chance - PATIENCE.never) / (1 - PATIENCE.never));
    const accepted = nextOpening(id, rhythm, at + wait);
    return accepted <= supersededAt ? { downloadedAt: accepted, startedAt: accepted } : null;
  }
  if (first > supersededAt) return null;
  // The release is downloaded while the app is open, and starts the next time it is opened.
  return { downloadedAt: first, startedAt: isForced ? first : nextOpening(id, rhythm, first) };
}
