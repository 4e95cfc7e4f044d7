/** Tests an app's sessions: rows, filters, sorting, charts, and exports, also with hostile data. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { AnalyticsSession } from '../../../../../lib/platform-api/sessions/session.ts';
import { usersOf } from '../../../../../lib/platform-api/sessions/audience.ts';
import { usersBehind } from '../../../../../lib/extension/panel/apps/sessions.ts';
import { chartsOf } from '../../../../../lib/extension/panel/apps/session-charts.ts';
import {
  NO_FILTER,
  choicesOf,
  searchTexts,
  matchingRows,
} from '../../../../../lib/extension/panel/apps/session-filter.ts';
import { orderOf, withVersionsBehind, sessionRow } from '../../../../../lib/extension/panel/apps/session-rows.ts';
import { toCsv, toJson } from '../../../../../lib/extension/panel/apps/sessions-file.ts';
import type { SessionColumn, SessionFilter, SessionRow } from '../../../../../lib/extension/panel/apps/types.ts';
import { tableFileName } from '../../../../../lib/extension/panel/shared/table-file.ts';
import { LONG, MARKUP, RTL, hostileSessions } from '../../../../support/data/hostile-apps.ts';

const parse = (sessions: unknown[]): AnalyticsSession[] => v.parse(v.array(AnalyticsSession), sessions);
interface Made {
  id?: number;
  email?: string | null;
  version?: number | null;
  at?: string;
  updated?: string;
  browser?: string;
  os?: string;
  device?: string;
  address?: string;
}
const session = ({
  id = 1,
  email = 'a@example.com',
  version = 12,
  at = '2026-11-20T10:00:00Z',
  updated = '2026-11-10T10:00:00Z',
  browser = 'Chrome',
  os = 'Android',
  device = 'Pixel 9',
  address = '203.0.113.7',
}: Made) => ({
  id,
  lastAccessedAt: at,
  user: { email },
  identifier: {
    browser: { family: browser, major: '151' },
    os: { family: os, major: '15' },
    device: { family: device },
    ipAddress: address,
  },
  appVersion: { currentVersion: version, latestVersion: 12, localUpdatedAt: updated },
});
const rowsOf = (made: Made[], latest: number | null = 12): SessionRow[] =>
  withVersionsBehind(parse(made.map((one, index) => session({ id: index + 1, ...one }))).map(sessionRow), latest);
const zone = process.env['TZ'];
beforeAll(() => {
  // Days are local ones. A time zone with daylight saving time.
  process.env['TZ'] = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

const found = (rows: readonly SessionRow[], filter: Partial<SessionFilter>): number[] => {
  const found = matchingRows(rows, { ...NO_FILTER, ...filter }, () => searchTexts(rows));
  return rows.filter((_, index) => found[index]).map(({ id }) => id);
};
const hostile = (): SessionRow[] => withVersionsBehind(parse(hostileSessions()).map(sessionRow), 12);

describe('a session row', () => {
  it('has the platform’s data as strings, numbers, and times', () => {
    expect(rowsOf([{ version: 9, at: '2026-11-20T10:00:00+01:00' }])[0]).toMatchObject({
      id: 1,
      email: 'a@example.com',
      version: 9,
      behind: 3,
      device: 'Pixel 9',
      os: 'Android 15',
      browser: 'Chrome 151',
      lastAccess: Date.parse('2026-11-20T09:00:00Z'),
      updated: Date.parse('2026-11-10T10:00:00Z'),
    });
  });

  it('is 0 versions behind when it is ahead, and unknown when no version is known', () => {
    expect(rowsOf([{ version: 13 }, { version: null }]).map(({ behind }) => behind)).toEqual([0, null]);
    expect(rowsOf([{}], null)[0]?.behind).toBeNull();
  });

  it('can be of an unknown device or without a user', () => {
    const [row] = parse([{ id: 5 }]).map(sessionRow);
    expect(row).toMatchObject({
      id: 5,
      email: null,
      version: null,
      behind: null,
      device: '',
      os: '',
      browser: '',
      lastAccess: null,
      updated: null,
    });
    expect(parse([{ id: 6, user: { email: '' } }]).map(sessionRow)[0]?.email).toBeNull();
  });

  it('preserves hostile strings, and rejects invalid dates', () => {
    const rows = hostile();
    expect(rows).toHaveLength(hostileSessions().length);
    const texts = rows.flatMap(({ browser, os, device, email }) => [browser, os, device, email ?? '']);
    for (const text of [MARKUP, RTL, LONG]) expect(texts.some((one) => one.includes(text))).toBe(true);
    const dateOf = (text: string) => rows.find((row) => row.session.lastAccessedAt === text)?.lastAccess;
    expect([dateOf('yesterday'), dateOf(''), dateOf('2099-01-01T00:00:00.000Z')]).toEqual([
      null,
      null,
      Date.parse('2099-01-01T00:00:00Z'),
    ]);
    expect(rows.every(({ lastAccess, updated }) => !Number.isNaN(lastAccess) && !Number.isNaN(updated))).toBe(true);
  });
});

describe('a session filter', () => {
  const rows = rowsOf([
    { email: 'Ann@example.com', version: 12, browser: 'Firefox', at: '2026-11-18T12:00:00Z' },
    { email: 'bob@example.com', version: 10, os: 'iOS', device: 'iPhone', address: '10.0.0.1, 10.0.0.2' },
    { email: null, version: null, at: 'yesterday' },
  ]);

  it('by query matches email, device, system, browser, and IP address when every word matches', () => {
    expect(found(rows, { query: 'ANN' })).toEqual([1]);
    expect(found(rows, { query: ' iphone  bob ' })).toEqual([2]);
    expect(found(rows, { query: 'iphone ann' })).toEqual([]);
    expect(found(rows, { query: 'ios 15' })).toEqual([2]);
    expect(found(rows, { query: '10.0.0.2' })).toEqual([2]);
    expect(found(rows, { query: 'firefox' })).toEqual([1]);
    expect(found(rows, {})).toEqual([1, 2, 3]);
  });

  it('matches by version, unknown version, and versions behind', () => {
    expect(found(rows, { version: 10 })).toEqual([2]);
    expect(found(rows, { version: 'none' })).toEqual([3]);
    expect(found(rows, { behind: 2 })).toEqual([2]);
    expect(found(rows, { behind: 0 })).toEqual([1, 2]);
  });

  it('matches by family, regardless of its version', () => {
    expect(found(rows, { browser: 'Firefox' })).toEqual([1]);
    expect(found(rows, { os: 'iOS', device: 'iPhone' })).toEqual([2]);
    expect(found(rows, { browser: 'Firefox 151' })).toEqual([]);
    expect(found(rows, { device: '' })).toEqual([1, 2, 3]);
  });

  it('matches by local days, inclusive, and ignores invalid days', () => {
    const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).toISOString();
    const days = rowsOf([
      { at: at(28, 23, 59) },
      { at: at(29, 0) },
      { at: at(29, 23, 59) },
      { at: at(30, 0) },
      { at: 'none' },
    ]);
    expect(found(days, { from: '2026-03-29', to: '2026-03-29' })).toEqual([2, 3]);
    expect(found(days, { from: '2026-03-29' })).toEqual([2, 3, 4]);
    expect(found(days, { to: '2026-03-28' })).toEqual([1]);
    expect(found(days, { from: 'soon', to: '2026-3' })).toEqual([1, 2, 3, 4, 5]);
  });

  it('matches the same rows as a plain filter, in every combination', () => {
    const few = <T>(...values: T[]) => fc.constantFrom(...values);
    const made = fc.array(
      fc.record({
        email: few('Ann@x.org', 'bob@x.org', null),
        version: few(8, 11, 12, null),
        browser: few('Chrome', 'Edge', ''),
        os: few('iOS', 'Android'),
        device: few('Pixel', ''),
        at: few('2026-11-18T12:00:00Z', '2026-11-19T12:00:00+02:00', 'none'),
        address: few('10.0.0.1', ''),
      }),
      { maxLength: 12 },
    );
    const filters = fc.record({
      query: few('', 'ann', 'x.org pixel', 'chrome', '10.0 i', 'zzz'),
      version: few<number | 'none' | null>(null, 8, 12, 'none'),
      device: few(null, 'Pixel', ''),
      os: few(null, 'iOS'),
      browser: few(null, 'Edge'),
      from: few('', '2026-11-19'),
      to: few('', '2026-11-18'),
      behind: few(null, 1, 4),
    });
    fc.assert(
      fc.property(made, filters, (made, filter) => {
        const rows = rowsOf(made);
        const plain = rows.filter((row, index) => {
          const {
            email = null,
            version = null,
            browser = '',
            os = '',
            device = '',
            at = '',
            address = '',
          } = made[index]!;
          const text = [email ?? '', device, os && `${os} 15`, browser && `${browser} 151`, address]
            .join('\n')
            .toLowerCase();
          const day = at === 'none' ? null : at.slice(0, 10);
          return (
            filter.query.split(' ').every((word) => text.includes(word)) &&
            (filter.version === null || (filter.version === 'none' ? version === null : version === filter.version)) &&
            (!filter.device || device === filter.device) &&
            (!filter.os || os === filter.os) &&
            (!filter.browser || browser === filter.browser) &&
            (!filter.from || (day !== null && day >= filter.from)) &&
            (!filter.to || (day !== null && day <= filter.to)) &&
            (filter.behind === null || (version !== null && 12 - version >= filter.behind)) &&
            row.id > 0
          );
        });
        expect(found(rows, filter)).toEqual(plain.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });
});

describe('the choices of filters', () => {
  it('list the most frequent first, with unknown versions and without unknown families', () => {
    const rows = rowsOf([
      { version: 11 },
      { version: 12, browser: 'Edge' },
      { version: 11, browser: 'Edge' },
      { version: null, browser: '', device: '' },
    ]);
    expect(choicesOf(rows)).toEqual({
      versions: [
        { value: 11, count: 2 },
        { value: 12, count: 1 },
        { value: 'none', count: 1 },
      ],
      browsers: [
        { label: 'Edge', count: 2 },
        { label: 'Chrome', count: 1 },
      ],
      devices: [{ label: 'Pixel 9', count: 3 }],
      systems: [{ label: 'Android', count: 4 }],
    });
  });

  it('are limited in number', () => {
    const rows = rowsOf(Array.from({ length: 1_000 }, (_, n) => ({ device: `device ${n % 700}`, version: n })));
    const { devices, versions } = choicesOf(rows);
    expect(devices.length).toBe(200);
    expect(versions.length).toBe(200);
    expect(devices[0]).toEqual({ label: 'device 0', count: 2 });
  });
});

describe('the order of sessions', () => {
  const rows = rowsOf([
    { email: 'bob@example.com', version: 10, at: '2026-11-02T00:00:00Z', browser: 'edge', address: '2' },
    { email: null, version: null, at: 'none', browser: '', address: '', updated: 'none' },
    {
      email: 'Ann@example.com',
      version: 10,
      at: '2026-11-02T01:00:00+02:00',
      browser: 'Chrome',
      address: '1',
      updated: '2026-11-01T00:00:00Z',
    },
  ]);
  const ids = (by: SessionColumn, descending = false) =>
    [...orderOf(rows, { by, descending })].map((index) => rows[index]?.id);

  it.each<[SessionColumn, number[], number[]]>([
    ['user', [3, 1, 2], [1, 3, 2]],
    ['version', [1, 3, 2], [1, 3, 2]],
    ['behind', [1, 3, 2], [1, 3, 2]],
    ['lastAccess', [3, 1, 2], [1, 3, 2]],
    ['updated', [3, 1, 2], [1, 3, 2]],
    ['browser', [3, 1, 2], [1, 3, 2]],
    ['os', [1, 2, 3], [1, 2, 3]],
    ['device', [1, 2, 3], [1, 2, 3]],
    ['ipAddress', [3, 1, 2], [1, 3, 2]],
  ])('by %s has unknown values last, and ties in the platform’s order', (by, up, down) => {
    expect([ids(by), ids(by, true)]).toEqual([up, down]);
  });
});

it('sorts strings as a plain sort does, whatever they start with', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 9 }),
    fc.string({ unit: fc.constantFrom('a', 'b', '\u0000', 'ÿ', 'ž', '😀'), maxLength: 9 }).map((end) => `user-${end}`),
    fc.constant(''),
  );
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.boolean(), (addresses, descending) => {
      const rows = rowsOf(addresses.map((address) => ({ address })));
      const plain = rows.toSorted((a, b) => {
        const [first = '', second = ''] = [a, b].map(({ id }) => addresses[id - 1]);
        if (first === second) return 0;
        if (first === '' || second === '') return first === '' ? 1 : -1;
        return first < second === descending ? 1 : -1;
      });
      expect([...orderOf(rows, { by: 'ipAddress', descending })].map((index) => rows[index])).toEqual(plain);
    }),
    { numRuns: 300, examples: [[['user-😀', 'user-žÿa'], false]] },
  );
});

describe('the charts of sessions', () => {
  const now = Date.parse('2026-11-20T15:00:00+01:00');
  const local = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).toISOString();
  const days = (seconds: readonly number[]) => seconds.map((time) => new Date(time * 1000).toString().slice(4, 10));

  it('count the sessions on each version by day, newest version first', () => {
    const charts = chartsOf(
      rowsOf([
        { version: 11, updated: local(11, 17) },
        { version: 12, updated: local(11, 18, 0) },
        { version: 12, updated: local(11, 20) },
        { version: null, updated: local(11, 18) },
      ]),
      12,
      now,
    );
    expect(days(charts.versions.times)).toEqual(['Nov 17', 'Nov 18', 'Nov 19', 'Nov 20']);
    expect(charts.versions.series).toEqual([
      { label: 'Version 12', values: [0, 1, 1, 2] },
      { label: 'Version 11', values: [1, 1, 1, 1] },
    ]);
    expect(charts.adoption).toEqual({
      unit: 'day',
      times: charts.versions.times,
      version: 12,
      percent: [0, 100 / 3, 100 / 3, 200 / 3],
    });
  });

  it('count sessions ahead of the newest known version as having it', () => {
    expect(chartsOf(rowsOf([{ version: 13 }, { version: 11 }]), 12, now).adoption.percent.at(-1)).toBe(50);
  });

  it('count the last access on its day', () => {
    const { lastAccess } = chartsOf(
      rowsOf([{ at: local(11, 18, 0) }, { at: local(11, 18, 23) }, { at: local(11, 20) }]),
      12,
      now,
    );
    expect(days(lastAccess.times)).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(lastAccess.counts).toEqual([2, 0, 1]);
  });

  it('have each local midnight once, also when clocks change', () => {
    const { lastAccess } = chartsOf(
      rowsOf([
        { at: local(3, 1) },
        { at: local(3, 28, 23) },
        { at: local(3, 29, 1) },
        { at: local(3, 29, 23) },
        { at: local(3, 30, 0) },
        { at: local(10, 25, 23) },
        { at: local(10, 26, 0) },
      ]),
      12,
      now,
    );
    expect([new Date(2026, 2, 29, 12), new Date(2026, 2, 28, 12)].map((date) => date.getTimezoneOffset())).toEqual([
      -120, -60,
    ]);
    expect(lastAccess.times.every((time) => new Date(time * 1000).getHours() === 0)).toBe(true);
    const counts = new Map(days(lastAccess.times).map((day, index) => [day, lastAccess.counts[index]]));
    expect(['Mar 01', 'Mar 28', 'Mar 29', 'Mar 30', 'Oct 25', 'Oct 26'].map((day) => counts.get(day))).toEqual([
      1, 1, 2, 1, 1, 1,
    ]);
    expect(counts.size).toBe(265);
    expect(lastAccess.times.length).toBe(265);
    // Daylight saving time ended in between, so one extra hour has passed.
    const later = chartsOf(
      rowsOf([{ at: local(7, 1) }, { at: local(11, 2, 23) }, { at: local(11, 3, 0) }]),
      12,
      now,
    ).lastAccess;
    expect(days(later.times.filter((_, index) => later.counts[index]))).toEqual(['Jul 01', 'Nov 02', 'Nov 03']);
  });

  it('omit and count invalid and future dates, but not those up to five minutes ahead', () => {
    const { lastAccess, versions, undated } = chartsOf(
      rowsOf([
        { at: new Date(now + 300_000).toISOString() },
        { at: local(11, 20, 23), updated: 'none' },
        { at: '2099-01-01T00:00:00Z' },
        { at: 'none' },
      ]),
      12,
      now,
    );
    expect(undated).toEqual({ lastAccess: 3, updated: 1 });
    expect(days(lastAccess.times)).toEqual(['Nov 20']);
    expect(lastAccess.counts).toEqual([1]);
    expect(versions.series[0]?.values.at(-1)).toBe(3);
  });

  it('count a time a few minutes after the coming midnight as today', () => {
    const late = new Date(2026, 10, 20, 23, 58).getTime();
    const { lastAccess } = chartsOf(
      rowsOf([{ at: new Date(late + 240_000).toISOString() }, { at: local(11, 18) }]),
      12,
      late,
    );
    expect(days(lastAccess.times)).toEqual(['Nov 18', 'Nov 19', 'Nov 20']);
    expect(lastAccess.counts).toEqual([1, 0, 1]);
  });

  it('count by the hour while all data is less than two days old', () => {
    const at = (time: string) => ({ at: time, updated: time, version: 12 });
    const young = [at('2026-11-20T12:10:00+01:00'), at('2026-11-20T14:59:59+01:00'), at('2026-11-20T15:00:00+01:00')];
    const { lastAccess, versions, adoption } = chartsOf(rowsOf(young), 12, now);
    const hours = lastAccess.times.map((time) => new Date(time * 1000).toTimeString().slice(0, 5));
    expect(hours).toEqual(['12:00', '13:00', '14:00', '15:00']);
    expect(lastAccess).toMatchObject({ unit: 'hour', counts: [1, 0, 1, 1] });
    expect(versions).toMatchObject({ unit: 'hour', series: [{ values: [1, 1, 2, 3] }] });
    expect(adoption.percent.at(-1)).toBe(100);
    const old = at('2026-11-18T15:00:00+01:00');
    expect(chartsOf(rowsOf([...young, old]), 12, now).lastAccess.unit).toBe('day');
  });

  it('show the adoption of a young release by the hour, among the sessions of all versions', () => {
    const [before, first, last] = ['2026-09-01T12:00:00Z', '2026-11-20T13:10:00+01:00', '2026-11-20T15:00:00+01:00'];
    const rows = rowsOf([
      { at: before, updated: before, version: 11 },
      { at: before, updated: before, version: 11 },
      { at: first, updated: first, version: 12 },
      { at: last, updated: last, version: 12 },
    ]);
    const { adoption, versions } = chartsOf(rows, 12, now);
    expect(adoption).toMatchObject({ unit: 'hour', percent: [25, 25, 50] });
    expect(new Date(adoption.times[0]! * 1000).toISOString()).toBe('2026-11-20T12:00:00.000Z');
    expect(versions.unit).toBe('day');
  });

  it('go back at most 400 days, and count older sessions only where counts are cumulative', () => {
    const { lastAccess, versions, undated } = chartsOf(
      rowsOf([{ at: '1970-01-01T00:00:00Z', updated: '0001-01-01T00:00:00Z' }, { at: local(11, 20) }]),
      12,
      now,
    );
    expect(lastAccess.times.length).toBe(400);
    expect(lastAccess.counts[0]).toBe(0);
    expect(lastAccess.counts.at(-1)).toBe(1);
    expect(versions.times.length).toBe(400);
    expect(versions.series[0]?.values[0]).toBe(1);
    expect(undated).toEqual({ updated: 0, lastAccess: 1 });
    expect(new Date(lastAccess.times[399]! * 1000)).toEqual(new Date(2026, 10, 20));
  });

  it('show eight versions and eight families, and combine the others', () => {
    const charts = chartsOf(
      rowsOf(
        Array.from({ length: 12 }, (_, n) => ({
          version: n + 1,
          device: `device ${n}`,
          browser: n < 3 ? 'Edge' : 'Chrome',
        })),
      ),
      12,
      now,
    );
    expect(charts.versions.series.map(({ label, values }) => [label, values.at(-1)])).toEqual([
      ...Array.from({ length: 8 }, (_, n) => [`Version ${12 - n}`, 1]),
      ['Older versions', 4],
    ]);
    expect(charts.devices.length).toBe(9);
    expect(charts.devices.at(-1)).toEqual({ label: 'Others', count: 4 });
    expect(charts.browsers).toEqual([
      { label: 'Chrome', count: 9 },
      { label: 'Edge', count: 3 },
    ]);
  });

  it('are empty without sessions', () => {
    expect(chartsOf([], null, now)).toEqual({
      versions: { unit: 'day', times: [], series: [] },
      adoption: { unit: 'day', times: [], version: null, percent: [] },
      lastAccess: { unit: 'day', times: [], counts: [] },
      devices: [],
      browsers: [],
      undated: { updated: 0, lastAccess: 0 },
    });
  });

  it('have normal axes with hostile sessions', () => {
    const { versions, adoption, lastAccess, undated } = chartsOf(hostile(), 12, now);
    for (const { times: days } of [versions, adoption, lastAccess]) {
      expect(days.length).toBeLessThanOrEqual(400);
      expect(days.every((day, index) => Number.isInteger(day) && (index === 0 || day > days[index - 1]!))).toBe(true);
    }
    for (const { values } of versions.series) expect(values).toHaveLength(versions.times.length);
    expect(adoption.percent.every((percent) => percent >= 0 && percent <= 100)).toBe(true);
    expect(undated.lastAccess).toBeGreaterThanOrEqual(4);
  });
});

it('lists users behind by their last session, the furthest first, then the most recent', () => {
  const sessions = parse([
    session({ id: 1, email: 'a@x', version: 3 }),
    session({ id: 2, email: 'a@x', version: 12, at: '2026-11-20T10:00:01Z' }),
    session({ id: 4, email: 'c@x', version: 10, at: 'none' }),
    session({ id: 3, email: 'b@x', version: 10, at: '2026-11-01T10:00:00Z' }),
    session({ id: 5, email: null, version: 9, at: '2026-10-01T10:00:00Z' }),
    session({ id: 6, email: 'd@x', version: null }),
    session({ id: 7, email: 'e@x', version: 11 }),
  ]);
  const users = usersOf(sessions, Date.parse('2026-11-20T15:00:00Z'));
  expect(usersBehind(users, 12, 2).map(({ key, email, behind }) => [key, email, behind])).toEqual([
    ['#5', null, 3],
    ['b@x', 'b@x', 2],
    ['c@x', 'c@x', 2],
  ]);
  expect(usersBehind(users, 12, 1)).toHaveLength(4);
  expect(usersBehind(users, null, 1)).toEqual([]);
});

describe('an export', () => {
  /** RFC 4180, read strictly. */
  function readCsv(text: string): string[][] {
    const lines: string[][] = [];
    let line: string[] = [];
    for (let at = 0; at < text.length;) {
      let cell = '';
      if (text[at] === '"') {
        for (at++; ; at++) {
          if (at >= text.length) throw new Error('A quoted cell does not end.');
          if (text[at] !== '"') cell += text[at];
          else if (text[at + 1] === '"') cell += text[at++];
          else break;
        }
        at++;
      } else while (at < text.length && !/[",\r\n]/.test(text[at]!)) cell += text[at++];
      line.push(cell);
      if (text[at] === ',') at++;
      else if (text.startsWith('\r\n', at)) {
        at += 2;
        lines.push(line);
        line = [];
      } else throw new Error(`What follows a cell at ${at} is ${JSON.stringify(text.slice(at, at + 5))}.`);
    }
    return lines;
  }
  const cells = (rows: readonly SessionRow[]) => readCsv(toCsv(rows).slice(1));

  it('as CSV has a header, a line per session, and a byte order mark', () => {
    expect(toCsv([])).toMatch(/^\uFEFFid,email,currentVersion,behind,/);
    const [head, line] = cells(rowsOf([{ version: 9, address: '10.0.0.1, 10.0.0.2' }]));
    expect(Object.fromEntries(head!.map((title, index) => [title, line![index]]))).toMatchObject({
      id: '1',
      email: 'a@example.com',
      currentVersion: '9',
      behind: '3',
      ipAddress: '10.0.0.1, 10.0.0.2',
      lastAccessedAt: '2026-11-20T10:00:00Z',
      browser: 'Chrome 151',
      lastUpdateType: '',
    });
  });

  it.each(['=1+1', '+1', '-1', '@x', '\t=1', '\r=1'])('as CSV contains no formulas: %j is text', (text) => {
    expect(cells(rowsOf([{ device: text }]))[1]).toContain(`'${text}`);
  });

  it('as CSV keeps numbers, also negative ones', () => {
    expect(cells(rowsOf([{ version: -1 }]))[1]?.[2]).toBe('-1');
  });

  it('as CSV preserves every string', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', '=', "'", ' ', 'ä', '\u202e', '😀') }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ email: text, device: text }), { minLength: 1, maxLength: 4 }), (made) => {
        const lines = cells(rowsOf(made));
        expect(lines).toHaveLength(made.length + 1);
        for (const [index, { email, device }] of made.entries()) {
          const [user, back] = [lines[index + 1]![1]!, lines[index + 1]![6]!];
          const undefused = (cell: string): string =>
            cell.replace(/^'(?=[=+\-@\t\r\n])/, '').replaceAll(/;'(?=\s*[=+\-@])/g, ';');
          expect([user, back].map(undefused)).toEqual([email, device].map(undefused));
          expect([user, back].every((cell) => !/^[=+\-@\t\r\n]|;\s*[=+\-@]/.test(cell))).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('as JSON has the sessions as the platform sent them, with unknown fields', () => {
    const sessions = parse(hostileSessions());
    expect(JSON.parse(toJson(sessions.map(sessionRow)))).toEqual({ sessions: JSON.parse(JSON.stringify(sessions)) });
    expect(JSON.parse(toJson([]))).toEqual({ sessions: [] });
  });

  it('is named after the app and the day, whatever the app’s name', () => {
    const now = new Date(2026, 0, 5).getTime();
    const fileName = (app: { id: number; name: string }, format: 'csv' | 'json', now: number): string =>
      tableFileName({ app, what: 'sessions', format, now });
    expect(fileName({ id: 7, name: 'Field Service: Süd/Ost' }, 'csv', now)).toBe(
      'field-service-su-d-ost-7-sessions-2026-01-05.csv',
    );
    expect(fileName({ id: 7, name: '../../etc' }, 'json', now)).toBe('etc-7-sessions-2026-01-05.json');
    expect(fileName({ id: 7, name: RTL }, 'csv', now)).toMatch(/^[a-z0-9.-]{10,80}$/);
    expect(fileName({ id: 7, name: '' }, 'csv', now)).toBe('app-7-sessions-2026-01-05.csv');
    expect(fileName({ id: 7, name: LONG }, 'csv', now).length).toBeLessThan(90);
  });
});
