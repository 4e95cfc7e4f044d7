/** Owns the image of a new, migrated database: creating one from nothing takes seconds, loading the image a fraction of one. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { drizzle, migrate, readMigrationFiles } from './drizzle.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations/', import.meta.url));
/** Where images are kept between starts; removed with `node_modules`, built again when missing. */
export const SNAPSHOT_FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/platform-snapshots/', import.meta.url));

const TAR = 'application/x-tar';

/** The image for this version of the migrations and of PGlite; `rebuild` ignores a kept one. */
export async function loadSnapshot(options: { folder?: string; rebuild?: boolean } = {}): Promise<Blob> {
  const folder = options.folder ?? SNAPSHOT_FOLDER;
  const file = join(folder, `${await snapshotKey()}.tar`);
  return (options.rebuild ? null : await readSnapshot(file)) ?? (await buildSnapshot(folder, file));
}

/** The archive, whose digest stands in a file beside it: a cut-off or damaged image reads as none. */
async function readSnapshot(file: string): Promise<Blob | null> {
  try {
    const [bytes, wanted] = await Promise.all([readFile(file), readFile(`${file}.sha256`, 'utf8')]);
    return digest(bytes) === wanted ? new Blob([bytes], { type: TAR }) : null;
  } catch {
    return null;
  }
}

async function buildSnapshot(folder: string, file: string): Promise<Blob> {
  const pglite = new PGlite('memory://');
  await migrate(drizzle(pglite, { casing: 'snake_case' }), { migrationsFolder: MIGRATIONS_FOLDER });
  const blob = await pglite.dumpDataDir('none');
  await pglite.close();
  await keep(folder, file, new Uint8Array(await blob.arrayBuffer())).catch(() => undefined);
  return new Blob([blob], { type: TAR });
}

/** Without a place to keep it (a read-only installation) each start builds its own, so failing here is no failure. */
async function keep(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, content] of [[file, bytes], [`${file}.sha256`, digest(bytes)]] as const) {
    const draft = join(folder, `${randomUUID()}.draft`);
    await writeFile(draft, content);
    await rename(draft, path);
  }
  const older = (await readdir(folder)).filter((name) => !name.startsWith(basename(file)) && !name.endsWith('.draft'));
  await Promise.all(older.map((name) => rm(join(folder, name), { force: true })));
}

async function snapshotKey(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.resolve('@electric-sql/pglite')), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER }).map((each) => each.hash);
  return digest(Buffer.from(JSON.stringify([version, migrations]))).slice(0, 32);
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
