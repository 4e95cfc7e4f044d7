/**
 * Caches an image of a new database with today’s demo data: creating the data takes seconds, loading the image a
 * fraction of a second.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { cacheFolder, moduleFile } from '../installation.ts';
import { installQueue } from '../jobs/boss.ts';
import { makeFolder } from '../make-folder.ts';
import { connect } from './database.ts';
import { pgliteDriver } from './driver.ts';
import { migrate, readMigrationFiles } from './drizzle.ts';
import { seed } from './seed/index.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations/', import.meta.url));
/** Images are cached here between starts, and rebuilt if missing. */
export const SNAPSHOT_FOLDER = cacheFolder('platform-snapshots');
const SEED_FOLDER = new URL('seed/', import.meta.url);
/** The modules that make the image. */
const SOURCES = [moduleFile('../jobs/boss', import.meta.url), moduleFile('./snapshot', import.meta.url)];

const TAR = { type: 'application/x-tar' };

/** PGlite reads an image with `arrayBuffer`, which copies any other Blob. That takes longer than reading the file. */
class Image extends Blob {
  readonly #bytes: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    super([], TAR);
    this.#bytes = bytes;
  }

  override get size(): number {
    return this.#bytes.byteLength;
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return Promise.resolve(this.#bytes.buffer);
  }
}

/** Returns today’s image for the current versions of PGlite, the migrations, the queue, and the demo data. */
export async function loadSnapshot(folder = SNAPSHOT_FOLDER): Promise<Blob> {
  const day = new Date().toISOString().slice(0, 10);
  const file = join(folder, `${day}-${await version()}.tar`);
  return (await readSnapshot(file)) ?? (await buildSnapshot(file, new Date(day)));
}

/** Reads the archive and verifies it against the digest in the file next to it. Null if missing or damaged. */
async function readSnapshot(file: string): Promise<Blob | null> {
  try {
    const [content, wanted] = await Promise.all([readFile(file), readFile(`${file}.sha256`, 'utf8')]);
    return digest(content) === wanted ? new Image(new Uint8Array(content)) : null;
  } catch {
    return null;
  }
}

async function buildSnapshot(file: string, day: Date): Promise<Blob> {
  const pglite = await PGlite.create('memory://');
  const db = connect(pglite);
  await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
  await seed(db, day);
  await installQueue(pgliteDriver(pglite));
  await shrink(pglite);
  const blob = await pglite.dumpDataDir('none');
  await pglite.close();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  await store(file, bytes).catch(() => undefined);
  return new Image(bytes);
}

/** Makes starts faster: there are fewer files to copy, and there is less memory to clear. */
async function shrink(pglite: PGlite): Promise<void> {
  // Nothing creates another database.
  await pglite.exec('update pg_database set datistemplate = false');
  for (const template of ['template0', 'template1']) await pglite.exec(`drop database ${template}`);
  // The default of 128 MB doesn’t make a log of a million records faster.
  await pglite.exec("alter system set shared_buffers = '64MB'");
}

/** Rejects if the folder can’t be written. The image is then built at every start. */
async function store(file: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(file);
  await makeFolder(folder);
  for (const [path, content] of [
    [file, bytes],
    [`${file}.sha256`, digest(bytes)],
  ] as const) {
    const draft = join(folder, `${randomUUID()}.draft`);
    await writeFile(draft, content);
    await rename(draft, path);
  }
  const older = (await readdir(folder)).filter((name) => !name.startsWith(basename(file)) && !name.endsWith('.draft'));
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })));
}

async function version(): Promise<string> {
  const made = [
    new URL('../package.json', import.meta.resolve('@electric-sql/pglite')),
    new URL('../package.json', import.meta.resolve('pg-boss')),
    ...SOURCES,
  ].map((file) => readFile(file, 'utf8'));
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((each) => each.hash);
  const sources = (await readdir(SEED_FOLDER)).sort().map((name) => readFile(new URL(name, SEED_FOLDER), 'utf8'));
  return digest(JSON.stringify([await Promise.all(made), migrations, await Promise.all(sources)])).slice(0, 32);
}

const digest = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
