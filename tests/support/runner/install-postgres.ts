/** Installs the Postgres server that the platform tests start, in a separate process, while tests without it run. */
import { findServer } from '../servers/postgres.ts';

try {
  findServer();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
