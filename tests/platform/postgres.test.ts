/** A platform on a Postgres server: its token over restarts, and connections that break. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { postgresDatabase } from './support/databases.ts';
import { ended, jobsOn, request } from './support/jobs-on.ts';
import { start, startForTest, temporaryFolder } from './support/platform.ts';

it('keeps the token over a restart, in the file auth-token of the data folder, for its owner only', async () => {
  const [databaseUrl, data] = [await postgresDatabase(), join(await temporaryFolder(), 'kept')];
  const { authToken, close } = await start({ databaseUrl, data });
  await close();
  expect((await readFile(join(data, 'auth-token'), 'utf8')).trim()).toBe(authToken);
  expect((await stat(join(data, 'auth-token'))).mode & 0o777).toBe(0o600);
  const again = await startForTest({ databaseUrl, data });
  expect(again.authToken).toBe(authToken);
  expect((await again.ask('/v1/apps')).status).toBe(200);
  await again.close();
  expect((await startForTest({ data })).authToken).toBe(authToken);
});

it('reports a folder that can’t store the token in one sentence', async () => {
  const file = join(import.meta.dirname, 'postgres.test.ts');
  await expect(start({ databaseUrl: await postgresDatabase(), data: file })).rejects.toThrow(
    /^Couldn’t store the token in .*\.$/,
  );
});

it('logs a lost connection as one sentence, without the connection and what it knows', async () => {
  const logged: string[] = [];
  const log = (error: unknown): void => void logged.push(inspect(error, { depth: 10 }));
  const url = (await postgresDatabase()).replace('platform@', 'platform:secret-word@');
  const database = await openDatabase({ data: 'memory', url, log });
  const others = await openDatabase({ data: 'memory', url, log });
  await others.db.execute(sql`select 1`);
  const { rows } = await database.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
  const countOf = (pattern: RegExp): number => logged.filter((text) => pattern.test(text)).length;
  // Each database has one connection for listening, plus its pool. The connection that sent the statement stays open.
  const ofPools = rows.length - 2;
  expect(ofPools).toBeGreaterThan(0);
  await vi.waitFor(
    () => {
      expect(countOf(/Lost a connection to the database postgres.*: terminating connection/)).toBe(ofPools);
      expect(countOf(/Couldn’t reach the database/)).toBe(2);
    },
    { timeout: 20_000 },
  );
  expect(logged.join()).not.toMatch(/secret-word|secretKey|_events/);
  const { length } = logged;
  await Promise.all([database.close(), others.close()]);
  expect(logged.length).toBe(length);
});

it('releases a connection that breaks before its transaction starts, so that nothing waits for it', async () => {
  const url = await postgresDatabase();
  const [database, others] = await Promise.all([
    openDatabase({ data: 'memory', url, log: () => {} }),
    openDatabase({ data: 'memory', url, log: () => {} }),
  ]);
  const { driver } = database;
  if (driver.kind !== 'postgres') throw new Error('This is a test of Postgres.');
  const client = await driver.pool.connect();
  const ended = new Promise<void>((resolve) => void client.once('end', () => resolve()));
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await others.db.execute(sql`select pg_terminate_backend(${rows[0]!.pid})`);
  await ended;
  vi.spyOn(driver.pool, 'connect').mockImplementationOnce(() => Promise.resolve(client));
  await expect(database.db.transaction(() => Promise.resolve())).rejects.toThrow();
  expect(driver.pool.totalCount).toBe(driver.pool.idleCount);
  client.release();
  expect((await database.db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  await Promise.all([database.close(), others.close()]);
});

it('listens again after its connection was lost', async () => {
  const url = await postgresDatabase();
  const [database, others] = await Promise.all([
    openDatabase({ data: 'memory', url, log: () => {} }),
    openDatabase({ data: 'memory', url, log: () => {} }),
  ]);
  const heard: string[] = [];
  const { promise: reconnected, resolve } = Promise.withResolvers<void>();
  await database.driver.listen('words', (word) => void heard.push(word), resolve);
  await others.db.execute(
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'LISTEN "words"'`,
  );
  await reconnected;
  await others.db.execute(sql`select pg_notify('words', 'after')`);
  await vi.waitFor(() => expect(heard).toEqual(['after']), { timeout: 20_000 });
  await Promise.all([database.close(), others.close()]);
});

it('leaves a run to the process that runs it when another one starts', async () => {
  const url = await postgresDatabase();
  const open = () => openDatabase({ data: 'memory', url, log: () => {} });
  const [database, others] = await Promise.all([open(), open()]);
  onTestFinished(async () => void (await Promise.all([database.close(), others.close()])));
  const { promise: running, resolve: ran } = Promise.withResolvers<void>();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const first = jobsOn(database, () => (ran(), held));
  await first.enqueue(request('long'));
  await running;
  await jobsOn(others, () => Promise.reject(new Error('It ran twice.'))).start();
  expect(await ended(others)).toEqual([]);
  letGo();
  await vi.waitFor(async () => expect(await ended(others)).toMatchObject([{ name: 'long', state: 'completed' }]), {
    timeout: 20_000,
  });
});
