/** Users derived from sessions, and parsing of times. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import {
  AnalyticsSession,
  App,
  audienceOf,
  isAhead,
  latestVersion,
  timeOf,
  usersOf,
} from '../../../lib/platform-api/index.ts';
import { hostileApps, hostileSessions } from '../../support/data/hostile-apps.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('a time', () => {
  it.each([
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
    ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00.5-05:30', '2026-11-20T15:30:00.500Z'],
    ['2026-11-20T10:00:00+0100', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00-05', '2026-11-20T15:00:00.000Z'],
    ['2026-11-20T10:00Z', '2026-11-20T10:00:00.000Z'],
  ])('is parsed from %s', (text, time) => {
    expect(new Date(timeOf(text) ?? NaN).toISOString()).toBe(time);
  });

  it.each([
    '',
    'yesterday',
    'Version 1',
    '7',
    '2026-11-20',
    '2026-11-20T10:00:00',
    '2026-13-45T99:99:99Z',
    '2026-11-20T10:00:00+99:00',
    '2026-11-20T10:00:00Z<b>',
    null,
  ])('is invalid in %j', (text) => {
    expect(timeOf(text)).toBeNull();
  });
});

it('a time is in the future when it is more than five minutes ahead, because clocks differ', () => {
  expect([-1, 0, 300_000, 300_001].map((ahead) => isAhead(NOW + ahead, NOW))).toEqual([false, false, false, true]);
});

describe('users', () => {
  const session = (
    id: number,
    email: string | null,
    currentVersion: number | null,
    lastAccessedAt: string | null,
    latest = 12,
  ) =>
    ({
      id,
      lastAccessedAt,
      user: email === null ? null : { email },
      appVersion: { currentVersion, latestVersion: latest },
    }) as AnalyticsSession;
  const sessions = [
    session(1, 'a@example.com', 9, '2026-11-01T10:00:00Z'),
    session(2, 'a@example.com', 12, '2026-11-01T09:30:00-01:00'),
    session(3, 'a@example.com', 1, 'yesterday'),
    session(4, 'b@example.com', null, null),
    session(5, 'b@example.com', 10, null),
    session(6, null, 10, '2026-11-01T10:00:00Z', 11),
    session(7, '', 11, null),
  ];

  it('have the version of their last session, in any time format, and a session without an email counts as a user', () => {
    expect([...usersOf(sessions, NOW).values()].map(({ key, email, version }) => [key, email, version])).toEqual([
      ['a@example.com', 'a@example.com', 12],
      ['b@example.com', 'b@example.com', null],
      ['#6', null, 10],
      ['#7', null, 11],
    ]);
  });

  it('ignore a session dated in the future, in any order', () => {
    const forged = session(8, 'a@example.com', 1, '2026-11-20T12:05:01Z');
    const soon = session(9, 'a@example.com', 13, '2026-11-20T12:05:00Z');
    const of = (...all: AnalyticsSession[]) => usersOf(all, NOW).get('a@example.com');
    for (const all of [
      [...sessions, forged],
      [forged, ...sessions],
    ])
      expect(of(...all)).toMatchObject({ version: 12, usedAt: Date.parse('2026-11-01T10:30:00Z') });
    expect(of(...sessions, soon)?.version).toBe(13);
    // A session without a last access counts like one without a date.
    expect([of(forged), of(session(3, 'a@example.com', 2, 'yesterday'), forged)]).toMatchObject([
      { version: 1, usedAt: null },
      { version: 2, usedAt: null },
    ]);
  });

  it('are counted the same when the list arrives in pages', () => {
    const users = usersOf(sessions.slice(0, 2), NOW);
    expect([...usersOf(sessions.slice(2), NOW, users)]).toEqual([...usersOf(sessions, NOW)]);
  });

  it('of an unknown version aren’t behind, and no user is behind when no version is known', () => {
    expect(audienceOf(usersOf(sessions, NOW), 12)).toEqual({ users: 4, behind: 1 });
    expect(audienceOf(usersOf(sessions, NOW), 13)).toEqual({ users: 4, behind: 2 });
    expect(audienceOf(usersOf(sessions, NOW), null)).toEqual({ users: 4, behind: 0 });
    expect([latestVersion(sessions), latestVersion([]), latestVersion([session(1, null, 3, null, -2)])]).toEqual([
      12,
      null,
      -2,
    ]);
  });
});

describe('bad input', () => {
  it('in apps and sessions is skipped or repaired, and the list is still read', () => {
    expect(v.parse(v.array(App), hostileApps())).toHaveLength(hostileApps().length);
    const sessions = v.parse(v.array(AnalyticsSession), hostileSessions());
    expect(sessions).toHaveLength(hostileSessions().length);
    expect(usersOf(sessions, NOW).size).toBeGreaterThan(30);
  });
});
