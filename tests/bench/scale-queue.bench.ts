/**
 * Measures 1, 2, and 4 worker processes on one Postgres: 10,000 queued runs beside bare pg-boss, how soon runs start, and
 * whether one app’s backlog delays another app.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { openQueue, type Queue } from '../../lib/local-platform/jobs/queue.ts';
import { runRequest } from '../support/run-request.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { row, type Row, type Table } from './measure.ts';
import { type Kind, type Report, SLOTS, type Started } from './scale-worker.ts';

const WORKERS = [1, 2, 4];
const RUNS = 10_000;
const LOGGED_RUNS = 3_000;
const REAL_RUNS = 120;
const SINGLE_RUNS = 60;
const [BUSY, QUIET] = [101, 103];
const FEW = 10;
const BATCH = 1_000;

interface Bed {
  url: string;
  client: pg.Client;
  send(app: number, count: number): Promise<void>;
}

export async function bench(): Promise<Table[]> {
  const server = await startPostgres();
  const url = await server.database();
  const { db, driver, close } = await openDatabase({ data: 'memory', url });
  const ignore = (): void => {};
  const queue = await openQueue({ db, driver, onQueued: ignore, onEnded: ignore, log: console.error });
  const boss = new PgBoss({ connectionString: url, schema: 'bare', schedule: false, max: 2 });
  await boss.start();
  await boss.createQueue('bare');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const ours: Bed = { url, client, send: (app, count) => sendOurs(queue, app, count) };
  const bare: Bed = { url, client, send: (app, count) => sendBare(boss, app, count) };
  try {
    return [await throughput(ours, bare), ...(await fairness(ours)), await latency(ours), await whole(ours)];
  } finally {
    await client.end();
    await boss.stop({ graceful: false });
    await queue.close();
    await close();
    await server.close();
  }
}

async function sendOurs(queue: Queue, app: number, count: number): Promise<void> {
  for (let left = count; left > 0; left -= BATCH)
    await queue.send(
      Array.from({ length: Math.min(left, BATCH) }, () => ({
        runId: randomUUID(),
        request: runRequest({ appId: app }),
        waiter: null,
      })),
    );
}

async function sendBare(boss: PgBoss, app: number, count: number): Promise<void> {
  const data = { app, request: JSON.stringify(runRequest({ appId: app })), waiter: null };
  for (let left = count; left > 0; left -= BATCH)
    await boss.insert(
      'bare',
      Array.from({ length: Math.min(left, BATCH) }, () => ({ data })),
    );
}

interface Workers {
  /** How many runs have ended, by the database. */
  ended(): Promise<number>;
  stop(): Promise<Report[]>;
}

async function startWorkers({ url, client }: Bed, kind: Kind, count: number): Promise<Workers> {
  const children = Array.from({ length: count }, () => fork(join(import.meta.dirname, 'scale-worker.ts'), [kind, url]));
  await Promise.all(children.map((child) => once(child, 'message')));
  const schema = kind === 'bare' ? 'bare' : 'queue';
  const stop = async (child: ChildProcess): Promise<Report> => {
    child.send('stop');
    const [report] = (await once(child, 'message')) as [Report];
    return report;
  };
  return {
    async ended() {
      const { rows } = await client.query<{ count: string }>(
        `select count(*) as count from ${schema}.job where state = 'completed'`,
      );
      return Number(rows[0]!.count);
    },
    stop: () => Promise.all(children.map(stop)),
  };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Polls rarely, since counting is work for the same machine. */
async function until(ended: () => Promise<number>, count: number): Promise<void> {
  while ((await ended()) < count) await pause(100);
}

async function empty({ client }: Bed): Promise<void> {
  for (const schema of ['queue', 'bare']) await client.query(`truncate ${schema}.job`);
}

const inOrder = (reports: readonly Report[]): Started[] =>
  reports.flatMap((report) => report.started).sort(([, a], [, b]) => a - b);

/** Queues first, then starts the workers: their start isn’t measured, only from the first run to the last. */
async function drain(bed: Bed, kind: Kind, workers: number, runs: number): Promise<{ rate: number; rss: number }> {
  await empty(bed);
  await bed.send(BUSY, runs);
  await bed.client.query('analyze');
  const { ended, stop } = await startWorkers(bed, kind, workers);
  await until(ended, runs);
  const reports = await stop();
  const all = inOrder(reports);
  if (all.length !== runs) throw new Error(`${all.length} of ${runs} runs were started.`);
  return { rate: (runs * 1000) / (all.at(-1)![1] - all[0]![1]), rss: Math.max(...reports.map(({ rss }) => rss)) };
}

async function throughput(ours: Bed, bare: Bed): Promise<Table> {
  const rows: Row[] = [];
  for (const workers of WORKERS) {
    const reference = await drain(bare, 'bare', workers, RUNS);
    const { rate, rss } = await drain(ours, 'ours', workers, RUNS);
    const share = rate / reference.rate;
    rows.push(row(`bare pg-boss, ${named(workers)}`, [reference.rate]));
    rows.push({
      ...row(`ours, ${named(workers)}, ${Math.round(rss / 1e6)} MB each`, [rate]),
      target: { text: `90 % or more of bare pg-boss: ${Math.round(share * 100)} %`, met: share >= 0.9 },
    });
  }
  return {
    title: `${RUNS.toLocaleString('en')} queued runs that do nothing, ${SLOTS} at a time in each worker`,
    unit: 'runs/s',
    rows,
  };
}

const named = (workers: number): string => `${workers} ${workers === 1 ? 'worker' : 'workers'}`;

/** One app has queued 10,000 runs when another one queues 10. */
async function fairness(bed: Bed): Promise<Table[]> {
  const positions: Row[] = [];
  const waits: Row[] = [];
  for (const workers of WORKERS) {
    await empty(bed);
    await bed.send(BUSY, RUNS);
    const { ended, stop } = await startWorkers(bed, 'ours', workers);
    await until(ended, RUNS / 20);
    const queuedAt = performance.timeOrigin + performance.now();
    await bed.send(QUIET, FEW);
    const seen = async (): Promise<number> => {
      const text = `select count(*) as count from queue.job where state = 'completed' and priority = ${QUIET}`;
      return Number((await bed.client.query<{ count: string }>(text)).rows[0]!.count);
    };
    await until(seen, FEW);
    const all = inOrder(await stop()).filter(([, at]) => at >= queuedAt);
    const own = all.flatMap(([app, at], index) => (app === QUIET ? [{ index, wait: at - queuedAt }] : []));
    const most = 2 * FEW + 2 * SLOTS * workers;
    positions.push({
      ...row(
        `started before each of the ${FEW}, ${named(workers)}`,
        own.map(({ index }) => index),
      ),
      target: {
        text: `at most ${most} of ${RUNS.toLocaleString('en')}`,
        met: own.at(-1)!.index <= most,
        isSpeed: false,
      },
    });
    waits.push(
      row(
        `queued to started, ${named(workers)}`,
        own.map(({ wait }) => wait),
      ),
    );
  }
  const title = `An app queues ${FEW} runs while another one has ${RUNS.toLocaleString('en')} waiting`;
  return [
    { title, unit: 'runs', rows: positions },
    { title, unit: 'ms', rows: waits },
  ];
}

async function latency(bed: Bed): Promise<Table> {
  const rows: Row[] = [];
  for (const workers of WORKERS) {
    await empty(bed);
    const { stop } = await startWorkers(bed, 'ours', workers);
    const queued: number[] = [];
    for (let n = 0; n < SINGLE_RUNS; n += 1) {
      queued.push(performance.timeOrigin + performance.now());
      await bed.send(BUSY, 1);
      await pause(50);
    }
    const all = inOrder(await stop());
    const found = row(
      `queued to started, ${named(workers)}`,
      all.map(([, at], index) => at - queued[index]!),
    );
    rows.push({ ...found, target: { text: '15 ms or less', met: found.median <= 15 } });
  }
  return { title: 'A run in an empty queue, from another process', unit: 'ms', rows };
}

/** With log records, and with a process for each run: what a worker really does. */
async function whole(bed: Bed): Promise<Table> {
  const rows: Row[] = [];
  for (const workers of [1, 2]) {
    const { rate } = await drain(bed, 'logged', workers, LOGGED_RUNS);
    rows.push(row(`that do nothing, each with its log record, ${named(workers)}`, [rate]));
  }
  for (const workers of [1, 2]) {
    await empty(bed);
    await bed.send(BUSY, REAL_RUNS);
    const { ended, stop } = await startWorkers(bed, 'real', workers);
    const [from, startedAt] = [await ended(), performance.now()];
    await until(ended, REAL_RUNS);
    const seconds = (performance.now() - startedAt) / 1000;
    const { rows: connections } = await bed.client.query<{ count: string }>(
      'select count(*) as count from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const reports = await stop();
    const rss = Math.round(Math.max(...reports.map((report) => report.rss)) / 1e6);
    rows.push(
      row(`in a process each, ${named(workers)}, ${rss} MB each, ${connections[0]!.count} connections in all`, [
        (REAL_RUNS - from) / seconds,
      ]),
    );
  }
  return { title: `Runs, ${SLOTS} at a time in each worker`, unit: 'runs/s', rows };
}
