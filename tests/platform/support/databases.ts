/** Runs the same tests on PGlite and on Postgres. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { describe, inject, onTestFinished } from 'vitest';
import { openDatabase, type OpenedDatabase } from '../../../lib/local-platform/db/open.ts';
import './postgres-server.ts';

export interface TestDatabases {
  kind: 'PGlite' | 'Postgres';
  /** The URL of a new database with the demo data; undefined for PGlite. */
  url(): Promise<string | undefined>;
  /** A new database with the demo data, closed when the test ends. */
  open(url?: string): Promise<OpenedDatabase>;
}

export function onBothDatabases(tests: (databases: TestDatabases) => void): void {
  for (const kind of ['PGlite', 'Postgres'] as const) {
    describe(`on ${kind}`, () => tests(testDatabases(kind)));
  }
}

export function testDatabases(kind: TestDatabases['kind']): TestDatabases {
  const url = async (): Promise<string | undefined> => (kind === 'Postgres' ? postgresDatabase() : undefined);
  return {
    kind,
    url,
    async open(known) {
      const opened = await openDatabase({ data: 'memory', url: known ?? (await url()), log: () => {} });
      onTestFinished(() => opened.close());
      return opened;
    },
  };
}

/** Copies the seeded database, which takes a fraction of creating one. */
async function postgresDatabase(): Promise<string> {
  const url = new URL(inject('postgresTemplate'));
  const template = url.pathname.slice(1);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  return Object.assign(url, { pathname: `/${name}` }).href;
}
