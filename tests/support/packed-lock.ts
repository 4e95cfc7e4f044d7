/**
 * Derives a project’s lockfile from the repository’s, so that `npm ci` installs our packages with exactly the
 * dependencies that the tests ran with, and from npm’s cache. Without it, npm would ask the registry which versions
 * there are, and the cache has only what `npm ci` has installed.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, posix, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const REGISTRY = 'https://registry.npmjs.org';

interface Locked {
  version: string;
  resolved?: string;
  integrity?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  dev?: boolean | undefined;
}
type Packages = Record<string, Locked>;

export interface ProjectFiles {
  'package.json': string;
  'package-lock.json': string;
}

/** @param tarballs the file of each workspace (`cli`), which is in the project’s folder */
export async function filesOfProject(tarballs: ReadonlyMap<string, string>): Promise<ProjectFiles> {
  const { packages } = JSON.parse(await readFile(resolve(ROOT, 'package-lock.json'), 'utf8')) as { packages: Packages };
  const dependencies: Record<string, string> = {};
  const locked: Packages = {};
  for (const [workspace, tarball] of tarballs) {
    const manifest = JSON.parse(await readFile(resolve(ROOT, 'lib', workspace, 'package.json'), 'utf8')) as Locked & {
      name: string;
    };
    const path = `node_modules/${manifest.name}`;
    const resolved = `file:${basename(tarball)}`;
    dependencies[manifest.name] = resolved;
    locked[path] = { ...packages[`lib/${workspace}`]!, resolved, integrity: integrityOf(await readFile(tarball)) };
    for (const needed of dependenciesOf(`lib/${workspace}`, packages))
      locked[needed.replace(`lib/${workspace}`, path)] = fromRegistry(needed, packages[needed]!);
  }
  const project = { name: 'project', version: '1.0.0', private: true, type: 'module', dependencies };
  const root = { name: project.name, version: project.version, dependencies };
  const lock = { ...root, dependencies: undefined, lockfileVersion: 3, packages: { '': root, ...locked } };
  return { 'package.json': JSON.stringify(project), 'package-lock.json': JSON.stringify(lock) };
}

/** Places in the lockfile of everything that a package needs, directly or not. */
function dependenciesOf(path: string, packages: Packages, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = packages[path]!;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  for (const name of names.filter((name) => !peerDependenciesMeta[name]?.optional)) {
    const place = placeOf(name, path, packages);
    if (place === undefined) throw new Error(`The lockfile doesn’t have ${name}, which ${path} needs.`);
    if (found.has(place)) continue;
    found.add(place);
    dependenciesOf(place, packages, found);
  }
  return found;
}

/** Where Node finds a package: in the nearest `node_modules` above. */
function placeOf(name: string, from: string, packages: Packages): string | undefined {
  for (let folder = from; ; folder = posix.dirname(folder)) {
    const place = posix.join(folder, 'node_modules', name);
    if (packages[place]) return place;
    if (folder === '.') return undefined;
  }
}

function fromRegistry(place: string, locked: Locked): Locked {
  const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return { ...locked, dev: undefined, resolved: `${REGISTRY}/${name}/-/${basename(name)}-${locked.version}.tgz` };
}

const integrityOf = (bytes: Buffer): string => `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
