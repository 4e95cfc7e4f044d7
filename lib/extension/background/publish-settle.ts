/** Determines the outcome of a publish without a response, based on the app’s version and time (decisions, “REST”). */
import type { App } from '../../platform-api/index.ts';
import type { KnownRelease, PublishOutcome, PublishRecord } from '../messaging/model/publishing.ts';

/** How long the platform might still be processing a request, in milliseconds. */
export const STILL_POSSIBLE = 120_000;

/**
 * @param app the app as listed now, or undefined if it’s no longer listed
 * @param latest the newest version that sessions report
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
      'Couldn’t confirm whether the update was published: the app is no longer listed.',
      'Check that the token has access to the app, or dismiss this update.',
    );
  const version = versionNow(app, expected, latest);
  if (app.updatedAt === expected.updatedAt && (version === null || version === expected.version)) {
    if (now - (sentAt ?? now) < STILL_POSSIBLE)
      return unknown(
        `Couldn’t confirm whether the update was published: the platform may still be processing it. ${unchanged(expected)}`,
        'Check again in two minutes before you publish again.',
      );
    return {
      state: 'failed',
      at: now,
      error: {
        code: 'NOT_PUBLISHED',
        message: `The update wasn’t published. ${unchanged(expected)}`,
        hint: 'Try again.',
      },
    };
  }
  if (version === null || expected.version === null) {
    // Sessions can’t distinguish an old version from a new one.
    if (app.version === null || app.updatedAt === expected.updatedAt)
      return unknown(
        `Couldn’t confirm whether the update was published: the app changed at ${app.updatedAt}, but the platform lists no version.`,
        'Check the app for your changes, then dismiss this update.',
      );
    return { state: 'published', at: now, settled: true, app: { version: app.version, updatedAt: app.updatedAt } };
  }
  if (version === expected.version + 1)
    return { state: 'published', at: now, settled: true, app: { version, updatedAt: app.updatedAt } };
  if (version <= expected.version)
    return unknown(
      `Couldn’t confirm whether the update was published: the app changed at ${app.updatedAt}, but its version is still ${version}.`,
      'Check again in two minutes. If the version is still the same, the update wasn’t published.',
    );
  return unknown(
    `Couldn’t confirm whether the update was published: the version rose from ${expected.version} to ${version}.`,
    'Check the app for your changes, then dismiss this update.',
  );
}

/**
 * If the app list has no version, uses the newest version that sessions report, which can lag behind. Ignores versions
 * below the known one.
 */
function versionNow(app: App, expected: KnownRelease, latest: number | null): number | null {
  if (app.version !== null) return app.version;
  return latest !== null && latest >= (expected.version ?? 0) ? latest : null;
}

const unchanged = ({ version, updatedAt }: KnownRelease): string =>
  `The app has been ${version === null ? 'unchanged' : `at version ${version}`} since ${updatedAt}.`;
