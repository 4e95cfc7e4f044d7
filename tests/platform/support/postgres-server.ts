/** Starts one Postgres server for all platform tests, with a seeded database that every test database is copied from. */
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../lib/local-platform/db/open.ts';
import { startPostgres } from '../../support/servers/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the seeded database. */
    postgresTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  const url = await server.database();
  await (await openDatabase({ data: 'memory', url, log: () => {} })).close();
  project.provide('postgresTemplate', url);
  return () => server.close();
}
