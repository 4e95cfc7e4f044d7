/** Tests that all sessions of an app are read from a list that changes, and the state around it. */
import { signal } from '@preact/signals';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../../../lib/platform-api/app.ts';
import type { AnalyticsSession } from '../../../../../lib/platform-api/sessions/session.ts';
import type { PublishRecord } from '../../../../../lib/extension/messaging/model/publishing.ts';
import type { OfApp, Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { AppPage } from '../../../../../lib/extension/panel/apps/app-page.ts';
import { readSessions } from '../../../../../lib/extension/messaging/read-sessions.ts';
import { casesOf } from '../../../../support/exhaustive.ts';
import { OF, createFakePlatform, createPage, refused, settled, use } from './support/fake-platform.ts';

const many = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => use(from + n));
async function readIds(send: Send) {
  const ids = new Set<number>();
  let last: readonly AnalyticsSession[] = [];
  const response = await readSessions(
    (piece) => send('sessions.list', { ...OF, ...piece }),
    Promise.resolve(0),
    (piece) => {
      for (const { id } of piece) ids.add(id);
      last = piece;
      return true;
    },
  );
  return { response, ids, last };
}

const CASES = casesOf(10, 40);

describe('reading sessions', () => {
  it('reads page by page to the end, and prefetches two', async () => {
    const platform = createFakePlatform();
    platform.sessions = many(0, 12_345);
    expect((await readIds(platform.send)).ids.size).toBe(12_345);
    expect(platform.pieces()).toEqual([
      { ...OF, limit: 5_000, offset: 0 },
      { ...OF, limit: 5_000, offset: 4_999 },
      { ...OF, limit: 5_000, offset: 9_998 },
      { ...OF, limit: 5_000, offset: 14_997 },
    ]);
  });

  it.each([0, 1, 4_999])('reads %i sessions in one page', async (count) => {
    const platform = createFakePlatform();
    platform.sessions = many(0, count);
    expect((await readIds(platform.send)).ids.size).toBe(count);
    expect(platform.pieces()).toHaveLength(1);
  });

  it('ends when a platform without paging has exactly one page of sessions', async () => {
    const platform = createFakePlatform();
    platform.isPaged = false;
    platform.sessions = many(0, 5_000);
    expect((await readIds(platform.send)).ids.size).toBe(5_000);
    expect(platform.pieces().map(({ offset }) => offset)).toEqual([0, 4_999, 9_998]);
  });

  it('goes back when earlier sessions were removed, so that none is missed', async () => {
    const platform = createFakePlatform();
    platform.sessions = many(0, 15_000);
    platform.onPiece = (nth) =>
      void (nth === 3 && (platform.sessions = platform.sessions.filter(({ id }) => id !== 17)));
    const { ids } = await readIds(platform.send);
    expect(ids.size).toBe(15_000);
    expect(platform.pieces().map(({ offset }) => offset)).toEqual([0, 4_999, 9_998, 0, 4_999, 9_998, 14_997, 19_996]);
  });

  it('misses no session that existed when the last page was read, whatever was added or removed before', async () => {
    const changes = fc.array(
      fc.record({
        gone: fc.nat(14_000),
        count: fc.constantFrom(0, 1, 3, 4_000, 6_000),
        added: fc.constantFrom(0, 1, 5_000),
      }),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(changes, async (changes) => {
        const platform = createFakePlatform();
        platform.sessions = many(0, 12_000);
        let next = 12_000;
        platform.onPiece = (nth) => {
          const change = changes[nth - 2];
          if (!change) return;
          platform.sessions = [
            ...platform.sessions.filter((_, index) => index < change.gone || index >= change.gone + change.count),
            ...many(next, next + change.added),
          ];
          next += change.added;
        };
        const { ids, response, last } = await readIds(platform.send);
        expect(response?.ok).toBe(true);
        expect(platform.listed.get(last)!.filter(({ id }) => !ids.has(id))).toEqual([]);
      }),
      CASES,
    );
  });

  it('requests smaller pages when sessions are large, and fails when even 50 are too large', async () => {
    const platform = createFakePlatform();
    platform.sessions = many(0, 1_200);
    platform.onPiece = (_, { limit }) => (limit > 500 ? refused({ code: 'ANSWER_UNSENDABLE' }) : undefined);
    expect((await readIds(platform.send)).ids.size).toBe(1_200);
    expect(platform.pieces().map(({ limit }) => limit)).toEqual([5_000, 500, 500, 500, 500]);
    const none = createFakePlatform();
    none.onPiece = () => refused({ code: 'ANSWER_TOO_LARGE' });
    expect((await readIds(none.send)).response).toEqual(refused({ code: 'ANSWER_TOO_LARGE' }));
    expect(none.pieces().map(({ limit }) => limit)).toEqual([5_000, 500, 50]);
  });

  it.each([1_000, 1_024])('continues when a platform caps its pages at %i', async (cap) => {
    const platform = createFakePlatform();
    platform.sessions = many(0, 2_345);
    const ids = new Set<number>();
    await readSessions(
      ({ limit, offset }) =>
        Promise.resolve({ ok: true, value: platform.sessions.slice(offset, offset + Math.min(limit, cap)) }),
      Promise.resolve(0),
      (piece) => {
        for (const { id } of piece) ids.add(id);
        return true;
      },
    );
    expect(ids.size).toBe(2_345);
  });

  it('stops reading an endless list', async () => {
    const session = use(0);
    const response = await readSessions(
      ({ limit, offset }) =>
        Promise.resolve({ ok: true, value: Array.from({ length: limit }, (_, n) => ({ ...session, id: offset + n })) }),
      Promise.resolve(0),
      () => true,
    );
    expect(response).toMatchObject({
      ok: false,
      error: {
        code: 'ANSWER_TOO_LARGE',
        message: 'Couldn’t load the sessions: the platform lists more than 1,000,000.',
      },
    });
  });

  it('fails with the first other error', async () => {
    const platform = createFakePlatform();
    platform.onPiece = () => refused({ code: 'TOKEN_REFUSED' });
    expect((await readIds(platform.send)).response).toEqual(refused({ code: 'TOKEN_REFUSED' }));
    expect(platform.pieces()).toHaveLength(1);
  });
});

function page(
  responses: Parameters<typeof createFakePlatform>[0] = {},
  app: Partial<App> | null = { id: 7, name: 'Field Service', version: 12 },
) {
  const platform = createFakePlatform({
    'publish.list': () => ({ ok: true, value: [] }),
    'environments.list': () => ({ ok: true, value: [] }),
    ...responses,
  });
  const files: [string, string][] = [];
  const clock = createPage();
  const made = new AppPage({
    send: platform.send,
    of: { ...OF, version: 3 } as OfApp,
    app: signal(app as App | null),
    saveFile: (name, text) => void files.push([name, text]),
    host: clock.host,
  });
  const { sessions, releases, releasesError, audience, refresh } = made;
  return {
    sessions,
    releases,
    releasesError,
    audience,
    refresh,
    loadReleases: () => made.loadReleases(),
    dispose: () => made.dispose(),
    platform,
    files,
    clock,
  };
}

describe('the sessions of an app', () => {
  it('are loaded on demand, with progress', async () => {
    const { sessions, platform } = page();
    platform.sessions = many(0, 7_000);
    expect(sessions.state.value).toBe('idle');
    expect(platform.sent).toEqual([]);
    const held = Promise.withResolvers<void>();
    platform.onPiece = (nth) => (nth === 2 ? held.promise : undefined);
    const reading = sessions.refresh();
    await settled();
    expect(sessions.state.value).toBe('loading');
    expect(sessions.loadedCount.value).toBe(5_000);
    expect(sessions.all.value.length).toBe(0);
    held.resolve();
    await reading;
    expect(platform.pieces()[0]).toEqual({ ...OF, limit: 5_000, offset: 0 });
    expect(sessions.state.value).toBe('ready');
    expect(sessions.loadedCount.value).toBe(7_000);
    expect(sessions.all.value.length).toBe(7_000);
    expect(sessions.loadedAt.value).toEqual(Date.parse('2026-11-20T12:00:00Z'));
  });

  it('are loaded once, however often a refresh is requested', async () => {
    const { sessions, platform } = page();
    platform.sessions = many(0, 3);
    await Promise.all([sessions.refresh(), sessions.refresh()]);
    expect(platform.pieces()).toHaveLength(1);
  });

  it('are unchanged after loading is canceled or fails, and no more requests are sent', async () => {
    const { sessions, platform } = page();
    platform.sessions = many(0, 3);
    await sessions.refresh();
    platform.sessions = many(0, 20_000);
    platform.onPiece = (nth) => void (nth === 3 && sessions.cancel());
    await sessions.refresh();
    expect(sessions.state.value).toBe('cancelled');
    expect(sessions.all.value.length).toBe(3);
    expect(platform.pieces().length).toBe(3);
    platform.onPiece = () => refused({ code: 'PLATFORM_UNREACHABLE' });
    await sessions.refresh();
    expect(sessions.state.value).toBe('failed');
    expect(sessions.error.value?.code).toBe('PLATFORM_UNREACHABLE');
    expect(sessions.all.value.length).toBe(3);
    platform.onPiece = () => {};
    await sessions.refresh();
    expect(sessions.state.value).toBe('ready');
    expect(sessions.error.value).toBe(null);
    expect(sessions.all.value.length).toBe(20_000);
  });

  it('of a canceled loading don’t replace later ones', async () => {
    const { sessions, platform } = page();
    const held = Promise.withResolvers<void>();
    platform.sessions = many(0, 1);
    platform.onPiece = (nth) =>
      nth === 1 ? held.promise.then(() => void (platform.sessions = many(0, 9))) : undefined;
    const first = sessions.refresh();
    sessions.cancel();
    await sessions.refresh();
    // The worker is notified, so that the next load doesn’t wait for this one.
    expect(platform.signals.map((signal) => signal?.aborted)).toEqual([true, false]);
    held.resolve();
    await first;
    expect(sessions.state.value).toBe('ready');
    expect(sessions.all.value.length).toBe(1);
  });

  it('aren’t shown when loading is canceled while only the platform’s time is missing', async () => {
    const held = Promise.withResolvers<void>();
    const { sessions, platform } = page({ 'clock.get': () => held.promise.then(() => refused({})) });
    platform.sessions = many(0, 3);
    const reading = sessions.refresh();
    await settled();
    sessions.cancel();
    held.resolve();
    await reading;
    expect(sessions.state.value).toBe('cancelled');
    expect(sessions.all.value).toEqual([]);
  });

  it('that are received twice count once, with the latest data', async () => {
    const { sessions, platform } = page();
    platform.sessions = many(0, 5_001);
    platform.onPiece = (nth) =>
      void (
        nth === 2 &&
        (platform.sessions = platform.sessions.map((one) => (one.id === 4_999 ? use(4_999, { version: 13 }) : one)))
      );
    await sessions.refresh();
    expect(sessions.all.value).toHaveLength(5_001);
    expect(sessions.all.value.find(({ id }) => id === 4_999)?.version).toBe(13);
  });

  it('are filtered and sorted, as are charts, choices, and exports', async () => {
    const { sessions, platform, files } = page();
    platform.sessions = [
      use(1, { version: 10, at: '2026-11-18T00:00:00Z' }),
      use(2, { at: '2026-11-19T00:00:00Z' }),
      use(3, { version: 11, at: 'none' }),
    ];
    await sessions.refresh();
    const ids = () => sessions.rows.value.map(({ id }) => id);
    expect(ids()).toEqual([2, 1, 3]);
    sessions.sortBy('lastAccess');
    expect(ids()).toEqual([1, 2, 3]);
    sessions.sortBy('version');
    expect(ids()).toEqual([2, 3, 1]);
    expect(sessions.sort.value).toEqual({ by: 'version', descending: true });
    sessions.sortBy('user');
    expect(ids()).toEqual([1, 2, 3]);
    expect(sessions.sort.value).toEqual({ by: 'user', descending: false });
    sessions.filter.value = { ...sessions.filter.value, behind: 1 };
    expect(ids()).toEqual([1, 3]);
    expect(sessions.charts.value.lastAccess.counts.reduce((a, b) => a + b)).toBe(1);
    expect(sessions.choices.value.versions.length).toBe(3);
    expect(sessions.behind.value.map(({ behind }) => behind)).toEqual([2, 1]);
    sessions.filter.value = { ...sessions.filter.value, behind: 2 };
    expect(sessions.behind.value.map(({ behind }) => behind)).toEqual([2]);
    sessions.filter.value = { ...sessions.filter.value, behind: 1 };
    sessions.exportAs('csv');
    sessions.exportAs('json');
    expect(files.map(([name]) => name)).toEqual([
      'field-service-7-sessions-2026-11-20.csv',
      'field-service-7-sessions-2026-11-20.json',
    ]);
    expect(
      files[0]![1]
        .split('\r\n')
        .slice(1, 3)
        .map((line) => line.split(',')[0]),
    ).toEqual(['1', '3']);
  });

  it('are compared with the newest version of sessions, apps, and own releases', async () => {
    const published = (version: number, over: Partial<PublishRecord> = {}) =>
      ({
        id: `p${version}`,
        environmentId: 'e',
        baseUrl: 'https://a',
        appId: 7,
        outcome: { state: 'published', app: { version, updatedAt: '' } },
        ...over,
      }) as PublishRecord;
    const records = [
      published(99, { appId: 8 }),
      published(98, { baseUrl: 'https://b' }),
      published(97, { environmentId: 'f' }),
      published(14),
      { ...published(0), outcome: null },
    ];
    const responses = {
      'publish.list': () => ({ ok: true, value: records }) as const,
      'environments.list': () => ({ ok: true, value: [{ id: 'e', baseUrl: 'https://a' }] }) as const,
    };
    const none = page({}, null);
    none.platform.sessions = [use(1, { version: 10, latest: null })];
    await none.refresh();
    expect(none.sessions.latest.value).toBe(null);
    expect(none.sessions.all.value[0]?.behind).toBe(null);
    const reported = page({}, { version: null });
    reported.platform.sessions = [use(1, { version: 10, latest: 11 })];
    await reported.refresh();
    expect(reported.sessions.latest.value).toBe(11);
    expect(reported.sessions.all.value[0]?.behind).toBe(1);
    const own = page(responses);
    own.platform.sessions = [use(1, { version: 10 }), use(2, { version: 13 })];
    expect(own.audience.value).toBeNull();
    await own.refresh();
    expect(own.releases.value!.map(({ id }) => id)).toEqual(['p14', 'p0']);
    expect({
      latest: own.sessions.latest.value,
      all: own.sessions.all.value.map(({ behind }) => behind),
      audience: own.audience.value,
    }).toEqual({ latest: 14, all: [4, 1], audience: { users: 2, behind: 1 } });
  });

  it('use the time of a virtual clock, so that its present isn’t in the future', async () => {
    const virtual = page({ 'clock.get': () => ({ ok: true, value: { now: '2027-03-01T00:00:00Z', virtual: true } }) });
    const real = page({ 'clock.get': () => ({ ok: true, value: { now: '2027-03-01T00:00:00Z', virtual: false } }) });
    for (const { sessions, platform } of [virtual, real]) {
      platform.sessions = [
        use(1, { at: '2027-02-28T10:00:00Z', email: 'a@x', version: 11 }),
        use(2, { at: '2026-11-01T10:00:00Z', email: 'a@x', version: 9 }),
      ];
      await sessions.refresh();
    }
    expect(
      [virtual, real].map(({ sessions }) => sessions.behind.value.find(({ key }) => key === 'a@x')?.version),
    ).toEqual([11, 9]);
    expect(virtual.sessions.now.value).toEqual(Date.parse('2027-03-01T00:00:00Z'));
    expect(virtual.sessions.charts.value.undated.lastAccess).toBe(0);
    expect(real.sessions.now.value).toEqual(Date.parse('2026-11-20T12:00:00Z'));
    expect(real.sessions.charts.value.undated.lastAccess).toBe(1);
  });

  it('keep the platform’s time if its clock can’t be read again', async () => {
    const start = Date.parse('2027-03-01T00:00:00Z');
    let isDown = false;
    const { sessions } = page({
      'clock.get': () =>
        isDown
          ? refused({ code: 'PLATFORM_SLOW' })
          : { ok: true, value: { now: new Date(start).toISOString(), virtual: true } },
    });
    await sessions.refresh();
    isDown = true;
    await sessions.refresh();
    expect(sessions.now.value).toBe(start);
  });

  it('don’t fall behind on a platform without a clock, however long they take to load', async () => {
    const { sessions, platform, clock } = page({ 'clock.get': () => refused({ code: 'ENDPOINT_MISSING' }) });
    platform.onPiece = () => settled().then(() => clock.spend(30_000));
    for (let load = 1; load <= 3; load++) {
      const start = clock.host.now();
      await sessions.refresh();
      expect(sessions.now.value).toBeGreaterThanOrEqual(start);
    }
  });

  it('are no longer loaded after the page was disposed', async () => {
    const { sessions, dispose, platform } = page();
    platform.sessions = many(0, 20_000);
    platform.onPiece = (nth) => void (nth === 2 && dispose());
    await sessions.refresh();
    expect(platform.pieces()).toHaveLength(2);
  });
});

it('reports why own releases can’t be loaded, and keeps the previous ones', async () => {
  let isDown = false;
  const { releases, releasesError, loadReleases } = page({
    'publish.list': () =>
      isDown
        ? refused({ code: 'PUBLISHES_DAMAGED' })
        : { ok: true, value: [{ id: 'a', environmentId: 'e', appId: 7, baseUrl: 'x', outcome: null }] },
    'environments.list': () => ({ ok: true, value: [{ id: 'e', baseUrl: 'x' }] }),
  });
  expect(releases.value).toBeNull();
  await loadReleases();
  isDown = true;
  await loadReleases();
  expect(releasesError.value?.code).toBe('PUBLISHES_DAMAGED');
  expect(releases.value!.length).toBe(1);
});
