/**
 * Computes the state of a session at a time: its stored state, moved on by later releases. When a device gets a
 * release follows from the session’s ID, the release, and the device’s openings. Nothing is scheduled.
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
  /** The app's version when this was stored: releases after it move the session. Null: the newest that the session itself knows. */
  recordedVersion: number | null;
}

/** Who is asked whether to update takes a while, from so long to so long in milliseconds; a share of people never does it. */
const PATIENCE = { from: 2_000, to: 4 * 86_400_000, never: 0.08 };
const MOST_ASSETS = 60;

/**
 * @param releases of the session's app, ascending by version
 * @param now epoch milliseconds
 */
export function stateAt(stored: StoredSession, releases: readonly PastRelease[], now: number): SessionState {
  const { id, lastAccessedAt, appVersion } = stored;
  const recorded = stored.recordedVersion ?? appVersion?.latestVersion ?? appVersion?.currentVersion ?? 0;
  // From the end: what is new is little.
  let index = releases.length;
  while (index > 0 && releases[index - 1]!.version > recorded) index -= 1;
  const rhythm = index < releases.length ? rhythmOf(id) : null;
  if (rhythm === null) return { lastAccessedAt, appVersion };
  const opened = lastOpening(id, rhythm, now);
  if (opened <= releases[index]!.at) return { lastAccessedAt, appVersion };

  let { latestVersion, currentVersion, localUpdatedAt, nrOfDownloads } = {
    latestVersion: null,
    currentVersion: null,
    localUpdatedAt: null,
    nrOfDownloads: null,
    ...appVersion,
  };
  let downloaded = currentVersion ?? 0;
  let forcedAt: number | null = null;
  for (; index < releases.length && releases[index]!.at < opened; index += 1) {
    const release = releases[index]!;
    const { version } = release;
    if (release.type === 'forced') forcedAt = release.at;
    latestVersion = Math.max(latestVersion ?? 0, version);
    const coming = arrival(id, rhythm, release, forcedAt, releases[index + 1]?.at ?? Infinity);
    if (!coming || coming.downloaded > opened || version <= downloaded) continue;
    downloaded = version;
    nrOfDownloads = (nrOfDownloads ?? 0) + 1;
    if (coming.inEffect > opened) continue;
    currentVersion = version;
    localUpdatedAt = new Date(coming.inEffect).toISOString();
  }
  return {
    lastAccessedAt: new Date(Math.max(opened, lastAccessedAt.getTime())),
    // A device that told nothing of its version goes on telling nothing.
    appVersion: appVersion && {
      ...appVersion,
      isManualCheck: false,
      lastCheckedAt: withOffset(new Date(opened), offsetOf(appVersion.lastCheckedAt)),
      latestVersion,
      currentVersion,
      nrOfDownloads,
      localUpdatedAt,
      assetsToDownload:
        latestVersion !== null && latestVersion > downloaded
          ? 1 + Math.floor(chanceOf(id, -latestVersion) * MOST_ASSETS)
          : 0,
    },
  };
}

/**
 * When the device has a release downloaded and in effect; null when it never does: whoever uses it declines, or a newer one was
 * there first.
 * @param forcedAt when the last forced release up to this one came; null: none since the session was stored
 */
function arrival(
  id: number,
  rhythm: number,
  { version, type, at }: PastRelease,
  forcedAt: number | null,
  overtakenAt: number,
): { downloaded: number; inEffect: number } | null {
  const first = nextOpening(id, rhythm, at);
  // Not opened since a forced release: then the one that overtook it is forced too.
  const isForced = forcedAt !== null && nextOpening(id, rhythm, forcedAt) === first;
  if (!isForced && type === 'visible') {
    const chance = chanceOf(id, version);
    if (chance < PATIENCE.never) return null;
    const accepted = nextOpening(
      id,
      rhythm,
      at + spread(PATIENCE.from, PATIENCE.to, (chance - PATIENCE.never) / (1 - PATIENCE.never)),
    );
    return accepted <= overtakenAt ? { downloaded: accepted, inEffect: accepted } : null;
  }
  if (first > overtakenAt) return null;
  // Downloaded while the app is open, in effect when it is opened next.
  return { downloaded: first, inEffect: isForced ? first : nextOpening(id, rhythm, first) };
}
