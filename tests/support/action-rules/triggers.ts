/** Rules of log triggers, schedules, and logs (specification, rules 1 to 3, 9, and 10; decisions, “Actions”). */
import { expect } from 'vitest';
import { type Rule, say, step } from './rule.ts';

const hears = (where: Record<string, unknown>) => [{ trigger: 'log' as const, where }];

export const TRIGGERS: Rule[] = [
  {
    title: 'a log-triggered action receives the trigger and the log record, and runs in mode scheduled',
    async check({ published, log, logged }) {
      const { id } = await published({
        functions: say('{{trigger}} {{log.id}} {{log.data.columns[1]}}'),
        triggers: hears({ type: 'visit.started' }),
      });
      const record = await log({ type: 'visit.started', dataSourceId: 503, data: { columns: ['a', 'b'] } });
      expect((await logged(id, 1))[0]).toMatchObject({
        type: 'app.task.completed',
        data: { mode: 'scheduled', actionId: id, result: `log ${record.id} b` },
      });
    },
  },
  {
    title: 'a log trigger matches a record that has every field of its where, deeply',
    async check({ published, log, logged }) {
      const { id } = await published({
        functions: say('{{log.id}}'),
        triggers: hears({ type: 'visit.paid', dataSourceId: 503, data: { kind: { urgent: true } } }),
      });
      await log({ type: 'visit.paid', dataSourceId: 503, data: { kind: { urgent: false } } });
      await log({ type: 'visit.paid', data: { kind: { urgent: true } } });
      await log({ type: 'visit.lost', dataSourceId: 503, data: { kind: { urgent: true } } });
      const received = await log({ type: 'visit.paid', dataSourceId: 503, data: { kind: { urgent: true, more: 1 } } });
      expect((await logged(id, 1))[0]!.data!.result).toBe(String(received.id));
    },
  },
  {
    title:
      'log triggers use the published copy: an action that is unpublished, inactive, or has the trigger only in its working copy doesn’t run',
    async check({ api, fresh, published, log, logged }) {
      const triggers = hears({ type: 'test.unmatched' });
      const others = [
        await fresh({ triggers }),
        await published({ triggers, active: false }),
        await published({ triggers: hears({ type: 'other' }) }),
      ];
      await api.actions.update(others[2]!.id, { triggers });
      const heard = await published({ triggers });
      await log({ type: 'test.unmatched' });
      await logged(heard.id, 1);
      for (const { id } of others) await logged(id, 0);
    },
  },
  {
    title: 'runs triggered by their own log records stop at a depth of 5, which is logged as a failure',
    async check({ api, fresh, logged }) {
      const { id } = await fresh({ functions: say('again') });
      await api.actions.update(id, {
        triggers: [
          { trigger: 'manual' },
          ...hears({ type: 'app.task.completed', data: { actionId: id } }),
          ...hears({ type: 'app.action.completed', data: { actionId: id } }),
        ],
      });
      const { name } = await api.actions.publish(id, true);
      await api.live.run(name);
      const [last, ...others] = await logged(id, 7);
      expect(last).toMatchObject({
        type: 'app.task.failed',
        data: {
          result: {
            errorType: 'DEPTH_LIMIT',
            errorMessage: expect.stringContaining('A chain of runs that fire one another is limited to 5'),
          },
        },
      });
      expect(others.map(({ type }) => type)).toEqual([
        ...Array<string>(5).fill('app.task.completed'),
        'app.action.completed',
      ]);
    },
  },
  {
    title:
      'frequency is a five-field cron expression; it runs with the schedule trigger, server side, in mode scheduled, and its result is stored',
    async check({ api, published, moveClock, logged }) {
      const { id, nextRunAt } = await published({ frequency: '*/5 * * * *', functions: say('on time') });
      expect(Date.parse(nextRunAt!) % 300_000).toBe(0);
      await moveClock(nextRunAt!);
      expect((await logged(id, 1))[0]).toMatchObject({
        type: 'app.task.completed',
        data: { mode: 'scheduled', result: 'on time' },
      });
      const [action] = (await api.actions.get()).filter((each) => each.id === id);
      expect(Date.parse(action!.nextRunAt!) - Date.parse(nextRunAt!)).toBe(300_000);
      expect(Math.abs(Date.parse(action!.lastRunAt!) - Date.parse(nextRunAt!))).toBeLessThan(5_000);
    },
  },
  {
    title: 'schedules use the published copy, and don’t repeat a failed run before its next time',
    async check({ api, published, moveClock, logged }) {
      const { id, nextRunAt } = await published({
        frequency: '* * * * *',
        functions: [step('fail', { message: 'No' })],
      });
      await api.actions.update(id, { functions: say('fixed') });
      await moveClock(nextRunAt!);
      expect((await logged(id, 1))[0]).toMatchObject({ type: 'app.task.failed', data: { mode: 'scheduled' } });
      const due = (await api.actions.publish(id, true)).nextRunAt!;
      expect(Date.parse(due) - Date.parse(nextRunAt!)).toBe(60_000);
      await moveClock(due);
      expect((await logged(id, 2))[0]!.data!.result).toBe('fixed');
    },
  },
  {
    title: 'a scheduled action can target a screen, whose published version returns the result',
    async check({ published, moveClock, logged }) {
      const { id, nextRunAt } = await published({ environment: 'server', frequency: '* * * * *', pageId: 2002 });
      await moveClock(nextRunAt!);
      expect((await logged(id, 1))[0]!.data!.result).toEqual({ open: expect.any(Number) });
    },
  },
  {
    title: 'nextRunAt is the next time in the timezone, or null unless the action is published and active',
    async check({ api, fresh }) {
      const { id, nextRunAt } = await fresh({ frequency: '30 4 * * *', timezone: 'Asia/Tokyo' });
      expect(nextRunAt).toBeNull();
      expect((await api.actions.publish(id, true)).nextRunAt).toMatch(/T19:30:00.000Z$/);
      expect((await api.actions.publish(id, false)).nextRunAt).toBeNull();
      await api.actions.update(id, { active: false });
      expect((await api.actions.publish(id, true)).nextRunAt).toBeNull();
    },
  },
  ...(
    [
      [
        'a schedule that restricts day of month and day of week fires when either matches',
        '0 0 13 * FRI',
        'UTC',
        '2026-03-06T00:00:00.000Z',
      ],
      ['a schedule may name Sunday 0 or 7', '0 0 * * 7', 'UTC', '2026-03-08T00:00:00.000Z'],
      [
        'a schedule may have names, ranges, lists, and steps',
        '0 6-18/4,23 * MAR,JUN WED',
        'UTC',
        '2026-03-04T06:00:00.000Z',
      ],
      [
        'a schedule at a local time that daylight saving skips fires right after the gap',
        '30 2 29 3 *',
        'Europe/Amsterdam',
        '2026-03-29T01:00:00.000Z',
      ],
      [
        'a schedule at a local time that occurs twice fires once, at the first',
        '30 2 25 10 *',
        'Europe/Amsterdam',
        '2026-10-25T00:30:00.000Z',
      ],
      [
        'a schedule with a * in minute or hour runs nothing for an hour that daylight saving skips',
        '*/30 2 29 3 *',
        'Europe/Amsterdam',
        '2027-03-29T00:00:00.000Z',
      ],
    ] as const
  ).map(
    ([title, frequency, timezone, due]) =>
      ({
        title: `${title} (${frequency})`,
        check: async ({ published }) => expect((await published({ frequency, timezone })).nextRunAt).toBe(due),
      }) satisfies Rule,
  ),
];

export const LOGS: Rule[] = [
  {
    title: 'getLogs() returns the last 50 results of all actions, newest first',
    async check({ api, fresh, log }) {
      const { name } = await fresh();
      await api.actions.runWithResult(name);
      const types = ['app.action.completed', 'app.task.completed', 'app.task.failed'];
      for (let n = 0; n < 51; n += 1) await log({ type: types[n % 3], data: { actionId: 1001 + (n % 2) } });
      await log({ type: 'badge.printed' });
      const { count, logs } = await api.actions.getLogs();
      expect(count > 51).toBe(true);
      expect(logs.length).toBe(50);
      expect(new Set(logs.map(({ type }) => type))).toEqual(new Set(types));
      const ids = logs.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    },
  },
  {
    title: 'getLogs({id, limit, where}) returns the matching logs, and counts all matches',
    async check({ api, fresh, log }) {
      const { id } = await fresh();
      for (const floor of [1, 2, 2])
        await log({ type: 'app.task.failed', dataSourceId: 503, data: { actionId: id, at: { floor } } });
      await log({ type: 'app.task.completed', data: { actionId: id } });
      expect(await api.actions.getLogs({ id, limit: 2 })).toMatchObject({ count: 4, logs: { length: 2 } });
      expect(await api.actions.getLogs({ id, limit: 0 })).toEqual({ count: 4, logs: [] });
      expect(await api.actions.getLogs({ id, where: { type: 'app.task.failed' } })).toMatchObject({ count: 3 });
      expect(await api.actions.getLogs({ id, where: { data: { at: { floor: 2 } } } })).toMatchObject({ count: 2 });
      expect(await api.actions.getLogs({ id, where: { data: { at: { floor: 3 } } } })).toEqual({ count: 0, logs: [] });
      const [newest, ...older] = (await api.actions.getLogs({ id })).logs;
      expect(await api.actions.getLogs({ id, before: newest!.id })).toMatchObject({ count: 4, logs: older });
    },
  },
];
