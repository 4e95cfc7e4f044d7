/** Measures a day of 10,000 scheduled actions at a virtual clock, beside a plain loop over the same times. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { nextRun } from '../../lib/platform-api/cron/times.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { actions } from '../../lib/local-platform/db/schema.ts';
import { createClock } from '../../lib/local-platform/jobs/clock.ts';
import { Schedules } from '../../lib/local-platform/jobs/schedules.ts';
import { row, type Table } from './measure.ts';
import { delay } from './slow.ts';

const ACTIONS = 10_000;
const START = new Date('2026-03-05T00:00:00Z');
const END = new Date('2026-03-06T00:00:00Z');
/** Milliseconds that a minute's tick may take: a platform looks every second. */
const TICK = 1_000;

export async function bench(): Promise<Table[]> {
  const { db, close } = await openDatabase({ data: 'memory' });
  await db.update(actions).set({ nextRunAt: null });
  // Twice a day each, so that 14 are due in every minute.
  const all = Array.from({ length: ACTIONS }, (_, n) => ({
    name: `scheduled-${n}`,
    frequency: `${n % 60} ${n % 12},${(n % 12) + 12} * * *`,
  }));
  const from = new Date(START.getTime() - 1);
  const published = {
    active: true,
    environment: 'server' as const,
    triggers: [{ trigger: 'schedule' as const }],
    functions: [],
    pageId: null,
    timezone: 'UTC',
  };
  for (let at = 0; at < ACTIONS; at += 2_000) {
    await db.insert(actions).values(
      all.slice(at, at + 2_000).map(({ name, frequency }) => ({
        appId: 101,
        name,
        triggers: published.triggers,
        functions: [],
        published: { ...published, name, frequency },
        nextRunAt: nextRun(frequency, 'UTC', from),
      })),
    );
  }

  const loopBegin = performance.now();
  const expected = new Set<string>();
  for (const { name, frequency } of all)
    for (let at = nextRun(frequency, 'UTC', from); at && at <= END; at = nextRun(frequency, 'UTC', at))
      expected.add(`${name} ${at.toISOString()}`);
  const loop = performance.now() - loopBegin;

  const clock = createClock(START);
  const fired: string[] = [];
  const enqueueAll = async (runs: { actionName: string }[]): Promise<void> =>
    void fired.push(...runs.map(({ actionName }) => `${actionName} ${clock.now().toISOString()}`));
  const schedules = new Schedules({ db, jobs: { enqueueAll }, clock, log: console.error });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const heapBefore = process.memoryUsage().heapUsed;
  const ticks: number[] = [];
  for (let minute = 0; minute <= 24 * 60; minute += 1) {
    const startedAt = performance.now();
    if (minute === 0) await delay(1_100);
    await schedules.advance(new Date(START.getTime() + minute * 60_000));
    ticks.push(performance.now() - startedAt);
  }
  collect();
  const grown = (process.memoryUsage().heapUsed - heapBefore) / 1024 / 1024;
  await schedules.close();
  await close();

  const right =
    fired.length === expected.size && fired.every((each) => expected.has(each)) && new Set(fired).size === fired.length;
  const [slowest, total] = [Math.max(...ticks), ticks.reduce((sum, each) => sum + each, 0)];
  return [
    {
      title: `A day of ${ACTIONS.toLocaleString('en')} scheduled actions, on PGlite`,
      unit: 'see name',
      rows: [
        {
          ...row(`due runs queued, of ${expected.size.toLocaleString('en')}`, [fired.length]),
          target: { text: 'each once, at its minute', met: right, isSpeed: false },
        },
        {
          ...row('ms, one minute of it', ticks),
          target: { text: `at most ${TICK} ms, also the slowest`, met: slowest <= TICK },
        },
        row('ms, the whole day', [total]),
        row('ms, a plain loop over the same times in memory', [loop]),
        {
          ...row('MB of heap kept, with the list of what was queued', [grown]),
          target: { text: 'at most 64 MB', met: grown <= 64, isSpeed: false },
        },
      ],
    },
  ];
}
