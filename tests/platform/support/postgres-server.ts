/**
 * Starts one Postgres server for all platform tests when the first of them needs it, with a seeded database that every
 * test database is copied from.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../lib/local-platform/db/open.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Responds with the URL of the seeded database. */
    postgresStarter: string;
    /** The database of tests that need only one. */
    database: 'PGlite' | 'Postgres';
  }
}

interface Seeded {
  server: PostgresServer;
  url: string;
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let seeded: Promise<Seeded> | undefined;
  const starter = createServer((_, response) => {
    seeded ??= startSeeded();
    seeded.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await once(starter.listen(0, '127.0.0.1'), 'listening');
  project.provide('postgresStarter', `http://127.0.0.1:${(starter.address() as AddressInfo).port}/`);
  return async () => {
    starter.close();
    starter.closeAllConnections();
    await (await seeded?.catch(() => undefined))?.server.close();
  };
}

async function startSeeded(): Promise<Seeded> {
  const server = await startPostgres();
  const url = await server.database();
  await (await openDatabase({ data: 'memory', url, log: () => {} })).close();
  return { server, url };
}
