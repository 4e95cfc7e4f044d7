/** Owns measuring the queue: a run's cycle and its start beside bare pg-boss on the same database, and runs in real processes. */
import { fromPglite, PgBoss } from 'pg-boss';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { createJobs } from '../../lib/local-platform/jobs/index.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { createRunner } from '../../lib/local-platform/runner/index.ts';
import { median, row, type Table } from './measure.ts';

const ROUNDS = 7;
const CYCLES = 150;
const RUNS = 200;

const request: RunRequest = { appId: 101, actionId: 1, actionName: 'bench', trigger: 'manual', mode: 'on-demand', copy: 'published', pipeline: [], pageId: null, payload: {}, depth: 0 };

export async function bench(): Promise<Table[]> {
  return [...(await cycles()), await processes()];
}

/** Bare: send, fetch, complete by one caller. Ours: queued, claimed, ended and told, one at a time. */
async function cycles(): Promise<Table[]> {
  const { db, driver, close } = await openDatabase({ data: 'memory' });
  if (driver.kind !== 'pglite') throw new Error('This bench measures PGlite.');
  const boss = new PgBoss({ db: fromPglite(driver.pglite), backend: 'pglite', schema: 'bare', schedule: false });
  await boss.start();
  await boss.createQueue('bare');
  let started = 0;
  const jobs = createJobs({
    db,
    driver,
    execute: async () => {
      started = performance.now();
      return { outcome: { state: 'completed', result: null, milliseconds: 0 }, console: [] };
    },
    runner: { warm: () => {}, close: async () => {} },
    writeRunLog: async () => {},
    concurrency: 4,
    log: console.error,
  });
  await jobs.start();
  const data = { request: JSON.stringify(request), waiter: null };
  const bareCycle = async (): Promise<void> => {
    await boss.send('bare', data);
    const [job] = await boss.fetch('bare');
    await boss.complete('bare', job!.id, {});
  };
  const latencies: number[] = [];
  const ourCycle = async (): Promise<void> => {
    const queued = performance.now();
    await jobs.runAndWait(request);
    latencies.push(started - queued);
  };
  const samples = { bare: [] as number[], ours: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [name, cycle] of [['bare', bareCycle], ['ours', ourCycle]] as const) {
      const begin = performance.now();
      for (let n = 0; n < CYCLES; n += 1) await cycle();
      if (round >= 0) samples[name].push((CYCLES * 1000) / (performance.now() - begin));
    }
  }
  await jobs.close();
  await boss.stop({ graceful: false });
  await close();
  const rows = [row('bare pg-boss: send, fetch, complete', samples.bare), row('ours: queued, claimed, ended in a transaction', samples.ours)];
  const share = median(samples.ours.map((value, index) => value / samples.bare[index]!));
  rows[1]!.target = { text: `90 % or more: ${Math.round(share * 100)} %`, met: share >= 0.9 };
  const start = row('queued to started', latencies.slice(CYCLES));
  start.target = { text: '15 ms or less', met: start.median <= 15 };
  return [{ title: 'Queue on PGlite, one caller', unit: 'cycles/s', rows }, { title: 'Queue on PGlite', unit: 'ms', rows: [start] }];
}

/** Each run in a fresh process; 4 at a time. */
async function processes(): Promise<Table> {
  const fetch = () => Promise.reject(new Error('No run of this bench asks for anything.'));
  const runner = createRunner({ time: 20_000, result: 1_000_000, spare: 4, fetch });
  const order = { baseUrl: 'http://localhost/', env: { taskPipeline: [] }, payload: {}, scripts: [], screen: false };
  runner.warm();
  const samples: number[] = [];
  const waits: number[] = [];
  for (let round = -1; round < 3; round += 1) {
    const begin = performance.now();
    let left = RUNS;
    await Promise.all(Array.from({ length: 4 }, async () => {
      while (left-- > 0) {
        const { outcome } = await runner.run(order);
        if (outcome.state !== 'completed') throw new Error(outcome.failure.errorMessage);
      }
    }));
    if (round >= 0) samples.push((RUNS * 1000) / (performance.now() - begin));
  }
  for (let n = 0; n < 20; n += 1) {
    // With a spare process ready, as between runs of a quiet platform.
    await new Promise((resolve) => setTimeout(resolve, 150));
    const begin = performance.now();
    await runner.run(order);
    waits.push(performance.now() - begin);
  }
  await runner.close();
  return { title: `Runs in fresh processes: 4 at a time in runs/s, then one alone in ms`, unit: 'see name', rows: [row('runs/s, 4 at a time', samples), row('ms, one with a process ready', waits)] };
}
