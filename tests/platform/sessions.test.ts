/**
 * Tests analytics sessions after a publish: they move to its version over time, depending on its type, on the
 * platform's clock.
 */
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AnalyticsSession, type App, type PublishResult, type ReleaseType } from '../../lib/platform-api/index.ts';
import type { PlatformOptions } from '../../lib/local-platform/index.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { addHostile, hostileSessions } from '../support/data/hostile-apps.ts';
import { filledFolder, manySessions } from '../support/data/many-apps.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** A stopped virtual clock, so that sessions are always the same. */
const MORNING = new Date('2030-01-16T10:00:00Z');
const APP = 101;
const LARGE = 102;
/** A twelfth of the sessions of the large app, which are read in chunks of 5,000. */
const PART = isExhaustive() ? 1_000 : 500;
const MANY = 12 * PART;

onDatabase(({ kind, url }) => {
  let platform: TestPlatform;
  let options: PlatformOptions;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const databaseUrl = await url();
    const filled = await filledFolder(
      async (db) => [await manySessions(db, LARGE, MANY), await addHostile(db, 103)],
      databaseUrl,
    );
    remove = filled.remove;
    options = { data: filled.data, databaseUrl, clock: MORNING, concurrency: 0 };
    platform = await start(options);
  });
  afterAll(async () => {
    await platform?.close();
    await remove?.();
  });

  const text = async (app = APP, query = '', of = platform): Promise<string> => {
    const { status, text } = await of.ask(`/v1/apps/${app}/analytics/sessions${query}`);
    expect(status).toBe(200);
    return text;
  };
  const list = async (app = APP, query = '', of = platform): Promise<AnalyticsSession[]> =>
    (JSON.parse(await text(app, query, of)) as { sessions: AnalyticsSession[] }).sessions;
  const publish = async (type: ReleaseType, app = APP): Promise<PublishResult['app']> =>
    (await platform.ask<PublishResult>(`/v1/apps/${app}/publish`, { body: { release: { type, changelog: 'x' } } })).body
      .app;
  const advance = async (milliseconds: number, of = platform): Promise<number> =>
    Date.parse((await of.ask<{ now: string }>('/v1/clock', { body: { advance: milliseconds } })).body.now);
  const versionOf = ({ appVersion }: AnalyticsSession): number => appVersion!.currentVersion!;
  const on = (sessions: AnalyticsSession[], version: number): number =>
    sessions.filter((session) => versionOf(session) === version).length;

  it('stay as they were stored until something is published, wherever the clock is moved', async () => {
    const before = await text();
    await advance(10 * MINUTE);
    expect(await text()).toBe(before);
  });

  it('update after a release: a forced one first, then a silent one, then a visible one, never an unpublished one', async () => {
    const shares: number[] = [];
    for (const type of ['visible', 'silent', 'forced'] as const) {
      const before = await list();
      const { version } = await publish(type);
      expect((await list()).map(versionOf)).toEqual(before.map(versionOf));
      let last = before;
      for (const step of [30 * SECOND, 30 * SECOND, 4 * MINUTE, 5 * MINUTE]) {
        const now = await advance(step);
        const sessions = await list();
        expect(on(sessions, version)).toBeGreaterThan(on(last, version));
        // One expectation, since there are many sessions.
        const wrong = sessions.filter((session, index) => {
          const { currentVersion, latestVersion, localUpdatedAt, lastCheckedAt } = session.appVersion!;
          const times = [localUpdatedAt!, session.lastAccessedAt!, lastCheckedAt!].map((time) => Date.parse(time));
          return !(
            v.is(AnalyticsSession, session) &&
            currentVersion! >= versionOf(last[index]!) &&
            currentVersion! <= latestVersion! &&
            latestVersion! <= version &&
            Math.max(...times) <= now
          );
        });
        expect(wrong).toEqual([]);
        last = sessions;
      }
      shares.push(on(last, version) / last.length);
    }
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares[0]).toBeGreaterThan(0.1);
    expect(shares[2]).toBeLessThan(0.75);
  });

  it('the time of a publish is the platform’s, and after the previous one even when the clock is stopped', async () => {
    const now = await advance(SECOND);
    const first = await publish('silent', 103);
    const second = await publish('silent', 103);
    expect({ firstUpdatedAt: first.updatedAt, secondUpdatedAt: second.updatedAt }).toEqual({
      firstUpdatedAt: new Date(now).toISOString(),
      secondUpdatedAt: new Date(now + 1).toISOString(),
    });
    expect((await platform.ask<{ apps: App[] }>('/v1/apps')).body.apps.find(({ id }) => id === 103)).toMatchObject({
      version: second.version,
      updatedAt: second.updatedAt,
    });
  });

  it('are the same after a restart, and on another platform with the same database and clock', async () => {
    await publish('forced');
    const now = await advance(5 * MINUTE);
    const before = await text();
    if (kind === 'PGlite') await platform.close();
    const other = await start({ ...options, clock: new Date(now) });
    onTestFinished(async () => {
      if (other !== platform) await other.close();
    });
    if (kind === 'PGlite') platform = other;
    expect(await text(APP, '', other)).toBe(before);
    await advance(MINUTE, other);
    expect(await text(APP, '', other)).not.toBe(before);
  });

  describe('a long list of sessions', () => {
    it('arrives in pages, with each session once, in order, for any limit and offset', async () => {
      const all = await list(LARGE);
      expect(all.length).toBeGreaterThan(MANY);
      const ids = all.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
      for (const [limit, offset] of [
        [5 * PART, 0],
        [5 * PART, 5 * PART],
        [5 * PART + 1, 5 * PART - 1],
        [11 * PART, 1],
        [10, MANY - 10],
        [20 * PART, MANY],
        [10 * PART, 0],
      ] as const) {
        expect((await list(LARGE, `?limit=${limit}&offset=${offset}`)).map(({ id }) => id)).toEqual(
          ids.slice(offset, offset + limit),
        );
      }
      expect(await list(LARGE, `?offset=${all.length}`)).toEqual([]);
      expect(await list(LARGE, '?limit=0')).toEqual([]);
    });

    it('is from a single moment, so that pages read during a change lose and repeat no session', async () => {
      const { version } = await publish('forced', LARGE);
      const ids = (await list(LARGE)).map(({ id }) => id);
      const pages: AnalyticsSession[] = [];
      let page: AnalyticsSession[] = [];
      while (pages.length < ids.length) {
        await advance(20 * SECOND);
        page = await list(LARGE, `?limit=${3 * PART}&offset=${pages.length}`);
        expect(page.some((session) => versionOf(session) === version)).toBe(true);
        pages.push(...page);
      }
      expect(pages.map(({ id }) => id)).toEqual(ids);
      const whole = await list(LARGE);
      expect(whole.slice(-page.length)).toEqual(page);
      expect(whole.filter((session, index) => versionOf(session) < versionOf(pages[index]!))).toEqual([]);
      expect(on(whole, version)).toBeGreaterThan(on(pages, version));
    });
  });

  it('with any data that a database accepts are listed, and updated', async () => {
    const before = await list(103);
    expect(before.length).toBeGreaterThan(30);
    const { version } = await publish('forced', 103);
    await publish('forced', 103);
    await advance(10 * MINUTE);
    const after = await list(103);
    expect(after.map(({ id, identifier, user }) => [id, identifier, user])).toEqual(
      before.map(({ id, identifier, user }) => [id, identifier, user]),
    );
    expect(after).not.toEqual(before);
    expect(after.filter(({ appVersion }) => (appVersion?.latestVersion ?? 0) > version)).not.toEqual([]);
    const sent = new Map(hostileSessions().map((session) => [session.id, session]));
    for (const { id, identifier } of after)
      expect(identifier).toEqual(JSON.parse(JSON.stringify(sent.get(id)!.identifier ?? null)));
  });
});
