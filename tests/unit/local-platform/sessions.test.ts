import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chanceOf, lastOpening, nextOpening, rhythmOf } from '../../../lib/local-platform/apps/sessions/openings.ts';
import {
  stateAt,
  type PastRelease,
  type SessionState,
  type StoredSession,
} from '../../../lib/local-platform/apps/sessions/state.ts';
import type { ReleaseType } from '../../../lib/platform-api/index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const T0 = Date.parse('2026-11-21T15:00:00Z');
const IDS = Array.from({ length: 3_000 }, (_, index) => 70_001 + index);
const KNOWN = {
  isManualCheck: true,
  lastCheckedAt: '2026-11-20T10:00:00+05:30',
  latestVersion: 12,
  currentVersion: 11,
  nrOfDownloads: 4,
  lastUpdateType: null,
  localUpdatedAt: '2026-11-01T10:00:00.000Z',
  assetsToDownload: 7,
};

const stored = (id: number, changed: Partial<StoredSession> = {}): StoredSession => ({
  id,
  recordedVersion: 12,
  lastAccessedAt: new Date('2026-11-20T10:00:00Z'),
  appVersion: KNOWN,
  ...changed,
});
const release = (version: number, type: ReleaseType, after = 0): PastRelease => ({ version, type, at: T0 + after });
const versionOf = ({ appVersion }: SessionState): number => appVersion!.currentVersion!;
/** Percentage of all devices that have `version` at this time after T0. */
const share = (releases: PastRelease[], after: number, version = releases.at(-1)!.version): number =>
  (IDS.filter((id) => versionOf(stateAt(stored(id), releases, T0 + after)) === version).length / IDS.length) * 100;
const active = IDS.filter((id) => (rhythmOf(id) ?? Infinity) <= 10 * MINUTE);
const rare = IDS.find((id) => (rhythmOf(id) ?? 0) > 3 * DAY)!;
const gone = IDS.find((id) => rhythmOf(id) === null)!;

const someId = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const someTime = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2090-01-01') });

describe('openings', () => {
  it('follow one another, with none between the previous and the next one', () => {
    fc.assert(
      fc.property(someId, someTime, (id, time) => {
        const rhythm = rhythmOf(id);
        if (rhythm === null) return;
        const [last, next] = [lastOpening(id, rhythm, time), nextOpening(id, rhythm, time)];
        expect(last).toBeLessThanOrEqual(time);
        expect(next).toBeGreaterThan(time);
        expect(next - last).toBeLessThanOrEqual(2 * rhythm);
        expect([
          nextOpening(id, rhythm, last),
          lastOpening(id, rhythm, next),
          lastOpening(id, rhythm, next - 1),
        ]).toEqual([next, next, last]);
      }),
    );
  });

  it('have the configured frequency at any time', () => {
    const counts = active.slice(0, 200).map((id) => {
      const rhythm = rhythmOf(id)!;
      let count = 0;
      for (let at = T0; (at = nextOpening(id, rhythm, at)) <= T0 + 100 * rhythm;) count += 1;
      return count;
    });
    for (const count of counts) expect([99, 100, 101]).toContain(count);
  });

  it('have evenly distributed random numbers, for any seed', () => {
    for (const numbers of [
      (n: number) => [n, -1],
      (n: number) => [70_001, n],
      (n: number) => [n * 320, 44_000_000 + n],
    ]) {
      const tenths = Array.from({ length: 10 }, () => 0);
      for (let n = 0; n < 10_000; n += 1) tenths[Math.floor(chanceOf(numbers(n)[0]!, numbers(n)[1]!) * 10)]! += 1;
      for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });
});

describe('a session after a release', () => {
  it.each<[ReleaseType, number, [number, number]][]>([
    [
      ['forced', 30 * SECOND, [16, 26]],
      ['forced', 10 * MINUTE, [54, 66]],
      ['forced', DAY, [80, 92]],
    ],
    [
      ['silent', MINUTE, [9, 16]],
      ['silent', 10 * MINUTE, [40, 54]],
      ['silent', DAY, [75, 87]],
    ],
    [
      ['visible', MINUTE, [4, 10]],
      ['visible', 10 * MINUTE, [19, 31]],
      ['visible', 6 * HOUR, [48, 62]],
      ['visible', 7 * DAY, [78, 90]],
    ],
  ])('gets the release in the order of its type: %j', (...points) => {
    for (const [type, after, [from, to]] of points) {
      const found = share([release(13, type)], after);
      expect([type, after, found >= from && found <= to, found]).toEqual([type, after, true, found]);
    }
  });

  it('gets a forced release first, then a silent one, then a visible one', () => {
    for (const after of [5 * MINUTE, 10 * MINUTE, HOUR, DAY]) {
      const [forced, silent, visible] = (['forced', 'silent', 'visible'] as const).map((type) =>
        share([release(13, type)], after),
      );
      expect([after, forced! > silent! && silent! > visible!]).toEqual([after, true]);
    }
  });

  it('updates within seconds for some devices, within minutes for nearly all active ones, and never for some', () => {
    const releases = [release(13, 'forced')];
    expect(share(releases, 5 * SECOND)).toBeGreaterThan(0.5);
    const on = active.filter((id) => versionOf(stateAt(stored(id), releases, T0 + 10 * MINUTE)) === 13);
    expect(on.length / active.length).toBeGreaterThan(0.95);
    expect(share(releases, 200 * DAY)).toBeLessThan(96);
    expect(stateAt(stored(gone), releases, T0 + 1_000 * DAY)).toEqual({
      lastAccessedAt: stored(gone).lastAccessedAt,
      appVersion: KNOWN,
    });
  });

  it('reports the release in every field, in the same time format', () => {
    const id = active[0]!;
    const at = nextOpening(id, rhythmOf(id)!, T0);
    expect(stateAt(stored(id), [release(13, 'forced')], at - 1)).toEqual({
      lastAccessedAt: stored(id).lastAccessedAt,
      appVersion: KNOWN,
    });
    expect(stateAt(stored(id), [release(13, 'forced')], at)).toEqual({
      lastAccessedAt: new Date(at),
      appVersion: {
        isManualCheck: false,
        lastCheckedAt: expect.stringMatching(/\+05:30$/),
        latestVersion: 13,
        currentVersion: 13,
        nrOfDownloads: 5,
        lastUpdateType: null,
        localUpdatedAt: new Date(at).toISOString(),
        assetsToDownload: 0,
      },
    });
    const { lastCheckedAt } = stateAt(stored(id), [release(13, 'forced')], at).appVersion!;
    expect(at - Date.parse(lastCheckedAt!)).toBeLessThan(SECOND);
  });

  it('downloads a silent release when it is opened, and applies it when it is opened again', () => {
    const id = active[0]!;
    const first = nextOpening(id, rhythmOf(id)!, T0);
    const second = nextOpening(id, rhythmOf(id)!, first);
    const seen = (time: number) => stateAt(stored(id), [release(13, 'silent')], time).appVersion!;
    expect(seen(second - 1)).toMatchObject({
      latestVersion: 13,
      currentVersion: 11,
      nrOfDownloads: 5,
      localUpdatedAt: KNOWN.localUpdatedAt,
      assetsToDownload: 0,
    });
    expect(seen(second)).toMatchObject({
      latestVersion: 13,
      currentVersion: 13,
      nrOfDownloads: 5,
      localUpdatedAt: new Date(second).toISOString(),
      assetsToDownload: 0,
    });
  });

  it('detects a visible release when it is opened, and downloads it when its user agrees', () => {
    const releases = [release(13, 'visible')];
    const waiting = active
      .map((id) => stateAt(stored(id), releases, T0 + HOUR).appVersion!)
      .filter(({ currentVersion }) => currentVersion === 11);
    expect(waiting.length).toBeGreaterThan(active.length / 5);
    for (const { latestVersion, nrOfDownloads, assetsToDownload } of waiting) {
      expect({ latestVersion, nrOfDownloads }).toEqual({ latestVersion: 13, nrOfDownloads: 4 });
      expect(assetsToDownload).toBeGreaterThan(0);
    }
  });

  it('isn’t updated by releases from before it was stored, or without a release', () => {
    const old = [release(9, 'silent', -60 * DAY), release(12, 'forced', -6 * DAY)];
    for (const id of IDS.slice(0, 50))
      expect(stateAt(stored(id), old, T0 + DAY)).toEqual({
        lastAccessedAt: stored(id).lastAccessedAt,
        appVersion: KNOWN,
      });
    const fresh = stored(active[0]!, { recordedVersion: null });
    expect(versionOf(stateAt(fresh, old, T0))).toBe(11);
    expect(versionOf(stateAt(fresh, [...old, release(13, 'forced')], T0 + DAY))).toBe(13);
    expect(versionOf(stateAt(stored(active[0]!, { recordedVersion: 11 }), old, T0))).toBe(12);
  });

  it('without version fields stays without them, and with some of them reports its new version', () => {
    const releases = [release(13, 'forced')];
    expect(stateAt(stored(active[0]!, { appVersion: null }), releases, T0 + HOUR)).toEqual({
      lastAccessedAt: expect.any(Date),
      appVersion: null,
    });
    expect(
      stateAt(stored(active[0]!, { appVersion: null }), releases, T0 + HOUR).lastAccessedAt.getTime(),
    ).toBeGreaterThan(T0);
    const nothing = {
      isManualCheck: null,
      lastCheckedAt: null,
      latestVersion: null,
      currentVersion: null,
      nrOfDownloads: null,
      lastUpdateType: null,
      localUpdatedAt: null,
      assetsToDownload: null,
    };
    expect(
      stateAt(stored(active[0]!, { recordedVersion: null, appVersion: nothing }), releases, T0 + HOUR).appVersion,
    ).toMatchObject({
      lastCheckedAt: expect.stringMatching(/\+00:00$/),
      latestVersion: 13,
      currentVersion: 13,
      nrOfDownloads: 1,
      assetsToDownload: 0,
    });
  });

  it('that was stored after the current time is updated too, and never shows an earlier last access', () => {
    const later = stored(active[0]!, { lastAccessedAt: new Date(T0 + 300 * DAY) });
    expect(stateAt(later, [release(13, 'forced')], T0 + HOUR)).toMatchObject({
      lastAccessedAt: later.lastAccessedAt,
      appVersion: { currentVersion: 13 },
    });
  });
});

describe('releases that follow one another', () => {
  it('skip an older release, except on devices that were active in between', () => {
    const releases = [release(13, 'forced'), release(14, 'forced', 30 * SECOND)];
    const between = share([releases[0]!], 30 * SECOND);
    expect(share(releases, 30 * SECOND, 13)).toBe(between);
    expect(share(releases, 2 * MINUTE, 13)).toBeLessThan(between);
    expect(share(releases, 2 * MINUTE, 13)).toBeGreaterThan(0);
    expect(share(releases, DAY, 13)).toBeLessThan(1);
    expect(share(releases, DAY, 14)).toBeGreaterThan(80);
  });

  it.each<ReleaseType>(['silent', 'visible'])('never offer a skipped %s release', (type) => {
    const releases = [release(13, type), release(14, 'visible', SECOND)];
    for (const after of [MINUTE, 10 * MINUTE, DAY]) expect(share(releases, after, 13)).toBeLessThan(1.5);
    expect(share([releases[0]!], MINUTE, 13)).toBeGreaterThan(4);
  });

  it('force a release that follows a forced one on devices that skipped it', () => {
    const releases = [release(13, 'forced'), release(14, 'visible', SECOND)];
    expect(share(releases, 10 * MINUTE)).toBeGreaterThan(share([release(14, 'silent')], 10 * MINUTE));
    const at = nextOpening(rare, rhythmOf(rare)!, T0);
    expect(versionOf(stateAt(stored(rare), releases, at))).toBe(14);
  });

  it('apply a downloaded silent release before the release that replaced it', () => {
    const id = active.find((each) => nextOpening(each, rhythmOf(each)!, T0) < T0 + 10 * SECOND)!;
    const first = nextOpening(id, rhythmOf(id)!, T0);
    const second = nextOpening(id, rhythmOf(id)!, first);
    const third = nextOpening(id, rhythmOf(id)!, second);
    const releases = [release(13, 'silent'), { version: 14, type: 'silent' as const, at: first }];
    expect([second - 1, second, third].map((time) => versionOf(stateAt(stored(id), releases, time)))).toEqual([
      11, 13, 14,
    ]);
    expect(stateAt(stored(id), releases, second).appVersion).toMatchObject({
      latestVersion: 14,
      nrOfDownloads: 6,
      assetsToDownload: 0,
    });
  });

  it('never decrease a version or use an unpublished one, and have consistent times, for any releases', () => {
    const history = fc.array(
      fc.record({
        type: fc.constantFrom<ReleaseType>('forced', 'silent', 'visible'),
        wait: fc.oneof(fc.integer({ min: 0, max: 5 * MINUTE }), fc.integer({ min: 0, max: 20 * DAY })),
      }),
      { minLength: 1, maxLength: 12 },
    );
    const looks = fc.array(fc.integer({ min: 0, max: 60 * DAY }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(someId, history, looks, (id, published, times) => {
        let at = 0;
        const releases = published.map(({ type, wait }, index) => release(13 + index, type, (at += wait)));
        let before: SessionState = stored(id);
        for (const after of times.toSorted((a, b) => a - b)) {
          const now = T0 + after;
          const state = stateAt(stored(id), releases, now);
          expect(stateAt(stored(id), releases, now)).toEqual(state);
          // A later publish doesn't change the past.
          expect(
            stateAt(
              stored(id),
              releases.filter((each) => each.at <= now),
              now,
            ),
          ).toEqual(state);
          const { currentVersion, latestVersion, localUpdatedAt, nrOfDownloads } = state.appVersion!;
          const was = before.appVersion!;
          expect(currentVersion).toBeGreaterThanOrEqual(was.currentVersion!);
          expect(latestVersion).toBeGreaterThanOrEqual(was.latestVersion!);
          expect(nrOfDownloads).toBeGreaterThanOrEqual(was.nrOfDownloads!);
          expect(Date.parse(localUpdatedAt!)).toBeGreaterThanOrEqual(Date.parse(was.localUpdatedAt!));
          expect(state.lastAccessedAt.getTime()).toBeGreaterThanOrEqual(before.lastAccessedAt.getTime());
          expect(state.lastAccessedAt.getTime()).toBeLessThanOrEqual(now);
          expect(currentVersion).toBeLessThanOrEqual(latestVersion!);
          expect(latestVersion).toBeLessThanOrEqual(
            Math.max(12, ...releases.filter((each) => each.at < now).map(({ version }) => version)),
          );
          if (currentVersion !== 11) {
            const { at } = releases.find(({ version }) => version === currentVersion)!;
            expect(Date.parse(localUpdatedAt!)).toBeGreaterThan(at);
            expect(Date.parse(localUpdatedAt!)).toBeLessThanOrEqual(state.lastAccessedAt.getTime());
          }
          before = state;
        }
      }),
      { numRuns: 300 },
    );
  });
});
