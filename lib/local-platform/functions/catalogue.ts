/** Reads the available function packages: the platform’s own, and those in the user’s folder. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Stats } from 'node:fs';
import { realPathIn } from '../real-path.ts';
import { type FunctionDescriptor, OWN_SETTINGS } from '../../platform-api/index.ts';

const OWN_FOLDER = fileURLToPath(new URL('packages/', import.meta.url));
const FILE_NAME = /^[A-Za-z0-9][\w.-]{0,120}\.js$/;
const REGISTERS = /\bFunctions\s*\.\s*register\(\s*(['"`])([A-Za-z0-9][\w.-]{0,120})\1/;

export interface FunctionPackage extends FunctionDescriptor {
  source: string;
}

/** Packages by name. A user’s package replaces the platform’s package of the same name. */
export type ReadCatalogue = () => Promise<ReadonlyMap<string, FunctionPackage>>;
/** Further packages’ sources, by package name. */
export type ReadSources = () => ReadonlyMap<string, string>;

/** Rereads changed files, so that an edited function takes effect when the page is reloaded. */
export function createCatalogue(userFolder?: string, readSources: ReadSources = () => new Map()): ReadCatalogue {
  const cache = new Map<string, { stamp: string; entry: FunctionPackage }>();
  const folders = userFolder === undefined ? [OWN_FOLDER] : [OWN_FOLDER, userFolder];

  async function read(folder: string, name: string): Promise<FunctionPackage | null> {
    const file = join(folder, name);
    // The file might have been removed since the folder was listed.
    const info = await inside(folder, file).catch(() => null);
    if (!info?.isFile()) return null;
    const stamp = `${info.mtimeMs} ${info.size}`;
    const cached = cache.get(file);
    if (cached?.stamp === stamp) return cached.entry;
    const source = await readFile(file, 'utf8').catch(() => null);
    if (source === null) return null;
    const described = describe(name.slice(0, -'.js'.length), source);
    const settings = folder === OWN_FOLDER ? OWN_SETTINGS[described.package] : undefined;
    const entry = settings ? { ...described, settings } : described;
    cache.set(file, { stamp, entry });
    return entry;
  }

  return async () => {
    const packages = new Map<string, FunctionPackage>();
    for (const folder of folders) {
      const names = (await readdir(folder)).filter((name) => FILE_NAME.test(name)).sort();
      for (const entry of await Promise.all(names.map((name) => read(folder, name))))
        if (entry) packages.set(entry.package, entry);
    }
    for (const [name, source] of readSources()) packages.set(name, describe(name, source, name));
    return packages;
  };
}

/** Null for a link that leads out of the folder: its target isn’t meant to be served. */
async function inside(folder: string, file: string): Promise<Stats | null> {
  const real = await realPathIn(folder, file);
  return real === null ? null : stat(real);
}

/** A script that registers no package is named after its file. The first comment is `Name: description`. */
function describe(base: string, source: string, name = REGISTERS.exec(source)?.[2] ?? base): FunctionPackage {
  const comment = /^\s*\/\*\*?([\s\S]*?)\*\//.exec(source)?.[1] ?? '';
  const text = comment
    .split(/\n\s*\*\s*\n/)[0]!
    .replace(/^\s*\*/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const titled = /^([^:.]{1,60}): (.*)$/.exec(text);
  return { id: stableId(name), name: titled?.[1] ?? base, package: name, description: titled?.[2] ?? text, source };
}

/** FNV-1a, 31 bits: a package has the same ID in every installation. */
function stableId(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash >>> 1;
}
