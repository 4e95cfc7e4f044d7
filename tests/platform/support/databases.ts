/** Runs tests on PGlite, on Postgres, or on both. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, inject, onTestFinished } from 'vitest';
import { openDatabase, type OpenedDatabase } from '../../../lib/local-platform/db/open.ts';
import { pooledDatabase } from './pooled-database.ts';
import './postgres-server.ts';

export interface TestDatabases {
  kind: 'PGlite' | 'Postgres';
  /** The URL of a new database with the demo data; undefined for PGlite. */
  url(): Promise<string | undefined>;
  /** A new database with the demo data, closed when the test ends. */
  open(url?: string): Promise<OpenedDatabase>;
}

/** For tests of SQL that differs between them. */
export function onBothDatabases(tests: (databases: TestDatabases) => void): void {
  for (const kind of ['PGlite', 'Postgres'] as const) {
    describe(`on ${kind}`, () => tests(testDatabases(kind)));
  }
}

/** For all other tests: on PGlite in `npm test`, and on Postgres in the project `exhaustive-platform-postgres`. */
export function onDatabase(tests: (databases: TestDatabases) => void): void {
  tests(testDatabases(inject('database')));
}

export function testDatabases(kind: TestDatabases['kind']): TestDatabases {
  const url = async (): Promise<string | undefined> => (kind === 'Postgres' ? postgresDatabase() : undefined);
  return {
    kind,
    url,
    async open(known) {
      const address = known ?? (await url());
      const opened =
        address === undefined
          ? await pooledDatabase()
          : await openDatabase({ data: 'memory', url: address, log: () => {} });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
}

/** The URL of the seeded database, whose server starts when the first test needs it. */
async function seededDatabase(): Promise<string> {
  const response = await fetch(inject('postgresStarter'));
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

/** Copies the seeded database, which takes a fraction of creating one. */
export async function postgresDatabase({ isEmpty = false } = {}): Promise<string> {
  const url = new URL(await seededDatabase());
  const template = isEmpty ? 'template0' : url.pathname.slice(1);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return Object.assign(url, { pathname: `/${name}` }).href;
}
