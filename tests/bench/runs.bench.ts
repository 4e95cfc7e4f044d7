/** Measures 1,000 runs through the queue, 4 at a time, each in its own process, next to bare pg-boss and a single run. */
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { RunJobs } from '../../lib/local-platform/jobs/index.ts';
import { runRequest } from '../support/run-request.ts';
import { createRunner, type Runner, type RunOrder } from '../../lib/local-platform/runner/index.ts';
import { row, type Table } from './measure.ts';
import { delay } from './slow.ts';
import { bareQueue } from './queue.bench.ts';

const RUNS = 1_000;
const AT_ONCE = 4;
const SAMPLE = 100;

const request = runRequest();
const order: RunOrder = {
  baseUrl: 'http://localhost/',
  env: { taskPipeline: [] },
  payload: {},
  scripts: [],
  screen: false,
  recording: 'failed',
};

export async function bench(): Promise<Table[]> {
  const fetch = () => Promise.reject(new Error('No run of this bench asks for anything.'));
  const runner = createRunner({ time: 20_000, result: 1_000_000, spare: AT_ONCE, fetch });
  await runner.warm();
  const before = await withoutQueue(runner);
  const single = await singleRun(runner);
  const { db, driver, close } = await openDatabase({ data: 'memory' });
  const boss = await bareQueue(driver);
  const bareBegin = performance.now();
  await Promise.all(
    Array.from({ length: RUNS }, () => boss.send('bare', { request: JSON.stringify(request), waiter: null })),
  );
  let bareDone = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let [job] = await boss.fetch('bare'); job; [job] = await boss.fetch('bare')) {
        await boss.complete('bare', job.id, {});
        bareDone += 1;
      }
    }),
  );
  const bare = performance.now() - bareBegin;
  await boss.stop({ graceful: false, close: false });

  const ended = new Map<string, number>();
  const startedAfter: number[] = [];
  let free = 0;
  const all = Promise.withResolvers<void>();
  const jobs = new RunJobs({
    db,
    driver,
    async execute() {
      await delay(200);
      // Measured from when a slot was free: before that, the run waits for other runs and not for the queue.
      startedAfter.push(performance.now() - free);
      const { recording: _, ...report } = await runner.run(order);
      free = performance.now();
      return report;
    },
    runner,
    async writeRunLog(_, { runId }, { state }) {
      if (state !== 'completed') throw new Error('A run of this bench failed.');
      ended.set(runId, (ended.get(runId) ?? 0) + 1);
      if (ended.size === RUNS) all.resolve();
    },
    concurrency: AT_ONCE,
    log: (error) => all.reject(error),
  });
  await jobs.start();
  const startedAt = performance.now();
  free = startedAt;
  await Promise.all(Array.from({ length: RUNS }, () => jobs.enqueue(request)));
  const queued = performance.now() - startedAt;
  await all.promise;
  const took = performance.now() - startedAt;
  // Before and after, since what else the machine does changes within a minute.
  const direct = row('without a queue, before and after', [...before, ...(await withoutQueue(runner))]);
  await jobs.close();
  await close();

  const once = [...ended.values()].every((times) => times === 1);
  const rate = (RUNS * 1000) / took;
  const share = rate / direct.median;
  const sorted = startedAfter.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)]!;
  return [
    {
      title: `Runs in processes of their own, ${AT_ONCE} at a time`,
      unit: 'runs/s',
      rows: [
        direct,
        {
          ...row(`${RUNS.toLocaleString('en')} through the queue (${(took / 1000).toFixed(1)} s)`, [rate]),
          target: { text: `90 % or more of those without: ${Math.round(share * 100)} %`, met: share >= 0.9 },
        },
        {
          ...row('of them ended in one record', [ended.size]),
          target: { text: `${RUNS} of ${RUNS}, once each`, met: once && ended.size === RUNS, isSpeed: false },
        },
        row(`bare pg-boss, ${bareDone} jobs that do nothing`, [(bareDone * 1000) / bare]),
      ],
    },
    {
      title: `${RUNS.toLocaleString('en')} runs through the queue`,
      unit: 'ms',
      rows: [
        row('queueing one, of 1,000 queued at once', [queued / RUNS]),
        {
          ...row('a place free to the next run started, median and range', sorted),
          target: { text: `15 ms or less, also of 95 %: ${p95.toFixed(1)}`, met: p95 <= 15 },
        },
        single,
      ],
    },
  ];
}

async function withoutQueue(runner: Runner): Promise<number[]> {
  const samples: number[] = [];
  for (let round = -1; round < 2; round += 1) {
    const startedAt = performance.now();
    let left = SAMPLE;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) {
          const { outcome } = await runner.run(order);
          if (outcome.state !== 'completed') throw new Error(outcome.failure.errorMessage);
        }
      }),
    );
    if (round >= 0) samples.push((SAMPLE * 1000) / (performance.now() - startedAt));
  }
  return samples;
}

async function singleRun(runner: Runner): Promise<ReturnType<typeof row>> {
  const waits: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    // With the spare processes ready, as between runs of a quiet platform.
    await runner.warm();
    const startedAt = performance.now();
    await runner.run(order);
    waits.push(performance.now() - startedAt);
  }
  return row('a single run, with a process ready', waits);
}
