/**
 * Determines the outcome of a publish from the app’s version, its time, and its releases’ notes (decisions, “REST”). A
 * new version alone doesn’t say who published it.
 */
import type { App, ErrorValue } from '../../platform-api/index.ts';
import type { KnownRelease, PublishOutcome, PublishRecord } from '../messaging/model/publishing.ts';
import { platformTime } from './publish-errors.ts';
import { formatTime } from '../../shared/format.ts';
import { type Releases, versionsWith } from './releases.ts';

/** How long the platform might still be processing a request, in milliseconds. */
export const STILL_POSSIBLE = 120_000;

export interface Findings {
  /** The app as listed now, or undefined if it’s no longer listed. */
  app: App | undefined;
  /** The newest version that sessions report. */
  latest: number | null;
  releases: Releases;
}

/** The outcome of a publish without a response. */
export function judge(record: PublishRecord, { app, latest, releases }: Findings, now: number): PublishOutcome {
  const { expected, sentAt, release } = record;
  const unknown = (cause: string, hint: string): PublishOutcome => unknownOutcome(record, now, cause, hint);
  const failed = (message: string): PublishOutcome =>
    now - (sentAt ?? now) < STILL_POSSIBLE
      ? unknown(
          `the platform may still be processing it. ${message}`,
          'Check again in two minutes before you publish again.',
        )
      : {
          state: 'failed',
          at: now,
          error: { code: 'NOT_PUBLISHED', message: `The update wasn’t published. ${message}`, hint: 'Try again.' },
        };
  if (!app)
    return unknown(
      'the app is no longer listed.',
      'Check that the token has access to the app, or dismiss this update.',
    );
  const version = versionNow(app, expected, latest);
  if (app.updatedAt === expected.updatedAt && (version === null || version === expected.version))
    return failed(
      `The list of ${formatTime(now)} shows no change of the app since ${platformTime(expected.updatedAt)}.`,
    );
  const versions =
    expected.version !== null && version !== null && version > expected.version
      ? versionsWith(release, releases.listed, expected.version, version)
      : null;
  if (versions) {
    if (versions.length > 1) return publishedTwice(versions, now);
    // A platform may change how notes are written.
    if (versions.length === 0)
      return unknown(
        `version ${version} was published with other release notes.`,
        'Compare them with yours, then dismiss this update.',
      );
    // A later release has the time of the app.
    const updatedAt = versions[0] === version ? app.updatedAt : '';
    return { state: 'published', at: now, settled: true, app: { version: versions[0]!, updatedAt } };
  }
  return unknown(...changed(expected, app, version, releases.error));
}

/** Why the outcome is unknown although the app has changed, and what to do. */
function changed(
  expected: KnownRelease,
  app: App,
  version: number | null,
  error: ErrorValue | null,
): [cause: string, hint: string] {
  const at = `the app changed at ${platformTime(app.updatedAt)}`;
  if (version === null || (expected.version === null && app.version === null))
    return [`${at}, but the platform lists no version.`, 'Check the app for your changes, then dismiss this update.'];
  // Sessions have a version only after someone has used it.
  if (expected.version !== null && version <= expected.version)
    return app.version === null
      ? [
          `${at}, but the platform lists no version. The newest one in its sessions is ${version}.`,
          'Check the app for your changes, then dismiss this update.',
        ]
      : [
          `${at}, but its version is still ${version}.`,
          'Check again in two minutes, then check the app for your changes.',
        ];
  if (error)
    return [
      `the app has reached version ${version}. Couldn’t read its release notes: ${error.message}`,
      'Check again.',
    ];
  return [
    `the app has reached version ${version}. The platform doesn’t list all release notes up to it.`,
    'Check the app for your changes, then dismiss this update.',
  ];
}

/** The outcome of a publish whose response reports `version`, which other releases may have preceded. */
export function judgeResponse(
  record: PublishRecord,
  published: PublishOutcome & { state: 'published' },
  { listed }: Releases,
): PublishOutcome {
  const before = record.expected.version;
  const { version } = published.app;
  if (before === null || version === null) return published;
  const versions = versionsWith(record.release, listed, before, version);
  if (versions && versions.length > 1) return publishedTwice(versions, published.at);
  if (versions?.length === 1) return published;
  return {
    state: 'unknown',
    at: published.at,
    error: {
      code: 'OUTCOME_UNKNOWN',
      message:
        `Couldn’t confirm whether the update was published only once: version ${before} was the newest seen before, ` +
        `and the response says ${version}. ` +
        'Someone else may have published, or the browser sent the update twice.',
      hint: 'Check the app’s versions, then dismiss this update.',
    },
  };
}

/** Whether the response’s version shows that there were other releases, too. */
export const isJump = ({ expected }: PublishRecord, { version }: KnownRelease): boolean =>
  expected.version !== null && version !== null && version > expected.version + 1;

const publishedTwice = (versions: readonly number[], at: number): PublishOutcome => ({
  state: 'unknown',
  at,
  error: {
    code: 'PUBLISHED_TWICE',
    message: `${versions.length} releases have this update’s type and release notes: versions ${versions.join(' and ')}. The extension sent it once.`,
    hint: 'Check if someone else published the same notes, or if a proxy repeats requests. Then dismiss this update.',
  },
});

function unknownOutcome({ outcome }: PublishRecord, at: number, cause: string, hint: string): PublishOutcome {
  const error: ErrorValue = {
    code: 'OUTCOME_UNKNOWN',
    message: `Couldn’t confirm whether the update was published: ${cause}`,
    hint,
    ...(outcome?.state === 'unknown' && outcome.error.status !== undefined && { status: outcome.error.status }),
  };
  return { state: 'unknown', at, error };
}

/**
 * If the app list has no version, uses the newest version that sessions report, which can lag behind. Ignores versions
 * below the known one.
 */
function versionNow(app: App, expected: KnownRelease, latest: number | null): number | null {
  if (app.version !== null) return app.version;
  return latest !== null && latest >= (expected.version ?? 0) ? latest : null;
}
