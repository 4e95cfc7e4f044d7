/** Tests watching the adoption of a version, and how rarely it polls the platform. */
import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { Adoption } from '../../../../../lib/extension/panel/apps/adoption.ts';
import { Sessions } from '../../../../../lib/extension/panel/apps/sessions.ts';
import { OF, createFakePlatform, createPage, refused, settled, use } from './support/fake-platform.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function follow() {
  const platform = createFakePlatform();
  const page = createPage();
  const sessions = new Sessions({
    send: platform.send,
    of: OF,
    version: signal(13),
    save: () => {},
    now: page.host.now,
  });
  const adoption = new Adoption({ refresh: sessions.refreshQuietly, host: page.host });
  const requests: number[] = [];
  platform.sessions = [use(1), use(2), use(3)];
  platform.onPiece = () => void requests.push(page.host.now());
  const started = page.host.now();
  return {
    platform,
    page,
    sessions,
    adoption,
    requests,
    /** Milliseconds after the beginning. */
    askedAt: () => requests.map((at) => at - started),
    nextIn: () => (adoption.nextCheckAt.value === null ? null : adoption.nextCheckAt.value - page.host.now()),
    move: (id: number, version: number) =>
      void (platform.sessions = platform.sessions.map((one) => (one.id === id ? use(id, { version }) : one))),
  };
}

describe('watching a version', () => {
  it('checks immediately, after five seconds, and then less often, down to once a minute', async () => {
    const { adoption, page, askedAt, nextIn } = follow();
    expect(adoption.state.value).toBe('idle');
    expect(adoption.version.value).toBe(null);
    expect(page.waiting()).toBe(0);
    adoption.watch(13);
    await settled();
    expect(adoption.state.value).toBe('watching');
    expect(adoption.version.value).toBe(13);
    expect(nextIn()).toEqual(5 * SECOND);
    await page.advance(5 * MINUTE);
    const times = askedAt();
    expect(times.slice(0, 3)).toEqual([0, 5_000, 12_500]);
    const pauses = times.slice(1).map((at, index) => at - times[index]!);
    expect(pauses.every((pause, index) => index === 0 || pause >= pauses[index - 1]!)).toBe(true);
    expect(pauses.at(-1)).toBe(60_000);
    expect(times.length).toBe(10);
  });

  it('checks more often again after a change', async () => {
    const { adoption, page, nextIn, move } = follow();
    adoption.watch(13);
    await page.advance(5 * MINUTE);
    expect(nextIn()).toBeGreaterThan(5 * SECOND);
    move(1, 13);
    await page.advance(nextIn() ?? NaN);
    expect(nextIn()).toBe(5 * SECOND);
  });

  it('counts users by their last session, including newer versions, and ends when all have it', async () => {
    const { adoption, page, platform, requests, move } = follow();
    platform.sessions.push(use(4, { email: 'user-1@example.com', version: 13, at: '2026-01-01T00:00:00Z' }));
    adoption.watch(13);
    await settled();
    move(2, 14);
    await page.advance(5 * SECOND);
    expect(adoption.points.value.map(({ on, users }) => [on, users])).toEqual([
      [0, 3],
      [1, 3],
    ]);
    move(1, 13);
    move(3, 13);
    await page.advance(5 * SECOND);
    expect(adoption.points.value.at(-1)).toEqual({ at: page.host.now(), on: 3, users: 3 });
    expect(adoption.state.value).toBe('all');
    expect(adoption.nextCheckAt.value).toBe(null);
    expect(page.waiting()).toBe(0);
    await page.advance(HOUR);
    expect(requests).toHaveLength(3);
  });

  it('updates sessions, charts, and their age', async () => {
    const { adoption, sessions, page, move, platform } = follow();
    platform.onPiece = (nth) => (nth === 1 ? refused({ code: 'OFFLINE' }) : undefined);
    await sessions.refresh();
    expect(sessions.state.value).toBe('failed');
    expect(sessions.error.value?.code).toBe('OFFLINE');
    adoption.watch(13);
    await settled();
    expect(sessions.state.value).toBe('ready');
    expect(sessions.error.value).toBe(null);
    expect(sessions.loadedAt.value).toEqual(page.host.now());
    expect(sessions.rows.value.length).toBe(3);
    move(2, 13);
    await page.advance(5 * SECOND);
    expect(sessions.loadedAt.value).toEqual(page.host.now());
    expect(sessions.latest.value).toBe(13);
    expect(sessions.behind.value.map(({ email }) => email)).toEqual(['user-1@example.com', 'user-3@example.com']);
  });

  it('doesn’t end a visible loading of sessions', async () => {
    const { adoption, sessions, platform } = follow();
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    platform.onPiece = (nth) => (nth === 1 ? held : undefined);
    const reading = sessions.refresh();
    adoption.watch(13);
    await settled();
    expect(adoption.points.value.length).toBe(1);
    expect(sessions.state.value).toBe('loading');
    letGo();
    await reading;
    expect(sessions.state.value).toBe('ready');
  });

  it('doesn’t end without users, or with users of unknown version', async () => {
    const { adoption, page, platform } = follow();
    platform.sessions = [];
    adoption.watch(13);
    await page.advance(MINUTE);
    expect(adoption.state.value).toBe('watching');
    expect(adoption.points.value.at(-1)?.users).toBe(0);
    platform.sessions = [use(1, { version: 13 }), use(2, { version: null })];
    await page.advance(2 * MINUTE);
    expect({ state: adoption.state.value, point: adoption.points.value.at(-1) }).toMatchObject({
      state: 'watching',
      point: { on: 1, users: 2 },
    });
  });

  it('ends after a day', async () => {
    const { adoption, page, requests } = follow();
    adoption.watch(13);
    await page.advance(24 * HOUR + MINUTE);
    expect(adoption.state.value).toBe('over');
    expect(page.waiting()).toBe(0);
    expect(requests.length).toBeLessThan(1_460);
  });

  it('keeps few points: the ends of each time without changes, and of all', async () => {
    const { adoption, page, platform } = follow();
    adoption.watch(13);
    await page.advance(10 * MINUTE);
    expect(adoption.points.value).toHaveLength(2);
    platform.sessions = Array.from({ length: 801 }, (_, n) => use(n));
    let nth = 0;
    platform.onPiece = () =>
      void ((platform.sessions = platform.sessions.map((one, index) =>
        index === nth ? use(one.id, { version: 13 }) : one,
      )),
      nth++);
    await page.advance(HOUR);
    const points = adoption.points.value;
    expect(nth).toBeGreaterThan(700);
    expect(points.length).toBeLessThanOrEqual(300);
    expect(points[0]?.on).toBe(0);
    expect(points.at(-1)?.on).toEqual(nth);
    expect(points.every(({ at }, index) => index === 0 || at > points[index - 1]!.at)).toBe(true);
  });
});

describe('the load on the platform', () => {
  it('takes at most a twentieth of the time for a long list', async () => {
    const { adoption, page, platform, nextIn } = follow();
    platform.onPiece = () => page.spend(3 * SECOND);
    adoption.watch(13);
    await settled();
    expect(nextIn()).toBe(60 * SECOND);
    platform.sessions = Array.from({ length: 12_000 }, (_, n) => use(n));
    await page.advance(60 * SECOND);
    // Three pages, and a prefetched one beyond the end.
    expect(nextIn()).toBe(4 * 60 * SECOND);
  });

  it('pauses while the page is hidden, and then waits until the next check is due', async () => {
    const { adoption, page, askedAt } = follow();
    adoption.watch(13);
    await page.advance(2 * SECOND);
    page.isVisible.value = false;
    expect(adoption.state.value).toBe('paused');
    expect(adoption.nextCheckAt.value).toBe(null);
    expect(page.waiting()).toBe(0);
    page.isVisible.value = true;
    await page.advance(3 * SECOND);
    expect(askedAt()).toEqual([0, 5_000]);
    page.isVisible.value = false;
    await page.advance(HOUR);
    expect(askedAt()).toHaveLength(2);
    page.isVisible.value = true;
    await page.advance(0);
    expect(adoption.state.value).toBe('watching');
    expect(askedAt().length).toBe(3);
  });

  it('checks only on demand while it is paused', async () => {
    const { adoption, page, requests } = follow();
    adoption.watch(13);
    await settled();
    adoption.pause();
    await page.advance(HOUR);
    expect(adoption.state.value).toBe('paused');
    expect(requests.length).toBe(1);
    await adoption.check();
    expect(adoption.state.value).toBe('paused');
    expect(requests.length).toBe(2);
    expect(page.waiting()).toBe(0);
    adoption.resume();
    await page.advance(30 * SECOND);
    expect(adoption.state.value).toBe('watching');
    expect(requests.length).toBe(4);
  });

  it('backs off after failures, reports them, and keeps its points', async () => {
    const { adoption, page, platform, nextIn } = follow();
    adoption.watch(13);
    await settled();
    const pauses: (number | null)[] = [];
    platform.onPiece = () => refused({ code: 'PLATFORM_UNREACHABLE' });
    for (let n = 0; n < 9; n++) {
      await page.advance(nextIn() ?? NaN);
      pauses.push(nextIn());
    }
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600].map((seconds) => seconds * SECOND));
    expect(adoption.error.value?.code).toBe('PLATFORM_UNREACHABLE');
    expect(adoption.points.value.length).toBe(1);
    expect(adoption.state.value).toBe('watching');
    platform.onPiece = () => {};
    await adoption.check();
    expect(adoption.error.value).toBe(null);
    expect(nextIn()).toBe(7_500);
  });

  it('waits as long as the platform requests, up to a limit', async () => {
    const { adoption, platform, nextIn } = follow();
    platform.onPiece = () => refused({ code: 'RATE_LIMITED', retryAfter: 120 });
    adoption.watch(13);
    await settled();
    expect(nextIn()).toBe(120 * SECOND);
    platform.onPiece = () => refused({ code: 'RATE_LIMITED', retryAfter: 1e12 });
    await adoption.check();
    expect(nextIn()).toBe(24 * HOUR);
  });

  it('checks immediately when the network is back after a failure', async () => {
    const { adoption, page, platform, requests } = follow();
    adoption.watch(13);
    await settled();
    page.isOnline.value = false;
    platform.onPiece = () => (requests.push(0), refused({ code: 'PLATFORM_UNREACHABLE' }));
    await page.advance(5 * SECOND);
    platform.onPiece = () => void requests.push(0);
    page.isOnline.value = true;
    await page.advance(0);
    expect(requests.length).toBe(3);
    expect(adoption.error.value).toBe(null);
    page.isOnline.value = false;
    page.isOnline.value = true;
    await page.advance(0);
    expect(requests).toHaveLength(3);
  });

  it('checks once, however often a check is requested', async () => {
    const { adoption, requests } = follow();
    adoption.watch(13);
    expect(adoption.checking.value).toBe(true);
    await Promise.all([adoption.check(), adoption.check()]);
    expect(requests.length).toBe(1);
    expect(adoption.checking.value).toBe(false);
  });
});

describe('the end of watching', () => {
  it('stops all checks, and clears the points', async () => {
    const { adoption, page, requests } = follow();
    adoption.watch(13);
    await settled();
    adoption.stop();
    await page.advance(HOUR);
    expect([
      adoption.state.value,
      adoption.version.value,
      adoption.points.value,
      requests.length,
      page.waiting(),
    ]).toEqual(['idle', null, [], 1, 0]);
    await adoption.check();
    expect(requests).toHaveLength(1);
  });

  it('doesn’t count users by sessions dated in the future', async () => {
    const { adoption, platform } = follow();
    platform.sessions = [
      use(1, { email: 'a@x', version: 12 }),
      use(2, { email: 'a@x', version: 13, at: '2026-12-24T00:00:00Z' }),
    ];
    adoption.watch(13);
    await settled();
    expect(adoption.points.value).toMatchObject([{ on: 0, users: 1 }]);
  });

  it('ignores the response for the version that was watched before', async () => {
    const { adoption, platform, move } = follow();
    const held = Promise.withResolvers<void>();
    platform.onPiece = (nth) => (nth === 1 ? held.promise : undefined);
    move(1, 13);
    adoption.watch(13);
    adoption.watch(14);
    await settled();
    held.resolve();
    await settled();
    expect(adoption.version.value).toBe(14);
    expect(adoption.points.value.map(({ on }) => on)).toEqual([0]);
  });

  it('shows no error of an aborted check', async () => {
    const { adoption, platform } = follow();
    const held = Promise.withResolvers<void>();
    platform.onPiece = () => held.promise.then(() => refused({}));
    adoption.watch(13);
    adoption.stop();
    expect(platform.signals.map((signal) => signal?.aborted)).toEqual([true]);
    held.resolve();
    await settled();
    expect(adoption.error.value).toBe(null);
    expect(adoption.state.value).toBe('idle');
  });

  it('requests no more pages after the page was disposed', async () => {
    const { adoption, page, platform } = follow();
    platform.sessions = Array.from({ length: 20_000 }, (_, n) => use(n));
    platform.onPiece = (nth) => void (nth === 2 && adoption.dispose());
    adoption.watch(13);
    await page.advance(HOUR);
    expect(platform.pieces().length).toBe(2);
    expect(page.waiting()).toBe(0);
    page.isVisible.value = false;
    page.isVisible.value = true;
    page.isOnline.value = false;
    page.isOnline.value = true;
    expect(page.waiting()).toBe(0);
    adoption.watch(13);
    await settled();
    expect(page.waiting()).toBe(0);
  });
});
