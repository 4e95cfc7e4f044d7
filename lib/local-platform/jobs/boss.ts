/** Starts pg-boss on PGlite or on Postgres, and creates the queue of runs. */
import type { Db as BossDatabase, PgBoss } from 'pg-boss';
import type { QueryConfig } from 'pg';
import { statementName, type Driver } from '../db/driver.ts';

const SCHEMA = 'queue';
/** The queue’s name. */
export const RUNS = 'runs';
const DAY = 86_400;
/** Keeps pg-boss from failing, retrying, or dropping runs, since every end of a run must also write a log record. */
const POLICY = {
  retryLimit: 0,
  expireInSeconds: DAY - 1,
  retentionSeconds: 3_650 * DAY,
  deleteAfterSeconds: 3_600,
  notify: true,
};

/** Creates the queue’s tables, for the snapshot that new databases start from. */
export async function installQueue(driver: Driver): Promise<void> {
  const boss = await startBoss(
    driver,
    await bossDatabase(driver),
    () => {},
    () => {},
  );
  await boss.stop({ graceful: false, close: false });
}

/** How pg-boss reaches the database. */
export async function bossDatabase(driver: Driver): Promise<BossDatabase> {
  if (driver.kind === 'postgres') return { executeSql: (text, values) => driver.pool.query(queryOf(text, values)) };
  const { fromPglite } = await import('pg-boss');
  return fromPglite(driver.pglite);
}

/** Starts pg-boss without its workers. `onQueued` is called when runs might have been queued. */
export async function startBoss(
  driver: Driver,
  own: BossDatabase,
  onQueued: () => void,
  log: (error: unknown) => void,
): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss');
  // Doesn’t use pg-boss’s workers: a run is claimed only when a slot is free.
  const listen: BossDatabase['listen'] = async (channel, onNotification, onReconnect) => {
    const stop = await driver.listen(
      channel,
      (payload) => {
        onNotification(payload);
        onQueued();
      },
      onQueued,
    );
    onReconnect();
    return { close: stop };
  };
  const boss = new PgBoss({
    db: { ...own, listen },
    backend: driver.kind,
    schema: SCHEMA,
    useListenNotify: true,
    schedule: false,
    monitorVacuum: false,
    reindex: false,
  });
  boss.on('error', log);
  await boss.start();
  await boss.createQueue(RUNS, POLICY);
  // Makes pg-boss load the queue’s settings, which it does on first use. If that happened in a transaction on PGlite’s
  // only connection, it would deadlock.
  await boss.findJobs(RUNS, { id: '00000000-0000-0000-0000-000000000000' });
  return boss;
}

/** Statements with values are prepared once per connection. Text that contains several statements can’t be prepared. */
const queryOf = (text: string, values: unknown[] = []): QueryConfig =>
  values.length === 0 ? { text } : { name: statementName(text), text, values };
