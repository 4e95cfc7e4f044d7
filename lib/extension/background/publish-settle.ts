/** Owns what can be said of a publish whose answer did not come, by reading the app again (decisions, "REST"). */
import type { App, KnownRelease, PublishOutcome, PublishRecord } from '../../platform-api/index.ts';

/** For so long after it was sent, in milliseconds, a request may still be at work on the platform. */
export const STILL_POSSIBLE = 120_000;

/**
 * @param app as listed now; undefined when it is no longer in the list
 * @param latest the newest version that sessions know; null when they tell none
 */
export function judge(
  { expected, sentAt, outcome }: PublishRecord,
  app: App | undefined,
  latest: number | null,
  now: number,
): PublishOutcome {
  const unknown = (message: string, hint: string): PublishOutcome => ({
    state: 'unknown',
    at: now,
    error: {
      code: 'OUTCOME_UNKNOWN',
      message,
      hint,
      ...(outcome?.state === 'unknown' && outcome.error.status !== undefined && { status: outcome.error.status }),
    },
  });
  if (!app)
    return unknown(
      'The app is no longer in the list of apps, so it cannot be seen whether the update was published.',
      'Ask an administrator for access to the app, or let this publish go.',
    );
  const version = versionNow(app, expected, latest);
  if (app.updatedAt === expected.updatedAt && (version === null || version === expected.version)) {
    if (now - (sentAt ?? now) < STILL_POSSIBLE)
      return unknown(
        `Nothing is published so far: ${versionName(expected)} of ${since(expected)} stands. The request may still be at work on the platform.`,
        'Look again in two minutes before you publish once more.',
      );
    return {
      state: 'failed',
      at: now,
      error: {
        code: 'NOT_PUBLISHED',
        message: `It was not published: ${versionName(expected)} of ${since(expected)} still stands.`,
        hint: 'Publish it again.',
      },
    };
  }
  if (version === null || expected.version === null) {
    // Sessions alone do not tell an old version from a new one.
    if (app.version === null || app.updatedAt === expected.updatedAt)
      return unknown(
        `The app was changed at ${app.updatedAt}, but the platform lists no version, so it cannot be said by what.`,
        'Open the app and look for what you changed; then let this publish go.',
      );
    return { state: 'published', at: now, settled: true, app: { version: app.version, updatedAt: app.updatedAt } };
  }
  if (version === expected.version + 1)
    return { state: 'published', at: now, settled: true, app: { version, updatedAt: app.updatedAt } };
  if (version <= expected.version)
    return unknown(
      `The app was changed at ${app.updatedAt}, and its version is ${version} as before.`,
      'Look again in two minutes; if it stays, nothing was published by this.',
    );
  return unknown(
    `Since then ${version - expected.version} versions were published, up to ${version}: somebody else publishes too, so yours may or may not be among them.`,
    'Open the app and look for what you changed; then let this publish go.',
  );
}

/** A platform that lists null may tell the version by its sessions, which follow later: one below what was known tells nothing. */
function versionNow(app: App, expected: KnownRelease, latest: number | null): number | null {
  if (app.version !== null) return app.version;
  return latest !== null && latest >= (expected.version ?? 0) ? latest : null;
}

const versionName = ({ version }: KnownRelease): string => (version === null ? 'the version' : `version ${version}`);
const since = ({ updatedAt }: KnownRelease): string => updatedAt;
