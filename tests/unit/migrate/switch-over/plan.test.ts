/** Tests the plan of a switch-over: its steps, limits with figures, call sites, and when it can start. */
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../../lib/platform-api/log.ts';
import { type PlanInput, planOf } from '../../../../lib/migrate/switch-over/index.ts';
import { safeTime, timesBetween } from '../../../../lib/migrate/switch-over/schedule.ts';
import type { Recording } from '../../../../lib/debugging/recording/format.ts';
import { FIRING } from './model-platform.ts';

const at = (time: string): number => Date.parse(`2026-03-02T${time}Z`);
const MANUAL = { triggers: [{ trigger: 'manual' as const }], frequency: null, timezone: null };
const input = (change: Partial<PlanInput> = {}): PlanInput => ({
  action: { id: 7, name: 'job', appId: 3, isLive: true },
  migration: { ...FIRING, name: 'job-v3', environment: 'server' },
  recordings: [],
  logs: [],
  profile: 'plain',
  namespace: 'Platform',
  now: at('10:30:00'),
  ...change,
});
const log = (createdAt: string, data: Record<string, unknown>): LogRecord => ({
  id: 1,
  appId: 3,
  organizationId: null,
  dataSourceId: null,
  dataSourceEntryId: null,
  appNotificationId: null,
  sessionId: null,
  type: 'app.task.completed',
  createdAt: `2026-03-02T${createdAt}Z`,
  data,
});
const recording = (milliseconds: number, result: string, payload: string): Recording => ({
  format: 'platform-devtools/run',
  version: 1,
  startedAt: '2026-03-02T09:00:00.000Z',
  milliseconds,
  engine: 'platform',
  pipeline: [],
  payload,
  steps: [],
  end: { state: 'completed', result },
  lost: 0,
});
const ids = (plan: ReturnType<typeof planOf>): string[] => plan.steps.map(({ id }) => id);
const limitsOf = (change: Partial<PlanInput>) =>
  Object.fromEntries(planOf(input(change)).limits.map(({ limit, level, text }) => [limit, { level, text }]));

describe('the steps', () => {
  it('have a change, what is live, a risk, and a way back each', () => {
    for (const { changes, live, risk, back } of planOf(input()).steps)
      for (const text of [changes, live, risk, back]) expect(text).toMatch(/^\S.*\.$/);
  });

  it('depend on what fires the action', () => {
    const scheduled = { ...FIRING, triggers: [{ trigger: 'schedule' as const }] };
    const plan = (migration: typeof MANUAL | typeof scheduled) =>
      ids(planOf(input({ migration: { ...migration, name: 'job-v3', environment: 'server' } as never })));
    expect(ids(planOf(input()))).toEqual(['draft', 'answer', 'calls', 'switch', 'gap', 'remove']);
    expect(plan(MANUAL)).toEqual(['draft', 'answer', 'calls', 'switch', 'remove']);
    expect(plan(scheduled)).toEqual(['draft', 'answer', 'switch', 'gap', 'remove']);
  });

  it('say that publishing V3 makes live what wasn’t, if V2 isn’t published', () => {
    const action = { id: 7, name: 'job', appId: 3, isLive: false };
    expect(planOf(input({ action })).steps.find(({ id }) => id === 'switch')?.live).toContain('isn’t published');
    expect(planOf(input()).steps.find(({ id }) => id === 'switch')?.live).not.toContain('isn’t published');
  });
});

describe('the limits', () => {
  it('are compared with the longest and largest run', () => {
    const recordings = [recording(20_000, 'x'.repeat(10), 'y'), recording(48_000, 'x', 'y'.repeat(98))];
    const client = { ...FIRING, name: 'job-v3', environment: 'any' as const };
    expect(limitsOf({ recordings, migration: client })).toEqual({
      time: { level: 'over', text: 'Longest of 2 runs: 48.00 s. The client limit is 30 s.' },
      result: { level: 'fine', text: 'Largest result of 2 runs: 12 B. The limit is 6.0 MB.' },
      payload: { level: 'fine', text: 'Largest payload of 2 runs: 100 B. The limit is 6.0 MB.' },
      rate: { level: 'fine', text: expect.stringContaining('Most runs in a minute: 2.') },
    });
  });

  it('depend on the profile: 48 s are near to 60 s, and fine within 120 s', () => {
    const recordings = [recording(48_000, 'x', 'y')];
    expect(limitsOf({ recordings, profile: 'envelope' }).time?.level).toBe('near');
    expect(limitsOf({ recordings, profile: 'plain' }).time?.level).toBe('fine');
  });

  it('count the runs of any 60 seconds', () => {
    const runs = (count: number, seconds: number) =>
      Array.from({ length: count }, (_, n) =>
        log(new Date(at('09:00:00') + n * seconds * 1000).toISOString().slice(11, -1), { duration: 0 }),
      );
    expect(limitsOf({ logs: runs(31, 1) }).rate?.level).toBe('over');
    expect(limitsOf({ logs: runs(31, 2) }).rate).toMatchObject({
      level: 'near',
      text: expect.stringContaining(': 30.'),
    });
  });

  it('are unknown without runs', () => {
    expect(Object.values(limitsOf({})).map(({ level }) => level)).toEqual(Array(4).fill('unknown'));
  });
});

describe('the call sites', () => {
  it('name what to change and to search for, and count the calls of V2', () => {
    const logs = [
      log('09:00:00', { mode: 'on-demand', duration: 1 }),
      log('09:30:00', { mode: 'on-demand', duration: 1 }),
      log('09:40:00', { mode: 'scheduled', duration: 1 }),
      log('09:50:00', { mode: 'on-demand', duration: 1, actionVersion: 'v3' }),
    ];
    const { calls } = planOf(input({ logs }));
    expect(calls.calls).toEqual({ count: 2, last: at('09:30:00') });
    expect(calls.changes[0]).toEqual({
      before: "Platform.App.Actions.run('job', payload)",
      after: "Platform.App.V3.Actions.run('job-v3', payload)",
      note: null,
    });
    expect(calls.searches).toContain("'job'");
    expect(calls.searches).toContain('runWithResult(7');
  });

  it('warn of the envelope only where there is one', () => {
    const note = (change: Partial<PlanInput>) => planOf(input(change)).calls.changes[1]?.note ?? null;
    expect(note({ profile: 'envelope' })).toContain('{success, data}');
    expect(note({ profile: 'plain' })).toBeNull();
  });
});

describe('the time to switch over', () => {
  it.each([
    ['10:30:00', '10:30:00'],
    ['10:58:59', '10:58:59'],
    ['10:59:01', '11:01:00'],
    ['11:00:00', '11:01:00'],
    ['11:00:59', '11:01:00'],
    ['11:01:00', '11:01:00'],
  ])('at %s is %s for an hourly schedule', (now, safe) => {
    expect(new Date(safeTime(FIRING, at(now))).toISOString()).toBe(`2026-03-02T${safe}.000Z`);
  });

  it('keeps a quarter of the interval from schedules that run more often', () => {
    const often = { ...FIRING, frequency: '*/2 * * * *' };
    expect(safeTime(often, at('10:00:10'))).toBe(at('10:00:30'));
    expect(safeTime(often, at('10:01:00'))).toBe(at('10:01:00'));
  });

  it('is now without a schedule', () => expect(safeTime(MANUAL, at('11:00:00'))).toBe(at('11:00:00')));

  it('lists the scheduled times of a gap, with its end and without its start', () => {
    expect(timesBetween(FIRING, at('10:00:00'), at('12:00:00'))).toEqual([at('11:00:00'), at('12:00:00')]);
  });
});
