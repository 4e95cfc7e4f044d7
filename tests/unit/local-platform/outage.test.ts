/** Errors of databases are logged with their reason, and without data. */
import { expect, it } from 'vitest';
import { logFaultsOnce } from '../../../lib/local-platform/db/outage.ts';
import { expectLoggedWithoutData } from '../../support/logged-without-data.ts';

/** Errors with the properties that the databases’ have, as tests/exhaustive/unit/local-platform/outage.test.ts shows. */
const invalid = () =>
  Object.assign(new Error('invalid input syntax for type integer: "secret"'), {
    severity: 'ERROR',
    code: '22P02',
    where: "unnamed portal parameter $1 = 'secret'",
    query: 'select $1::int',
    params: ['secret'],
  });

it.each([
  [
    'by Drizzle',
    Object.assign(new Error('Failed query: select $1::int\nparams: secret', { cause: invalid() }), {
      query: 'select $1::int',
      params: ['secret'],
    }),
    'invalid input syntax',
  ],
  ['by the queue, without Drizzle', invalid(), 'invalid input syntax'],
  ['as a cause', new Error('Stopped.', { cause: invalid() }), 'invalid input'],
  [
    'by Postgres, without a statement',
    Object.assign(new Error('duplicate key'), { severity: 'ERROR', code: '23505', detail: 'Key (b)=(secret)' }),
    'duplicate key',
  ],
])('an error thrown %s is logged with its reason, and without data', (_, error, reason) => {
  expectLoggedWithoutData(error, reason);
});

it('an error that isn’t the database’s is logged as it is', () => {
  const error = new Error('A bug.', { cause: new Error('Its cause.') });
  let logged: unknown;
  logFaultsOnce((each) => (logged = each))(error);
  expect(logged).toBe(error);
});
