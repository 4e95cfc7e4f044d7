/** Errors of databases are logged with their reason, and without data. */
import { inspect } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, expect, it } from 'vitest';
import { connect } from '../../../lib/local-platform/db/database.ts';
import { sql } from '../../../lib/local-platform/db/drizzle.ts';
import { logFaultsOnce } from '../../../lib/local-platform/db/outage.ts';

const pglite = new PGlite('memory://');
afterAll(() => pglite.close());

const TWICE = `insert into pairs values ('secret'), ('secret')`;
const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

it.each([
  ['by Drizzle', async () => thrown(connect(pglite).execute(sql`select ${'secret'}::int`)), 'invalid input syntax'],
  ['by the queue, without Drizzle', async () => thrown(pglite.query(TWICE)), 'duplicate key'],
  [
    'as a cause',
    async () => new Error('Stopped.', { cause: await thrown(pglite.query('select $1::int', ['secret'])) }),
    'invalid input',
  ],
  [
    'by Postgres, without a statement',
    async () =>
      Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505', detail: 'Key (b)=(secret)' }),
    'duplicate key',
  ],
])('an error thrown %s is logged with its reason, and without data', async (_, error, reason) => {
  await pglite.exec('create table if not exists pairs (b text primary key)');
  let logged: unknown;
  logFaultsOnce((each) => (logged = each))(await error());
  expect(inspect(logged)).toContain(`A database statement failed: ${reason}`);
  expect(inspect(logged).replaceAll(TWICE, '')).not.toContain('secret');
});

it('an error that isn’t the database’s is logged as it is', () => {
  const error = new Error('A bug.', { cause: new Error('Its cause.') });
  let logged: unknown;
  logFaultsOnce((each) => (logged = each))(error);
  expect(logged).toBe(error);
});
