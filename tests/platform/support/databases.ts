/** Owns the two databases that a test runs on: PGlite, and a Postgres server of the test file's own. */
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { openDatabase, type OpenedDatabase } from '../../../lib/local-platform/db/open.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';

export interface TestDatabases {
  kind: 'PGlite' | 'Postgres';
  /** The address of a new database on the server; undefined for PGlite. */
  url(): Promise<string | undefined>;
  /** A new database with the demo data, closed when the test ends. */
  open(url?: string): Promise<OpenedDatabase>;
}

/** The same tests on both. */
export function onBothDatabases(tests: (databases: TestDatabases) => void): void {
  for (const kind of ['PGlite', 'Postgres'] as const) {
    describe(`on ${kind}`, () => {
      let server: PostgresServer | undefined;
      if (kind === 'Postgres') {
        beforeAll(async () => void (server = await startPostgres()), 180_000);
        afterAll(() => server?.close());
      }
      const url = async (): Promise<string | undefined> => server?.database();
      tests({
        kind,
        url,
        async open(known) {
          const opened = await openDatabase({ data: 'memory', url: known ?? (await url()), log: () => {} });
          onTestFinished(() => opened.close());
          return opened;
        },
      });
    });
  }
}
