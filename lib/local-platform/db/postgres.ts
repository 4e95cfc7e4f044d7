/** Owns a database on a Postgres server: opened, brought up to date by one process at a time, filled with the demo data when new. */
import { createRequire } from 'node:module';
import type * as NodePg from 'drizzle-orm/node-postgres';
import type * as NodePgMigrator from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { StartProblem } from '../problem.ts';
import { installQueue } from '../jobs/queue.ts';
import type { Database } from './database.ts';
import { postgresDriver, type Driver } from './driver.ts';
import { readMigrationFiles } from './drizzle.ts';
import type { OpenedDatabase } from './open.ts';
import { sayingOnce } from './outage.ts';
import { seed } from './seed/index.ts';
import { MIGRATIONS_FOLDER } from './snapshot.ts';

const load = createRequire(import.meta.url);
const { drizzle } = load('drizzle-orm/node-postgres') as typeof NodePg;
const { migrate } = load('drizzle-orm/node-postgres/migrator') as typeof NodePgMigrator;

/** One number for all platforms: who holds this lock may change the tables. */
const SETUP_LOCK = 7_404_400;
const CONNECTIONS = 10;

/** @throws StartProblem when the server cannot be reached, or the database is not this version's */
export async function openPostgres(url: string, log: (error: unknown) => void): Promise<OpenedDatabase> {
  const config: pg.ClientConfig = { connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true };
  const shown = withoutPassword(url);
  const pool = new pg.Pool({ ...config, max: CONNECTIONS });
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  pool.on('connect', (client) => {
    // Between two statements of a transaction nobody listens to a client: an unheard error would end the process. The next statement fails.
    client.on('error', () => {});
    // Drizzle never gives back a connection whose `begin` fails: one that broke goes back by itself, and giving it back then does nothing.
    client.once('end', () => {
      if (!held.has(client)) return;
      const { release } = client;
      client.release = () => {};
      release(true);
    });
  });
  let closing = false;
  // The pool hands its whole client over with the error; and a connection that is being closed may break as it likes.
  pool.on('error', ({ message }) => {
    if (!closing) log(new Error(`A connection to the database ${shown} broke: ${message}`));
  });
  try {
    const native = drizzle(pool, { casing: 'snake_case' });
    const { driver, close } = await postgresDriver(pool, () => new pg.Client(config), sayingOnce(log));
    await prepare(pool, native, driver, shown).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    // The drivers' databases are one and the same in all that is used of them: queries, transactions, and `rows` of `execute`.
    const db = native as unknown as Database;
    const end = (): Promise<void> => {
      closing = true;
      return pool.end();
    };
    return { db, driver, folder: null, close: () => close().finally(end) };
  } catch (error) {
    await pool.end();
    if (error instanceof StartProblem) throw error;
    throw new StartProblem(
      `The database ${shown} cannot be used: ${(error as Error).message || (error as NodeJS.ErrnoException).code || 'it gave no reason'}. Check DATABASE_URL, and that the server runs.`,
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
        `The database ${shown} holds tables that are not a platform's; give an empty one in DATABASE_URL.`,
      );
    if (ours) {
      const known = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
      const done = await client.query<{ hash: string }>(
        'select hash from drizzle.__drizzle_migrations order by created_at',
      );
      if (done.rows.some(({ hash }, index) => known[index]?.hash !== hash)) {
        throw new StartProblem(
          `The database ${shown} was made by a newer or other version of the platform; start that one, or give another in DATABASE_URL.`,
        );
      }
    }
    await migrate(native, { migrationsFolder: MIGRATIONS_FOLDER });
    const { rows: apps } = await client.query('select from apps limit 1');
    if (apps.length === 0) await seed(native as unknown as Database, new Date());
    // pg-boss makes its tables without a thought of another process that does the same.
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
