/** Checks the table of modules in CONTRIBUTING.md against every import. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');

interface Module {
  folder: string;
  /** Folders of the modules that it may import. */
  imports: string[];
}

interface Import {
  file: string;
  /** Of this repository: a path from the root. Otherwise the specifier as written. */
  target: string;
}

const MODULES = readTable(read('CONTRIBUTING.md'));
const FILES = globSync(['lib/**', 'components/**', 'entrypoints/**'], { cwd: ROOT, exclude: isGenerated }).filter(
  (file) => /\.tsx?$/.test(file),
);
const IMPORTS = FILES.flatMap((file) => importsOf(file, read(file)));

describe('the table of modules', () => {
  test('has a module for every file', () =>
    expect(FILES.filter((file) => !moduleOf(file)).map((file) => dirname(file))).toEqual([]));
  test('has no module without files', () =>
    expect(MODULES.filter(({ folder }) => !FILES.some((file) => moduleOf(file)?.folder === folder))).toEqual([]));
  test('names only modules of the table as imports', () =>
    expect(MODULES.flatMap(({ imports }) => imports).filter((folder) => !isModule(folder))).toEqual([]));
  test('has no cycles', () => expect(MODULES.filter(({ folder }) => reaches(folder, folder))).toEqual([]));
});

describe('imports', () => {
  test('are read from every kind of statement', () => {
    const source = `import a from './a.ts';\nexport { b } from './b.ts';\nimport './c.css';\nvoid import('./d.ts');\ntype E = import('./e.ts').E;`;
    expect(importsOf('lib/x/y.ts', source).map(({ target }) => posix.basename(target))).toEqual([
      'a.ts',
      'b.ts',
      'c.css',
      'd.ts',
      'e.ts',
    ]);
  });
  test('lead only to modules that the table allows', () => expect(IMPORTS.filter(isForbidden).map(show)).toEqual([]));
  test('of Node’s modules are in code that runs in Node alone', () => {
    const inNode = /^lib\/(local-platform|browser-driver|cli)\//;
    expect(IMPORTS.filter(({ file, target }) => target.startsWith('node:') && !inNode.test(file)).map(show)).toEqual(
      [],
    );
  });
  test('never lead from one entrypoint to another', () =>
    expect(
      IMPORTS.filter(({ file, target }) => file.startsWith('entrypoints/') && isOtherEntrypoint(file, target)).map(
        show,
      ),
    ).toEqual([]));
});

test('an entrypoint has at most 40 lines', () => {
  const long = FILES.filter((file) => file.startsWith('entrypoints/') && read(file).trimEnd().split('\n').length > 40);
  expect(long).toEqual([]);
});

test('only lib/shared/format.ts formats dates for people', () => {
  const formatting = /toLocale(Date|Time)String|Intl\.DateTimeFormat\((?![^\n]*resolvedOptions)/;
  const isView = (file: string): boolean => /^(components|entrypoints|lib\/extension)\//.test(file);
  expect(FILES.filter((file) => isView(file) && formatting.test(read(file)))).toEqual([]);
});

test('no folder has more than 16 files of code', () => {
  const counts = Map.groupBy(FILES, (file) => dirname(file));
  const full = [...counts]
    .filter(([, files]) => files.length > 16)
    .map(([folder, { length }]) => `${folder}: ${length}`);
  expect(full).toEqual([]);
});

/** Reads the rows "| `folder` | what it does | `import`, `import` |". */
function readTable(markdown: string): Module[] {
  const rows = markdown.matchAll(/^\| `((?:lib|components|entrypoints)[\w/-]*)` \|[^|]+\|([^|]*)\|$/gm);
  return [...rows].map(([, folder = '', imports = '']) => ({
    folder,
    imports: [...imports.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }));
}

function importsOf(file: string, source: string): Import[] {
  const statements = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g);
  return [...statements].map(([, specifier = '']) => ({
    file,
    target: specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier,
  }));
}

function moduleOf(path: string): Module | undefined {
  return MODULES.filter(({ folder }) => path.startsWith(`${folder}/`)).sort(
    (one, other) => other.folder.length - one.folder.length,
  )[0];
}

function isModule(folder: string): boolean {
  return MODULES.some((module) => module.folder === folder);
}

function isForbidden({ file, target }: Import): boolean {
  const [from, to] = [moduleOf(file), moduleOf(target)];
  return from !== undefined && to !== undefined && from !== to && !from.imports.includes(to.folder);
}

function isOtherEntrypoint(file: string, target: string): boolean {
  const entrypointOf = (path: string): string | undefined => path.split('/')[1];
  return target.startsWith('entrypoints/') && entrypointOf(target) !== entrypointOf(file);
}

function reaches(from: string, wanted: string, seen = new Set<string>()): boolean {
  const next = MODULES.find(({ folder }) => folder === from)?.imports ?? [];
  return next.some((folder) => {
    if (folder === wanted) return true;
    if (seen.has(folder)) return false;
    seen.add(folder);
    return reaches(folder, wanted, seen);
  });
}

function isGenerated(path: string): boolean {
  return /(^|\/)(node_modules|dist)(\/|$)/.test(path);
}

function show({ file, target }: Import): string {
  return `${file} imports ${target}`;
}
