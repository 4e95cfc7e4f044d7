/** Tests what a second read of the app reveals about a publish without a response. */
import { expect, it } from 'vitest';
import { isJump, judge, judgeResponse, STILL_POSSIBLE } from '../../../../lib/extension/background/publish-settle.ts';
import { type ListedRelease, NO_RELEASES, type Releases } from '../../../../lib/extension/background/releases.ts';
import type { App } from '../../../../lib/platform-api/index.ts';
import type { PublishRecord } from '../../../../lib/extension/messaging/model/publishing.ts';

const BEFORE = '2026-02-01T10:00:00.000Z';
const AFTER = '2026-02-01T10:05:00.000Z';
const SENT = 1_000_000;
const RELEASE = { type: 'silent', changelog: 'Mine.\r\nAll of it.\n' } as const;
const record = (version: number | null) =>
  ({ expected: { version, updatedAt: BEFORE }, sentAt: SENT, outcome: null, release: RELEASE }) as PublishRecord;
const app = (version: number | null, updatedAt: string) => ({ version, updatedAt }) as App;
const mine = (version: number): ListedRelease => ({ ...RELEASE, version });
const trimmed = (version: number): ListedRelease => ({ ...mine(version), changelog: 'Mine.\nAll of it.' });
const listed = (releases: readonly ListedRelease[] | null): Releases => ({ listed: releases ?? [], error: null });
const theirs = (version: number): ListedRelease => ({ ...RELEASE, version, changelog: 'Theirs.' });

it.each([
  ['the next version has its notes: published', 12, app(13, AFTER), null, [mine(13)], 'published'],
  ['a later version has its notes: published', 12, app(14, AFTER), null, [theirs(14), mine(13)], 'published'],
  [
    'the next version has other notes: anybody’s, since a platform may rewrite them',
    12,
    app(13, AFTER),
    null,
    [theirs(13)],
    'unknown',
  ],
  ['an older version has its notes, and the next doesn’t', 12, app(13, AFTER), null, [mine(12), theirs(13)], 'unknown'],
  ['the list of releases lags behind the app: anybody’s', 12, app(13, AFTER), null, [theirs(12)], 'unknown'],
  ['the list of releases lacks one of two', 12, app(14, AFTER), null, [theirs(14)], 'unknown'],
  ['the list lacks one of two, which might be a second copy', 12, app(14, AFTER), null, [mine(13)], 'unknown'],
  ['its notes are listed trimmed: published', 12, app(13, AFTER), null, [trimmed(13)], 'published'],
  ['two versions have its notes: published twice', 12, app(14, AFTER), null, [mine(14), mine(13)], 'unknown'],
  ['the next version is there, without notes: anybody’s', 12, app(13, AFTER), null, null, 'unknown'],
  ['nothing has changed, long after: not published', 12, app(12, BEFORE), null, null, 'failed'],
  ['several versions more are there: anybody’s', 12, app(14, AFTER), null, null, 'unknown'],
  ['changed at the same version: by something else', 12, app(12, AFTER), null, null, 'unknown'],
  ['the app is gone from the list', 12, undefined, null, null, 'unknown'],
  ['no version listed, the sessions know the next one: anybody’s', 12, app(null, AFTER), 13, null, 'unknown'],
  ['no version listed, the sessions do not know the next yet', 12, app(null, AFTER), 12, null, 'unknown'],
  ['no version listed, no sessions, changed', 12, app(null, AFTER), null, null, 'unknown'],
  ['no version known before or now, unchanged: not published', null, app(null, BEFORE), null, null, 'failed'],
  ['no version known before, now the first: anybody’s', null, app(1, AFTER), null, [mine(1)], 'unknown'],
  ['no version known before, the sessions know one now', null, app(null, AFTER), 13, null, 'unknown'],
  ['sessions older than what was known tell nothing', 12, app(null, BEFORE), 9, null, 'failed'],
] as const)('%s', (_name, version, now, latest, releases, state) => {
  const outcome = judge(record(version), { app: now, latest, releases: listed(releases) }, SENT + STILL_POSSIBLE);
  expect(outcome.state).toBe(state);
  if (outcome.state !== 'published')
    expect(outcome.error).toMatchObject({ message: expect.any(String), hint: expect.any(String) });
});

it('doesn’t report a request that may still run as failed', () => {
  const early = (now: App, releases: ListedRelease[] | null) =>
    judge(record(12), { app: now, latest: null, releases: listed(releases) }, SENT + STILL_POSSIBLE - 1).state;
  expect(early(app(12, BEFORE), null)).toBe('unknown');
  expect(early(app(13, AFTER), [theirs(13)])).toBe('unknown');
});

it.each<[Releases, string, string]>([
  [
    NO_RELEASES,
    'Couldn’t confirm whether the update was published: the app has reached version 13. The platform doesn’t list all release notes up to it.',
    'Check the app for your changes, then dismiss this update.',
  ],
  [
    { listed: [], error: { code: 'PLATFORM_SLOW', message: 'The platform is slow.' } },
    'Couldn’t confirm whether the update was published: the app has reached version 13. Couldn’t read its release notes: The platform is slow.',
    'Check again.',
  ],
])('says whether release notes aren’t listed or couldn’t be read (%#)', (releases, message, hint) => {
  expect(judge(record(12), { app: app(13, AFTER), latest: null, releases }, SENT)).toMatchObject({
    state: 'unknown',
    error: { message, hint },
  });
});

it('names the list that shows no change', () => {
  expect(
    judge(record(12), { app: app(12, BEFORE), latest: null, releases: NO_RELEASES }, SENT + STILL_POSSIBLE),
  ).toEqual({
    state: 'failed',
    at: SENT + STILL_POSSIBLE,
    error: {
      code: 'NOT_PUBLISHED',
      message: expect.stringMatching(
        /^The update wasn’t published\. The list of .+ shows no change of the app since .+ \d\d:\d\d\.$/,
      ),
      hint: 'Try again.',
    },
  });
});

it('has no time for a release that another one followed', () => {
  const found = (releases: ListedRelease[]) =>
    judge(record(12), { app: app(releases.length + 12, AFTER), latest: null, releases: listed(releases) }, SENT);
  expect(found([mine(13)])).toMatchObject({ app: { version: 13, updatedAt: AFTER } });
  expect(found([mine(13), theirs(14)])).toMatchObject({ app: { version: 13, updatedAt: '' } });
});

it.each([
  ['the response’s release is the only one with these notes', 14, [theirs(13), mine(14)], 'published'],
  ['the platform lists only one of the two', 14, [mine(14)], 'OUTCOME_UNKNOWN'],
  ['two releases have these notes', 14, [mine(13), mine(14)], 'PUBLISHED_TWICE'],
  ['the platform lists no notes', 14, null, 'OUTCOME_UNKNOWN'],
] as const)('a response with a version that rose by two: %s', (_what, version, releases, expected) => {
  const response = { state: 'published', at: 1, settled: false, app: { version, updatedAt: AFTER } } as const;
  expect(isJump(record(12), response.app)).toBe(true);
  const outcome = judgeResponse(record(12), response, listed(releases));
  expect(outcome.state === 'published' ? outcome.state : outcome.error.code).toBe(expected);
});

it('a response with the next version, or without a known one, raises no doubt', () => {
  expect(isJump(record(12), { version: 13, updatedAt: AFTER })).toBe(false);
  expect(isJump(record(null), { version: 14, updatedAt: AFTER })).toBe(false);
});
