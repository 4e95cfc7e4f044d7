/** Opens a Postgres database. One process at a time migrates it, and seeds it if it is new. */
import { createRequire } from 'node:module';
import type * as NodePg from 'drizzle-orm/node-postgres';
import type * as NodePgMigrator from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartProblem } from '../problem.ts';
import { installQueue } from '../jobs/boss.ts';
import type { Database } from './database.ts';
import { postgresDriver, type Driver } from './driver.ts';
import { readMigrationFiles } from './drizzle.ts';
import type { OpenedDatabase } from './open.ts';
import { logFaultsOnce } from './outage.ts';
import { seed } from './seed/index.ts';
import { MIGRATIONS_FOLDER } from './snapshot.ts';

const load = createRequire(import.meta.url);
const { drizzle } = load('drizzle-orm/node-postgres') as typeof NodePg;
const { migrate } = load('drizzle-orm/node-postgres/migrator') as typeof NodePgMigrator;

/** Advisory lock that every platform acquires before it changes tables. */
const SETUP_LOCK = 7_404_400;
const CONNECTIONS = 10;

/** @throws StartProblem if the server can’t be reached, or the database belongs to another version */
export async function openPostgres(url: string, log: (error: unknown) => void): Promise<OpenedDatabase> {
  const config: pg.ClientConfig = { connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true };
  const shown = withoutPassword(url);
  const pool = new pg.Pool({ ...config, max: CONNECTIONS });
  const acquired = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => acquired.add(client));
  pool.on('release', (_error, client) => acquired.delete(client));
  pool.on('connect', (client) => {
    // Between a transaction’s statements, a client has no error listener, so an error would end the process.
    client.on('error', () => {});
    // Drizzle never releases a connection whose `begin` fails, so this code releases each broken connection, once.
    client.once('end', () => {
      if (!acquired.has(client)) return;
      const { release } = client;
      client.release = () => {};
      release(true);
    });
  });
  let closing = false;
  // Logs only the message, because the error object refers to the whole client. Broken connections don’t matter during
  // close.
  pool.on('error', ({ message }) => {
    if (!closing) log(new Error(`Lost a connection to the database ${shown}: ${message}`));
  });
  try {
    const native = drizzle(pool, { casing: 'snake_case' });
    const { driver, close } = await postgresDriver(pool, () => new pg.Client(config), logFaultsOnce(log));
    await prepare(pool, native, driver, shown).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    // The two Drizzle types agree on everything that we use: queries, transactions, and the `rows` of `execute`.
    const db = native as unknown as Database;
    const end = (): Promise<void> => {
      closing = true;
      return pool.end();
    };
    return { db, driver, folder: null, isOurs: () => true, close: () => close().finally(end) };
  } catch (error) {
    await pool.end();
    if (error instanceof StartProblem) throw error;
    throw new StartProblem(
      `Couldn’t open the database ${shown}: ${(error as Error).message || (error as NodeJS.ErrnoException).code || 'no reason given'}.`,
      'Check DATABASE_URL, and make sure that the server is running.',
    );
  }
}

async function prepare(pool: pg.Pool, native: NodePg.NodePgDatabase, driver: Driver, shown: string): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [SETUP_LOCK]);
    const { rows } = await client.query<{ ours: boolean; others: boolean; queue: boolean }>(
      `select to_regclass('drizzle.__drizzle_migrations') is not null as ours, exists (select from pg_tables where schemaname = 'public') as others, to_regclass('queue.job') is not null as queue`,
    );
    const { ours, others, queue } = rows[0]!;
    if (!ours && others)
      throw new StartProblem(
        `The database ${shown} contains tables that don’t belong to a platform.`,
        'Set DATABASE_URL to an empty database.',
      );
    if (ours) {
      const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
      const done = await client.query<{ hash: string }>(
        'select hash from drizzle.__drizzle_migrations order by created_at',
      );
      if (done.rows.some(({ hash }, index) => known[index]?.hash !== hash)) {
        throw new StartProblem(
          `The database ${shown} belongs to a newer or different version of the platform.`,
          'Start that version, or set DATABASE_URL to another database.',
        );
      }
    }
    await migrate(native, { migrationsFolder: MIGRATIONS_FOLDER });
    const { rows: apps } = await client.query('select from apps limit 1');
    if (apps.length === 0) await seed(native as unknown as Database, new Date());
    // pg-boss’s setup must run in only one process at a time.
    if (!queue) await installQueue(driver);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [SETUP_LOCK]).catch(() => {});
    client.release();
  }
}

function withoutPassword(url: string): string {
  try {
    const { protocol, host, pathname } = new URL(url);
    return `${protocol}//${host}${pathname}`;
  } catch {
    return 'in DATABASE_URL';
  }
}
