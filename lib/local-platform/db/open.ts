/** Opens databases: creates them from the snapshot, migrates them, and refuses folders that aren’t ours. */
import { access, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { connect, type Database } from './database.ts';
import { pgliteDriver, type Driver } from './driver.ts';
import { migrate, readMigrationFiles, sql } from './drizzle.ts';
import { StartProblem } from '../problem.ts';
import { LOCK_FILES, lockFolder } from './lock.ts';
import { loadSnapshot, MIGRATIONS_FOLDER } from './snapshot.ts';

/** Name of the token file in a data folder. With a Postgres server, the folder contains nothing else. */
export const TOKEN_FILE = 'auth-token';

export interface OpenedDatabase {
  db: Database;
  driver: Driver;
  /** The data folder; null in memory and on a Postgres server. */
  folder: string | null;
  close(): Promise<void>;
}
export interface OpenOptions {
  /** A folder, or `memory`. */
  data: string;
  /** A Postgres database to use instead of `data`, such as `postgres://user@host/name`. */
  url?: string | undefined;
  /** Default: this version’s migrations. */
  migrationsFolder?: string;
  /** Called when another process has taken over the folder. */
  onLost?: (error: Error) => void;
  /** Called with connection errors. */
  log?: (error: unknown) => void;
}

/** @throws StartProblem when the folder or server is in use, damaged, newer than this version, or not ours */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  if (options.url !== undefined) {
    const { openPostgres } = await import('./postgres.ts');
    return openPostgres(options.url, options.log ?? console.error);
  }
  if (options.data === 'memory') {
    const pglite = await createPglite('memory://');
    return { db: connect(pglite), driver: pgliteDriver(pglite), folder: null, close: () => pglite.close() };
  }
  const folder = resolve(options.data);
  const release = await lockFolder(folder, options.onLost).catch((error: unknown) => {
    throw error instanceof StartProblem
      ? error
      : new StartProblem(
          `Couldn’t use the data folder ${folder}: ${reason(error)}`,
          'Choose another folder with --data.',
        );
  });
  try {
    const pglite = await openFolder(folder, options);
    const close = () => pglite.close().finally(release);
    return { db: connect(pglite), driver: pgliteDriver(pglite), folder, close };
  } catch (error) {
    await release();
    throw error;
  }
}

/**
 * Opens the database in a data folder. The marker file `unfinished` is renamed to `ready` once a new database is
 * complete. If `unfinished` still exists, creation was interrupted, and the files are quarantined. A folder with
 * neither isn’t ours, unless it is empty.
 */
async function openFolder(folder: string, options: OpenOptions): Promise<PGlite> {
  const files = join(folder, 'database');
  const ready = join(folder, 'ready');
  const unfinished = join(folder, 'unfinished');
  if (await exists(ready)) return reopen(folder, files, options.migrationsFolder);
  if (await exists(unfinished)) {
    if (await exists(files)) await rename(files, `${files}.unfinished-${Date.now()}`);
  } else if ((await readdir(folder)).some((name) => name !== TOKEN_FILE && !LOCK_FILES.includes(name))) {
    throw new StartProblem(
      `The folder ${folder} contains files that don’t belong to a platform.`,
      'Choose an empty or new folder with --data.',
    );
  }
  await writeFile(unfinished, 'Marks the data folder of a local platform.\n');
  const pglite = await createPglite(files);
  await rename(unfinished, ready);
  return pglite;
}

async function reopen(folder: string, files: string, migrationsFolder = MIGRATIONS_FOLDER): Promise<PGlite> {
  // Without this check, PGlite would create a new, empty database.
  const version = await readFile(join(files, 'PG_VERSION'), 'utf8').catch(() => '');
  if (!version) throw damaged(folder, 'its database is missing or incomplete.');
  let pglite: PGlite;
  try {
    pglite = await PGlite.create(files);
  } catch (error) {
    throw damaged(folder, reason(error));
  }
  try {
    await update(connect(pglite), folder, migrationsFolder);
    return pglite;
  } catch (error) {
    await pglite.close().catch(() => undefined);
    throw error instanceof StartProblem ? error : damaged(folder, reason(error));
  }
}

async function update(db: Database, folder: string, migrationsFolder: string): Promise<void> {
  const known = readMigrationFiles({ migrationsFolder });
  const { rows } = await db.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by created_at`,
  );
  const foreign = rows.some(({ hash }, index) => known[index]?.hash !== hash);
  if (foreign) {
    throw new StartProblem(
      `The data folder ${folder} belongs to a newer or different version of the platform.`,
      'Start that version, or choose another folder with --data.',
    );
  }
  await migrate(db, { migrationsFolder });
}

const createPglite = async (dataDir: string): Promise<PGlite> =>
  PGlite.create({ dataDir, loadDataDir: await loadSnapshot() });

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function damaged(folder: string, why: string): StartProblem {
  return new StartProblem(
    `The data folder ${folder} is damaged: ${why} Its remaining data wasn’t changed.`,
    'Restore it from a backup, or choose another folder with --data.',
  );
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
