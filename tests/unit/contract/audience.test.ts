/** Owns the proof of what sessions say about users, and of reading their times. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { AppList, SessionList, audienceOf, latestVersion, timeOf, usersOf } from '../../../lib/contract/index.ts';
import type { AnalyticsSession } from '../../../lib/contract/index.ts';
import { hostileApps, hostileSessions } from '../../support/hostile-apps.ts';

describe('a time', () => {
  it.each([
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00.000Z'], ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'], ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00.000Z'],
    ['2026-11-20T10:00:00.5-05:30', '2026-11-20T15:30:00.500Z'], ['2026-11-20T10:00:00+0100', '2026-11-20T09:00:00.000Z'], ['2026-11-20T10:00:00-05', '2026-11-20T15:00:00.000Z'], ['2026-11-20T10:00Z', '2026-11-20T10:00:00.000Z'],
  ])('%s is read', (text, time) => {
    expect(new Date(timeOf(text) ?? NaN).toISOString()).toBe(time);
  });

  it.each(['', 'yesterday', 'Version 1', '7', '2026-11-20', '2026-11-20T10:00:00', '2026-13-45T99:99:99Z', '2026-11-20T10:00:00+99:00', '2026-11-20T10:00:00Z<b>', null])('%j is none', (text) => {
    expect(timeOf(text)).toBeNull();
  });
});

describe('users', () => {
  const session = (id: number, email: string | null, currentVersion: number | null, lastAccessedAt: string | null, latest = 12) =>
    ({ id, lastAccessedAt, user: email === null ? null : { email }, appVersion: { currentVersion, latestVersion: latest } }) as AnalyticsSession;
  const sessions = [
    session(1, 'a@example.com', 9, '2026-11-01T10:00:00Z'), session(2, 'a@example.com', 12, '2026-11-01T09:30:00-01:00'), session(3, 'a@example.com', 1, 'yesterday'),
    session(4, 'b@example.com', null, null), session(5, 'b@example.com', 10, null), session(6, null, 10, '2026-11-01T10:00:00Z', 11), session(7, '', 11, null),
  ];

  it('have the version of the session used last, in whatever form its time is; one without email is a user of its own', () => {
    expect([...usersOf(sessions).values()].map(({ key, email, version }) => [key, email, version])).toEqual([
      ['a@example.com', 'a@example.com', 12], ['b@example.com', 'b@example.com', null], ['#6', null, 10], ['#7', null, 11],
    ]);
  });

  it('are the same when the list comes in pieces', () => {
    const users = usersOf(sessions.slice(0, 2));
    expect([...usersOf(sessions.slice(2), users)]).toEqual([...usersOf(sessions)]);
  });

  it('of no known version are not behind, nor is anybody when no version is known', () => {
    expect(audienceOf(usersOf(sessions), 12)).toEqual({ users: 4, behind: 1 });
    expect(audienceOf(usersOf(sessions), 13)).toEqual({ users: 4, behind: 2 });
    expect(audienceOf(usersOf(sessions), null)).toEqual({ users: 4, behind: 0 });
    expect([latestVersion(sessions), latestVersion([]), latestVersion([session(1, null, 3, null, -2)])]).toEqual([12, null, -2]);
  });
});

describe('bad input', () => {
  it('of apps and sessions is taken, one and all: no list is refused for it', () => {
    expect(v.parse(AppList, { apps: hostileApps() }).apps).toHaveLength(hostileApps().length);
    const { sessions } = v.parse(SessionList, { sessions: hostileSessions() });
    expect(sessions).toHaveLength(hostileSessions().length);
    expect(usersOf(sessions).size).toBeGreaterThan(30);
  });
});
