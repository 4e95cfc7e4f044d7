/** Opens databases: creates them from the snapshot, migrates them, and refuses folders that aren’t ours. */
import type { Dirent } from 'node:fs';
import { access, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { DatabaseFiles, type DatabaseLog } from './database-files.ts';
import { connect, type Database } from './database.ts';
import { pgliteDriver, type Driver } from './driver.ts';
import { migrate, readMigrationFiles, sql } from './drizzle.ts';
import { faultOf } from './outage.ts';
import { StartProblem } from '../problem.ts';
import { type FolderLock, JOURNALS, LOCK_FILES, lockFolder } from './lock.ts';
import { loadSnapshot, MIGRATIONS_FOLDER } from './snapshot.ts';

/** Name of the token file in a data folder. With a Postgres server, the folder contains nothing else. */
export const TOKEN_FILE = 'auth-token';

/** Marker files of a data folder. */
const READY = 'ready';
const UNFINISHED = 'unfinished';

/** Bytes. */
const PROBE_SIZE = 4 * 1024 * 1024;

export interface OpenedDatabase {
  db: Database;
  driver: Driver;
  /** The data folder; null in memory and on a Postgres server. */
  folder: string | null;
  /** False once another process has the data folder, or its disk is full. Then all statements fail. */
  isOurs(): boolean;
  /** Leaves a data folder alone that isn’t ours. */
  close(): Promise<void>;
}
export interface OpenOptions {
  /** A folder, or `memory`. */
  data: string;
  /** A Postgres database to use instead of `data`, such as `postgres://user@host/name`. */
  url?: string | undefined;
  /** Default: this version’s migrations. */
  migrationsFolder?: string;
  /** Called when another process has taken over the folder, its lock was removed, or its disk is too full to go on. */
  onLost?: (problem: StartProblem) => void;
  /** Called with a sentence before a wait for a process that might still have the folder. */
  onWait?: ((sentence: string) => void) | undefined;
  /** Ends a wait for that, or for a Postgres server. */
  signal?: AbortSignal | undefined;
  /** Called with connection errors. */
  log?: (error: unknown) => void;
}

/**
 * @throws StartProblem when the folder or server is in use, damaged, newer than this version, or not ours; and the
 *   reason of the signal
 */
export async function openDatabase(options: OpenOptions): Promise<OpenedDatabase> {
  if (options.url !== undefined) {
    const { openPostgres } = await import('./postgres.ts');
    return untilAborted(openPostgres(options.url, options.log ?? console.error), options.signal);
  }
  if (options.data === 'memory') {
    const pglite = await createPglite('memory://');
    const close = () => pglite.close();
    return { db: connect(pglite), driver: pgliteDriver(pglite), folder: null, isOurs: () => true, close };
  }
  const folder = resolve(options.data);
  await refuseForeign(folder);
  const lock = await lockFolder(folder, options).catch(async (error: unknown) => {
    options.signal?.throwIfAborted();
    throw (
      (await diskProblem(error, folder)) ??
      new StartProblem(`Couldn’t use the data folder ${folder}: ${reason(error)}`, 'Choose another folder with --data.')
    );
  });
  const log: DatabaseLog = { isLost: false, onLost: () => {} };
  try {
    const pglite = await openFolder(folder, log, options);
    if (log.isLost) throw diskFull(`the data folder ${folder}`);
    log.onLost = () => options.onLost?.(logLost(folder));
    guard(pglite, lock, log);
    const isOurs = () => !log.isLost && lock.isOurs();
    // Closing writes the control file.
    const close = () => (isOurs() && lock.verify() ? pglite.close() : Promise.resolve()).finally(() => lock.release());
    return { db: connect(pglite), driver: pgliteDriver(pglite), folder, isOurs, close };
  } catch (error) {
    const problem = await diskProblem(error, folder);
    await lock.release();
    throw problem ?? error;
  }
}

/** A database that is opened later is closed. */
async function untilAborted(opening: Promise<OpenedDatabase>, signal?: AbortSignal): Promise<OpenedDatabase> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal!.reason);
  aborted.catch(() => opening.then((database) => database.close())).catch(() => undefined);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return Promise.race([opening, aborted]).finally(() => signal?.removeEventListener('abort', abort));
}

/** Keeps statements from a folder that is no longer ours. All of them go through this function of PGlite. */
function guard(pglite: PGlite, lock: FolderLock, log: DatabaseLog): void {
  const execute = pglite.execProtocolRawSync.bind(pglite);
  const requireLog = (): void => {
    if (log.isLost) throw Object.assign(new Error('The database’s log can’t be written.'), { code: 'ENOSPC' });
  };
  pglite.execProtocolRawSync = (message) => {
    requireLog();
    if (!lock.isOurs()) throw new Error('Another process has the data folder.');
    const answer = execute(message);
    requireLog();
    return answer;
  };
}

const logLost = (folder: string): StartProblem =>
  new StartProblem(
    `The platform stopped, because it couldn’t write to the data folder ${folder}. What it has confirmed is stored.`,
    'Free at least 100 MB on its disk, then start the platform again.',
  );

/** The problem that this error is, if it’s the disk’s or the data’s. `folder` is null in memory and on a server. */
export function startProblem(error: unknown, folder: string | null): StartProblem | null {
  if (error instanceof StartProblem) return error;
  const fault = faultOf(error);
  const where = folder === null ? 'the database' : `the data folder ${folder}`;
  if (fault === 'disk-full') return diskFull(where);
  if (fault === 'damaged') return damaged(where, 'a part of it doesn’t match its checksum.');
  return null;
}

const diskFull = (where: string): StartProblem =>
  new StartProblem(
    `Couldn’t start: the disk with ${where} is full.`,
    'Free at least 100 MB on it, or choose another folder with --data.',
  );

/** Like `startProblem`. When PGlite can’t write its log, it aborts without a reason, so this tries to write, too. */
async function diskProblem(thrown: unknown, folder: string): Promise<StartProblem | null> {
  const known = startProblem(thrown, folder);
  if (known) return known;
  const probe = join(folder, 'probe');
  const refused: unknown = await writeFile(probe, new Uint8Array(PROBE_SIZE)).then(
    () => null,
    (refusal: unknown) => refusal,
  );
  await rm(probe, { force: true }).catch(() => undefined);
  return startProblem(refused, folder);
}

/**
 * A folder without a marker file isn’t ours, unless it is empty. What would lead a write elsewhere isn’t ours, either:
 * links, pipes, and a journal, which SQLite would carry out. This is checked before anything is written there.
 * @throws StartProblem
 */
async function refuseForeign(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const names = entries.map(({ name }) => name);
  const misleading = entries.find((each) => !(each.isFile() || each.isDirectory()) || JOURNALS.includes(each.name));
  if (misleading)
    throw new StartProblem(
      `Couldn’t use the data folder ${folder}: no platform makes a ${misleading.isSymbolicLink() ? 'link' : 'file'} like “${misleading.name}”.`,
      'Check where the folder comes from, or choose another folder with --data.',
    );
  const isOurs = names.every((name) => name === TOKEN_FILE || LOCK_FILES.includes(name));
  if (isOurs || (await exists(join(folder, UNFINISHED))) || (await exists(join(folder, READY)))) return;
  throw new StartProblem(
    `The folder ${folder} contains files that don’t belong to a platform.`,
    'Choose an empty or new folder with --data.',
  );
}

/**
 * Opens the database in a data folder. The marker file `unfinished` is renamed to `ready` once a new database is
 * complete. If `unfinished` still exists, creation was interrupted, and the files are quarantined.
 */
async function openFolder(folder: string, log: DatabaseLog, options: OpenOptions): Promise<PGlite> {
  const files = join(folder, 'database');
  const ready = join(folder, READY);
  const unfinished = join(folder, UNFINISHED);
  if (await exists(ready)) return reopen(folder, files, log, options);
  if ((await exists(unfinished)) && (await exists(files))) await rename(files, `${files}.unfinished-${Date.now()}`);
  await writeFile(unfinished, 'Marks the data folder of a local platform.\n');
  try {
    const pglite = await createPglite(files, new DatabaseFiles(files, log));
    await rename(unfinished, ready);
    return pglite;
  } catch (error) {
    // What was created so far would keep a full disk full.
    const problem = await diskProblem(error, folder);
    await rm(files, { recursive: true, force: true }).catch(() => undefined);
    throw problem ?? error;
  }
}

async function reopen(
  folder: string,
  files: string,
  log: DatabaseLog,
  { migrationsFolder = MIGRATIONS_FOLDER }: OpenOptions,
): Promise<PGlite> {
  // Without this check, PGlite would create a new, empty database.
  const version = await readFile(join(files, 'PG_VERSION'), 'utf8').catch(() => '');
  if (!version) throw damaged(`the data folder ${folder}`, 'its database is missing or incomplete.');
  let pglite: PGlite;
  try {
    pglite = await PGlite.create({ dataDir: files, fs: new DatabaseFiles(files, log) });
  } catch (error) {
    throw (await diskProblem(error, folder)) ?? damaged(`the data folder ${folder}`, reason(error));
  }
  try {
    await update(connect(pglite), folder, migrationsFolder);
    return pglite;
  } catch (error) {
    await pglite.close().catch(() => undefined);
    throw (await diskProblem(error, folder)) ?? damaged(`the data folder ${folder}`, reason(error));
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

const createPglite = async (dataDir: string, fs?: DatabaseFiles): Promise<PGlite> =>
  PGlite.create({ dataDir, loadDataDir: await loadSnapshot(), ...(fs && { fs }) });

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function damaged(where: string, why: string): StartProblem {
  return new StartProblem(
    `${where[0]!.toUpperCase()}${where.slice(1)} is damaged: ${why} Nothing was repaired or removed.`,
    'Restore it from a backup, or choose another folder with --data.',
  );
}

function reason(error: unknown): string {
  const text = error instanceof Error ? error.message.split('\n')[0]! : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
