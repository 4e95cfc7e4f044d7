/** Builds the packages for the extension stores: `npm run package`. */
import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { buildExtension } from '../build.ts';
import { filesIn, sourceFiles } from './files.ts';
import { type Files, zip } from './zip.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface StorePackage {
  /** What it’s for: a store, or Mozilla’s reviewers. */
  target: 'chrome' | 'edge' | 'firefox' | 'firefox-sources';
  path: string;
  bytes: number;
  sha256: string;
}

/**
 * Builds the extension, and writes one archive for each store, and the sources that Mozilla asks for.
 * @param folder relative to the project’s root; whatever it has is removed
 */
export async function packageExtension(folder = '.output'): Promise<StorePackage[]> {
  const chrome = await filesIn(await buildExtension('chrome', folder));
  const firefox = await filesIn(await buildExtension('firefox', folder));
  const store = resolve(ROOT, folder, 'store');
  await rm(store, { recursive: true, force: true });
  await mkdir(store, { recursive: true });
  const write = async (target: StorePackage['target'], files: Files): Promise<StorePackage> => {
    const archive = zip(files);
    const path = join(store, `platform-devtools-${manifest.version}-${target}.zip`);
    await writeFile(path, archive);
    return { target, path, bytes: archive.length, sha256: createHash('sha256').update(archive).digest('hex') };
  };
  return [
    await write('chrome', chrome),
    // Edge takes Chrome’s build as it is.
    await write('edge', chrome),
    await write('firefox', firefox),
    await write('firefox-sources', await sourceFiles(ROOT)),
  ];
}

if (import.meta.main)
  for (const { path, bytes, sha256 } of await packageExtension(process.argv[2]))
    console.log(`${path}\n  ${Math.round(bytes / 1000)} kB, SHA-256 ${sha256}`);
