/** Measures the queue: a run’s cycle and its start beside bare pg-boss, on PGlite and on Postgres. */
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss';
import type { Driver } from '../../lib/local-platform/db/driver.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase, type OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import { RunJobs } from '../../lib/local-platform/jobs/index.ts';
import { runRequest } from '../support/run-request.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { median, row, type Table } from './measure.ts';
import { delay } from './slow.ts';

const ROUNDS = 7;
const CYCLES = 150;

const request = runRequest();

export async function bench(): Promise<Table[]> {
  const server = await startPostgres();
  try {
    return [
      ...(await cycles('PGlite', await openDatabase({ data: 'memory' }))),
      ...(await cycles('Postgres', await openDatabase({ data: 'memory', url: await server.database() }))),
    ];
  } finally {
    await server.close();
  }
}

/** Unmodified pg-boss, on the same connections as ours. */
export async function bareQueue(driver: Driver): Promise<PgBoss> {
  const db =
    driver.kind === 'pglite'
      ? fromPglite(driver.pglite)
      : { executeSql: (text: string, values?: unknown[]) => driver.pool.query(text, values) };
  const boss = new PgBoss({ db, backend: driver.kind, schema: 'bare', schedule: false });
  await boss.start();
  await boss.createQueue('bare');
  return boss;
}

/**
 * Bare: one caller sends, fetches, and completes. Ours: a run is queued, claimed, ended, and reported. One at a time.
 * Ours ends a run in a transaction, since a log record is written with it.
 */
async function cycles(name: string, { db, driver, close }: OpenedDatabase): Promise<Table[]> {
  const boss = await bareQueue(driver);
  let started = 0;
  const jobs = new RunJobs({
    db,
    driver,
    execute: async () => {
      await delay(50);
      started = performance.now();
      return { outcome: { state: 'completed', result: null, milliseconds: 0 }, console: [] };
    },
    runner: { warm: async () => {}, close: async () => {} },
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
  const transactionCycle = async (): Promise<void> => {
    await boss.send('bare', data);
    const [job] = await boss.fetch('bare');
    await db.transaction((tx) => boss.complete('bare', job!.id, {}, { db: fromDrizzle(tx, sql) }));
  };
  const latencies: number[] = [];
  const ourCycle = async (): Promise<void> => {
    const queued = performance.now();
    await jobs.runAndWait(request);
    latencies.push(started - queued);
  };
  const samples = { bare: [] as number[], transaction: [] as number[], ours: [] as number[] };
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [contender, cycle] of [
      ['bare', bareCycle],
      ['transaction', transactionCycle],
      ['ours', ourCycle],
    ] as const) {
      const startedAt = performance.now();
      for (let n = 0; n < CYCLES; n += 1) await cycle();
      if (round >= 0) samples[contender].push((CYCLES * 1000) / (performance.now() - startedAt));
    }
  }
  await jobs.close();
  await boss.stop({ graceful: false, close: false });
  await close();
  const rows = [
    row('bare pg-boss: send, fetch, complete', samples.bare),
    row('bare pg-boss: send, fetch, complete in a transaction', samples.transaction),
    row('ours: queued, claimed, ended in a transaction', samples.ours),
  ];
  const share = median(samples.ours.map((value, index) => value / samples.bare[index]!));
  rows[2]!.target = { text: `90 % or more: ${Math.round(share * 100)} %`, met: share >= 0.9 };
  const start = row('queued to started', latencies.slice(CYCLES));
  start.target = { text: '15 ms or less', met: start.median <= 15 };
  return [
    { title: `Queue on ${name}, one caller`, unit: 'cycles/s', rows },
    { title: `Queue on ${name}`, unit: 'ms', rows: [start] },
  ];
}
