/** Errors of a real database are logged with their reason, and without data. */
import { PGlite } from '@electric-sql/pglite';
import { afterAll, it } from 'vitest';
import { connect } from '../../../../lib/local-platform/db/database.ts';
import { sql } from '../../../../lib/local-platform/db/drizzle.ts';
import { expectLoggedWithoutData } from '../../../support/logged-without-data.ts';

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
])('an error thrown %s is logged with its reason, and without data', async (_, error, reason) => {
  await pglite.exec('create table if not exists pairs (b text primary key)');
  expectLoggedWithoutData(await error(), reason, TWICE);
});
