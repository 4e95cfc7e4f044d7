/** Tests schedules: due once, with the correct next time, and over a week of a virtual clock (issue, "Schedules"). */
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { actions } from '../../lib/local-platform/db/schema.ts';
import { eq } from '../../lib/local-platform/db/drizzle.ts';
import { createClock } from '../../lib/local-platform/jobs/clock.ts';
import { Schedules } from '../../lib/local-platform/jobs/schedules.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { openDatabase, type OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { onDatabase } from './support/databases.ts';
import { cpuTimeUntil } from '../support/cpu-time.ts';
import { startForTest } from './support/platform.ts';

const PUBLISHED = {
  active: true,
  environment: 'server' as const,
  triggers: [{ trigger: 'schedule' as const }],
  functions: [],
  pageId: null,
};

async function scheduled(
  { db }: OpenedDatabase,
  name: string,
  frequency: string,
  nextRunAt: string,
  more: { timezone?: string; active?: boolean } = {},
): Promise<void> {
  const { timezone = 'UTC', active = true } = more;
  await db.insert(actions).values({
    appId: 101,
    name,
    frequency,
    timezone,
    triggers: PUBLISHED.triggers,
    functions: [],
    published: { ...PUBLISHED, name, active, frequency, timezone },
    nextRunAt: new Date(nextRunAt),
  });
}

async function schedulesAt(
  database: OpenedDatabase,
  start: string,
): Promise<{
  schedules: Schedules;
  runs: { name: string; at: string; due: string | undefined }[];
  /** How many runs each transaction queued. */
  batches: number[];
  next: (name: string) => Promise<string | null>;
}> {
  const clock = createClock(new Date(start));
  // Removes the schedules of the demo, which aren't under test.
  await database.db.update(actions).set({ nextRunAt: null });
  const runs: { name: string; at: string; due: string | undefined }[] = [];
  const batches: number[] = [];
  const enqueueAll = async (requests: RunRequest[]): Promise<void> => {
    batches.push(requests.length);
    for (const { actionName, mode, trigger, copy, dueAt } of requests) {
      expect({ mode, trigger, copy }).toEqual({ mode: 'scheduled', trigger: 'schedule', copy: 'published' });
      runs.push({ name: actionName, at: clock.now().toISOString(), due: dueAt });
    }
  };
  const schedules = new Schedules({
    db: database.db,
    jobs: { enqueueAll },
    clock,
    log: (error) => expect.unreachable(String(error)),
  });
  onTestFinished(() => schedules.close());
  const next = async (name: string) =>
    (await database.db.select().from(actions).where(eq(actions.name, name)))[0]?.nextRunAt?.toISOString() ?? null;
  return { schedules, runs, batches, next };
}

onDatabase(({ kind, url }) => {
  // Shared: each test uses its own actions, and clears the times of all others.
  let database: OpenedDatabase;
  beforeAll(async () => {
    database = await openDatabase({ data: 'memory', url: await url(), log: () => {} });
  });
  afterAll(() => database?.close());

  it('fires every scheduled time of a week, in order, and sets the next', async () => {
    const { schedules, runs, next } = await schedulesAt(database, '2026-03-02T00:00:00Z');
    await scheduled(database, 'daily', '30 6 * * *', '2026-03-02T06:30:00Z');
    await scheduled(database, 'six-hourly', '0 */6 * * *', '2026-03-02T06:00:00Z');
    expect(await schedules.advance(new Date('2026-03-09T00:00:00Z'))).toBe(7 + 28);
    expect(runs.filter(({ name }) => name === 'daily').map(({ at }) => at)).toEqual(
      Array.from({ length: 7 }, (_, day) => `2026-03-0${day + 2}T06:30:00.000Z`),
    );
    expect(runs.map(({ at }) => at)).toEqual(runs.map(({ at }) => at).sort());
    expect(runs.map(({ due }) => due)).toEqual(runs.map(({ at }) => at));
    expect(await next('daily')).toBe('2026-03-09T06:30:00.000Z');
    expect(await next('six-hourly')).toBe('2026-03-09T06:00:00.000Z');
  });

  it('runs what was missed while the platform was down once, not once per missed time', async () => {
    const { schedules, runs, next } = await schedulesAt(database, '2026-03-05T12:00:00Z');
    await scheduled(database, 'missed', '*/5 * * * *', '2026-03-01T00:00:00Z');
    expect(await schedules.fire()).toBe(1);
    expect(runs).toEqual([{ name: 'missed', at: '2026-03-05T12:00:00.000Z', due: '2026-03-01T00:00:00.000Z' }]);
    expect(await next('missed')).toBe('2026-03-05T12:05:00.000Z');
  });

  it('follows the local time when clocks change', async () => {
    const { schedules, runs } = await schedulesAt(database, '2026-03-28T00:00:00Z');
    await scheduled(database, 'night', '30 2 * * *', '2026-03-28T01:30:00Z', { timezone: 'Europe/Amsterdam' });
    await schedules.advance(new Date('2026-03-31T00:00:00Z'));
    expect(runs.map(({ at }) => at)).toEqual([
      '2026-03-28T01:30:00.000Z',
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
  });

  it('never fires an inactive action', async () => {
    const { schedules, runs, next } = await schedulesAt(database, '2026-03-05T12:00:00Z');
    await scheduled(database, 'asleep', '* * * * *', '2026-03-05T12:00:00Z', { active: false });
    await schedules.fire();
    expect(runs).toEqual([]);
    expect(await next('asleep')).toBeNull();
  });

  // In the embedded database, 1,000 are two batches.
  const count = kind === 'Postgres' ? 10_000 : 1_000;
  it(`fires ${count} schedules that are due at once in seconds`, async () => {
    const { schedules, runs, batches } = await schedulesAt(database, '2026-03-05T12:00:00Z');
    const at = new Date('2026-03-05T12:00:00Z');
    const many = Array.from({ length: count }, (_, n) => ({
      appId: 101,
      name: `many-${n}`,
      triggers: PUBLISHED.triggers,
      functions: [],
      published: {
        ...PUBLISHED,
        name: `many-${n}`,
        frequency: `${n % 60} ${n % 24} * * *`,
        timezone: 'Europe/Amsterdam',
      },
      nextRunAt: at,
    }));
    for (let from = 0; from < many.length; from += 2_000)
      await database.db.insert(actions).values(many.slice(from, from + 2_000));
    const milliseconds = await cpuTimeUntil(async () => expect(await schedules.fire()).toBe(count));
    expect(milliseconds).toBeLessThan(8_000);
    // The server’s time isn’t in that: it’s bounded by how many transactions there are.
    expect(batches).toEqual(Array.from({ length: count / 500 }, () => 500));
    expect(new Set(runs.map(({ name }) => name)).size).toBe(count);
  });
});

describe('/v1/clock', () => {
  it('moves a virtual clock, never back', async () => {
    const platform = await startForTest({ clock: new Date('2026-03-02T00:00:00Z') });
    expect((await platform.ask('/v1/clock')).body).toEqual({ now: '2026-03-02T00:00:00.000Z', virtual: true });
    const moved = await platform.ask<{ queued: number; now: string }>('/v1/clock', { body: { advance: 60_000 } });
    expect({ status: moved.status, now: moved.body.now }).toEqual({ status: 200, now: '2026-03-02T00:01:00.000Z' });
    for (const body of [
      {},
      { advance: -1 },
      { advance: 1.5 },
      { to: 'noon' },
      { to: '2026-03-01T00:00:00Z' },
      { advance: 1, to: '2026-03-03T00:00:00Z' },
    ]) {
      expect((await platform.ask('/v1/clock', { body })).status, JSON.stringify(body)).toBe(422);
    }
  });
  it('starts before every scheduled time of an earlier clock, so that the demo’s schedules become due', async () => {
    const platform = await startForTest({ clock: new Date('2026-03-27T12:00:00Z') });
    const next = async () =>
      (
        await platform.ask<{ actions: { name: string; nextRunAt: string | null }[] }>('/v1/apps/101/actions')
      ).body.actions.flatMap(({ name, nextRunAt }) => (nextRunAt ? [[name, nextRunAt]] : []));
    await expect.poll(next).toEqual([
      ['weekly-report', '2026-03-30T07:00:00.000Z'],
      ['check-out-at-midnight', '2026-03-28T00:00:00.000Z'],
    ]);
    expect((await platform.ask('/v1/clock', { body: { advance: 7 * 86_400_000 } })).body).toMatchObject({
      queued: 9,
      now: '2026-04-03T12:00:00.000Z',
    });
  });
  it('refuses to move the machine’s clock', async () => {
    const platform = await startForTest();
    expect((await platform.ask('/v1/clock', { body: { advance: 1 } })).body).toMatchObject({ error: 'CLOCK_IS_REAL' });
  });
});
