/** What each published package has to contain, import, define, and print: what its tests check once it is installed. */
import { globSync } from 'node:fs';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect } from 'vitest';
import type { PackedProject } from './packed-project.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** A module that defines the globals of a browser. */
const BROWSER = `data:text/javascript,${encodeURIComponent(`
  import { Window } from ${JSON.stringify(import.meta.resolve('happy-dom'))};
  const window = new Window({ url: 'https://app.example/' });
  Object.assign(globalThis, { window, location: window.location });`)}`;
/** By their folder in `lib`. */
const NAMES = {
  pipeline: '@platform-devtools/pipeline',
  oauth2: '@platform-devtools/oauth2',
  cli: 'platform-devtools',
} as const;
export type PackageName = keyof typeof NAMES;
export const LIBRARIES = ['pipeline', 'oauth2'] as const;
export const PACKAGES = [...LIBRARIES, 'cli'] as const;

/** What the files of a package’s build are. */
const CONTENT: Record<PackageName, RegExp> = {
  pipeline: /\.(?:js|d\.ts|schema\.json)$/,
  oauth2: /\.(?:js|d\.ts)$/,
  cli: /dist\/(?:[\w-]+\/)+(?:[\w.-]+\.(?:js|d\.ts|cjs|css|sql)|_journal\.json|package\.json)$|dist\/extension\/chrome-mv3\//,
};

export const installedIn = ({ folder }: PackedProject, name: PackageName, path = ''): string =>
  join(folder, 'node_modules', NAMES[name], path);

export async function expectOnlyBuild(project: PackedProject, name: PackageName): Promise<void> {
  // npm puts dependencies there that another version elsewhere keeps it from sharing.
  const own = (await readdir(installedIn(project, name))).filter((file) => file !== 'node_modules');
  const command = name === 'cli' ? ['platform-devtools.js'] : [];
  expect(own.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', ...command]);
  const files = await readdir(installedIn(project, name, 'dist'), { recursive: true, withFileTypes: true });
  const others = files.filter((file) => file.isFile() && !CONTENT[name].test(join(file.parentPath, file.name)));
  expect(others).toEqual([]);
  const license = await readFile(installedIn(project, name, 'LICENSE'), 'utf8');
  expect(license).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8'));
}

/** @param folder of the installed package, or of its sources. @param pattern of its modules */
export async function expectDeclaredImports(folder: string, name: PackageName, pattern: string): Promise<void> {
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(text) as Record<string, Record<string, string>>;
  const allowed = Object.keys({ ...dependencies, ...optionalDependencies });
  const files = globSync(pattern, { cwd: folder, exclude: ['dist/extension/**'] });
  const { metafile } = await build({
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    entryPoints: files.map((file) => join(folder, file)),
    outdir: 'out',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const external = imports.filter((each) => each.external).map(({ path }) => path);
  const packages = external.filter((path) => !path.startsWith('node:')).map(packageOf);
  expect(packages.filter((used) => !allowed.includes(used))).toEqual([]);
  expect(packages.length > 0).toBe(name === 'cli');
}

export async function expectNoGlobal(project: PackedProject, name: PackageName): Promise<void> {
  const script = `
    const before = Reflect.ownKeys(globalThis).length;
    const exports = await import('${NAMES[name]}');
    console.log(Object.keys(exports).length > 0, Reflect.ownKeys(globalThis).length - before);`;
  expect(await project.run(process.execPath, ['--input-type=module', '--eval', script])).toBe('true 0\n');
}

/** What the README of a package shows, written to `<name>-<index>.ts` in the project. */
export async function writeExamples(project: PackedProject, name: PackageName): Promise<string[]> {
  const readme = await readFile(installedIn(project, name, 'README.md'), 'utf8');
  const sources = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, source]) => source!);
  expect(sources.length).toBeGreaterThan(0);
  for (const [index, source] of sources.entries()) await writeFile(join(project.folder, `${name}-${index}.ts`), source);
  return sources;
}

export async function expectExamplesPrint(
  project: PackedProject,
  name: PackageName,
  sources: readonly string[],
  extension: 'ts' | 'js',
): Promise<void> {
  for (const [index, source] of sources.entries()) {
    const browser = name === 'oauth2' ? ['--import', BROWSER] : [];
    const printed = await project.run(process.execPath, [...browser, `${name}-${index}.${extension}`]);
    expect(printed).toBe(expectedOutput(source));
  }
}

/** The package of an import, such as `@a/b` of `@a/b/c`. */
const packageOf = (path: string): string => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

/** Reads the expected output from the comments after `console.log`. */
function expectedOutput(source: string): string {
  return [...source.matchAll(/console\.log\(.*\)[;,] \/\/ (.*)$/gm)].map(([, printed]) => `${printed}\n`).join('');
}
