/**
 * Keeps one version everywhere: the one in the repository’s package.json. `npm version` runs it with `--write`, which sets
 * that version in the workspaces and the lockfile, and dates the changelog’s section.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const UNRELEASED = '## [Unreleased]';
const DEPENDENCIES = ['dependencies', 'peerDependencies', 'optionalDependencies', 'devDependencies'] as const;

type Package = { name?: string; version?: string } & {
  [kind in (typeof DEPENDENCIES)[number]]?: Record<string, string>;
};
type Texts = Record<string, string>;

/** The files that have the version, with the version in them. The same as before if nothing is to do. */
export function withVersion(texts: Texts, today: string): Texts {
  const { version = '' } = parse(texts['package.json']);
  const manifests = Object.keys(texts).filter((path) => /^lib\/\w+\/package\.json$/.test(path));
  const names = new Set(manifests.map((path) => parse(texts[path]).name ?? ''));
  const lock = parse(texts['package-lock.json']) as Package & { packages: Record<string, Package> };
  lock.version = version;
  for (const path of ['', ...manifests.map((path) => path.replace('/package.json', ''))])
    setVersion(lock.packages[path], version, names);
  const result: Texts = { ...texts, 'package-lock.json': print(lock) };
  for (const path of manifests) result[path] = print(setVersion(parse(texts[path]), version, names));
  result['CHANGELOG.md'] = withRelease(texts['CHANGELOG.md'] ?? '', version, today);
  return result;
}

function setVersion(manifest: Package | undefined, version: string, names: ReadonlySet<string>): Package {
  if (!manifest) throw new Error('The lockfile doesn’t have every workspace. Run npm install first.');
  manifest.version = version;
  for (const kind of DEPENDENCIES)
    for (const name of Object.keys(manifest[kind] ?? {})) if (names.has(name)) manifest[kind]![name] = version;
  return manifest;
}

function withRelease(changelog: string, version: string, today: string): string {
  if (changelog.includes(`\n## [${version}] - `)) return changelog;
  const [before = '', after = ''] = changelog.split(UNRELEASED);
  if (!/^\s*### /.test(after)) throw new Error(`The changelog has nothing under ${UNRELEASED}.`);
  return `${before}${UNRELEASED}\n\n## [${version}] - ${today}${after}`;
}

const parse = (text = ''): Package => JSON.parse(text) as Package;
const print = (manifest: Package): string => `${JSON.stringify(manifest, null, 2)}\n`;

/** The files that have the version. */
export function readVersioned(root = ROOT): Texts {
  const workspaces = readdirSync(join(root, 'lib'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `lib/${name}/package.json`);
  const texts: Texts = {};
  for (const path of ['package.json', 'package-lock.json', 'CHANGELOG.md', ...workspaces])
    try {
      texts[path] = readFileSync(join(root, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  return texts;
}

if (import.meta.main) {
  const texts = readVersioned();
  const updated = withVersion(texts, new Date().toISOString().slice(0, 10));
  const changed = Object.keys(updated).filter((path) => updated[path] !== texts[path]);
  const writes = process.argv.includes('--write');
  if (writes) for (const path of changed) writeFileSync(join(ROOT, path), updated[path]!);
  else for (const path of changed) console.error(`${path} has another version than package.json.`);
  process.exitCode = writes || changed.length === 0 ? 0 : 1;
}
