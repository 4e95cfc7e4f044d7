/** A worker process of `scale-queue.bench.ts`: drains a queue with runs that do nothing, ours or that of bare pg-boss. */
import { PgBoss } from 'pg-boss';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { startWorker } from '../../lib/local-platform/index.ts';
import { createClock } from '../../lib/local-platform/jobs/clock.ts';
import { RunJobs } from '../../lib/local-platform/jobs/index.ts';
import { createWriteRunLog } from '../../lib/local-platform/logs/run-log.ts';
import { createLogs } from '../../lib/local-platform/logs/write.ts';
import { delay } from './slow.ts';

/** `ours`; `logged`: each run also writes its log record; `real`: each run has a process of its own. */
export type Kind = 'bare' | 'ours' | 'logged' | 'real';
/** A started run: its app and when, in milliseconds since 1970. */
export type Started = [app: number, at: number];
export type Report = { started: Started[]; rss: number };
export const SLOTS = 4;

const now = (): number => performance.timeOrigin + performance.now();
const started: Started[] = [];

async function drainBare(url: string): Promise<() => Promise<void>> {
  const { driver, close } = await openDatabase({ data: 'memory', url });
  if (driver.kind !== 'postgres') throw new Error('This bench needs Postgres.');
  const { pool } = driver;
  const executeSql = (text: string, values?: unknown[]) => pool.query(text, values);
  const boss = new PgBoss({ db: { executeSql }, schema: 'bare', schedule: false });
  await boss.start();
  const over = new AbortController();
  const loops = Array.from({ length: SLOTS }, async () => {
    while (!over.signal.aborted) {
      const [job] = await boss.fetch<{ app: number }>('bare');
      if (!job) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        continue;
      }
      started.push([job.data.app, now()]);
      await boss.complete('bare', job.id, {});
    }
  });
  return async () => {
    over.abort();
    await Promise.all(loops);
    await boss.stop({ graceful: false, close: false });
    await close();
  };
}

async function drainOurs(url: string, isLogged: boolean): Promise<() => Promise<void>> {
  const { db, driver, close } = await openDatabase({ data: 'memory', url });
  const logs = createLogs(
    async () => {},
    () => new Date(),
  );
  const jobs = new RunJobs({
    db,
    driver,
    execute: async ({ appId }) => {
      await delay(100);
      started.push([appId, now()]);
      return { outcome: { state: 'completed', result: null, milliseconds: 0 }, console: [] };
    },
    runner: { warm: async () => {}, close: async () => {} },
    writeRunLog: isLogged ? createWriteRunLog(logs, createClock()) : async () => {},
    concurrency: SLOTS,
    log: console.error,
  });
  await jobs.start();
  return () => jobs.close().finally(close);
}

async function main(kind: Kind, url: string): Promise<void> {
  const stop =
    kind === 'bare'
      ? await drainBare(url)
      : kind === 'real'
        ? await startWorker({ databaseUrl: url, concurrency: SLOTS }).then((worker) => () => worker.close())
        : await drainOurs(url, kind === 'logged');
  process.send!('ready');
  process.once('message', () => {
    const report: Report = { started, rss: process.memoryUsage().rss };
    void stop().then(() => process.send!(report, () => process.disconnect()));
  });
}

const [kind, url] = process.argv.slice(2);
// The bench imports the types and constants of this file.
if (process.send && url !== undefined) await main(kind as Kind, url);
