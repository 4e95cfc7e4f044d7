/** Packs the publishable libraries, installs them in an empty folder, and uses them as their users do. */
import { globSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBundles } from '../../../lib/local-platform/http/bundles.ts';
import { type PackedProject, packedProject } from '../../support/packed-project.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
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
const LIBRARIES = ['pipeline', 'oauth2'] as const;
const PACKAGES = [...LIBRARIES, 'cli'] as const;

/** What the files of a package’s build are. */
const CONTENT: Record<(typeof PACKAGES)[number], RegExp> = {
  pipeline: /\.(?:js|d\.ts|schema\.json)$/,
  oauth2: /\.(?:js|d\.ts)$/,
  cli: /dist\/(?:[\w-]+\/)+(?:[\w.-]+\.(?:js|d\.ts|cjs|css|sql)|_journal\.json|package\.json)$|dist\/extension\/chrome-mv3\//,
};

let packed: PackedProject;
let project: string;
/** What the README of a package shows. */
const examples = new Map<string, string[]>();

const run: PackedProject['run'] = (command, args) => packed.run(command, args);

beforeAll(async () => {
  packed = await packedProject(PACKAGES);
  project = packed.folder;
  for (const name of PACKAGES) {
    const readme = await readFile(join(project, 'node_modules', NAMES[name], 'README.md'), 'utf8');
    const sources = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, source]) => source!);
    for (const [index, source] of sources.entries()) await writeFile(join(project, `${name}-${index}.ts`), source);
    examples.set(name, sources);
  }
  const consumers = join(import.meta.dirname, 'consumers');
  for (const name of await readdir(consumers)) await copyFile(join(consumers, name), join(project, `types-${name}`));
}, 300_000);
afterAll(() => packed?.remove());

test('README examples and uses of the types compile strictly, together with the declarations of the packages', async () => {
  const target = { target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', types: [] };
  const compilerOptions = { ...target, strict: true, skipLibCheck: false };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  expect(await run('tsc', ['--project', '.'])).toBe('');
}, 120_000);

// Concurrent: each test waits for its own process.
describe.concurrent.each(PACKAGES)('the package of lib/%s', { timeout: 120_000 }, (name) => {
  const installed = (path = ''): string => join(project, 'node_modules', NAMES[name], path);

  test('contains only its build, README, and license', async () => {
    // npm puts dependencies there that another version elsewhere keeps it from sharing.
    const own = (await readdir(installed())).filter((file) => file !== 'node_modules');
    expect(own.toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = await readdir(installed('dist'), { recursive: true, withFileTypes: true });
    const others = files.filter((file) => file.isFile() && !CONTENT[name].test(join(file.parentPath, file.name)));
    expect(others).toEqual([]);
  });
  test('imports only packages that it depends on', async () => {
    const text = await readFile(installed('package.json'), 'utf8');
    const { dependencies, optionalDependencies } = JSON.parse(text) as Record<string, Record<string, string>>;
    const allowed = Object.keys({ ...dependencies, ...optionalDependencies });
    const files = globSync('dist/**/*.js', { cwd: installed(), exclude: ['dist/extension/**'] });
    const options = { bundle: true, write: false, metafile: true, packages: 'external' } as const;
    const { metafile } = await build({
      ...options,
      entryPoints: files.map((file) => installed(file)),
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
  });
  test('has the license of the project', async () =>
    expect(await readFile(installed('LICENSE'), 'utf8')).toBe(await readFile(join(ROOT, 'LICENSE'), 'utf8')));
  test('satisfies publint', async () => {
    expect(await run('publint', ['run', installed(), '--strict', '--pack', 'false'])).toContain('All good!');
  });
  test('has types that resolve for every consumer of ES modules', async () => {
    const options = ['--profile', 'esm-only', '--format', 'ascii', '--no-emoji'];
    const printed = await run('attw', [packed.tarballs.get(name)!, ...options]);
    expect(printed).toContain('node16 (from ESM): OK (ESM)');
    expect(printed).toContain('bundler: OK');
  });
  test('can be imported under Node, without a window, and defines no global', async () => {
    const script = `
      const before = Reflect.ownKeys(globalThis).length;
      const exports = await import('${NAMES[name]}');
      console.log(Object.keys(exports).length > 0, Reflect.ownKeys(globalThis).length - before);`;
    expect(await run(process.execPath, ['--input-type=module', '--eval', script])).toBe('true 0\n');
  });
  test('has README examples that print what they say', async () => {
    const sources = examples.get(name)!;
    expect(sources.length).toBeGreaterThan(0);
    for (const [index, source] of sources.entries()) {
      const browser = name === 'oauth2' ? ['--import', BROWSER] : [];
      const printed = await run(process.execPath, [...browser, `${name}-${index}.js`]);
      expect(printed).toBe(expectedOutput(source));
    }
  });
});

describe('@platform-devtools/pipeline/debugging', { timeout: 60_000 }, () => {
  /** A run with a condition that decides its result. */
  const RECORDS = `
    import { record, testOf } from '@platform-devtools/pipeline/debugging';
    const functions = new Map([['read', (_, context) => { context.rows = [1, 2, 3]; return 'read'; }], ['many', () => 'many'], ['few', () => 'few']]);
    const conditions = [{ condition: 'rows.length > 2', functions: [{ function: 'many' }] }];
    const pipeline = [{ function: 'read' }, { type: 'if', conditions, elseFunctions: [{ function: 'few' }] }];
    const { recording } = await record(pipeline, { functions, payload: { password: 'hunter2' }, action: { name: 'Count rows' } });
    console.log(JSON.stringify(await testOf({ ...recording, startedAt: '2026-11-24T13:20:00.000Z' })));`;

  test('writes a test that passes in an empty project, and fails once the recorded condition is changed', async () => {
    const printed = await run(process.execPath, ['--input-type=module', '--eval', RECORDS]);
    const { name, test: text, recording } = JSON.parse(printed) as { name: string; test: string; recording: string };
    expect(name).toBe('count-rows-2026-11-24T13-20-00');
    expect(recording + text).not.toContain('hunter2');
    const folder = join(project, 'copied');
    await mkdir(folder);
    await writeFile(join(folder, `${name}.test.ts`), text);
    const file = join(folder, `${name}.run.json`);
    await writeFile(file, recording);
    expect(await packed.test('copied')).toMatch(/Tests.* 1 passed/);
    await writeFile(file, recording.replace('rows.length > 2', 'rows.length > 3'));
    await expect(packed.test('copied')).rejects.toThrow(/diverged/);
  });
});

test('the local platform serves the script that @platform-devtools/oauth2 contains', async () => {
  const served = await createBundles()('platform-oauth2:0.1.js');
  const packed = await readFile(
    join(project, 'node_modules/@platform-devtools/oauth2/dist/platform-oauth2.js'),
    'utf8',
  );
  expect(served?.text.replace(/\/\/# sourceMappingURL=.*\n$/, '')).toBe(packed);
});

/** Bundles a module of the repository as an app would. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    write: false,
    logLevel: 'error',
    format: 'esm',
  });
  return outputFiles[0]!.text;
}

describe('a bundle', () => {
  test.each(LIBRARIES)('of an import of %s without names is empty', async (name) =>
    expect(await bundle(`import './lib/${name}/index.ts'`)).toBe(''),
  );
  test('has only what it uses of oauth2', async () => {
    const errors = await bundle("export { OAuth2Error } from './lib/oauth2/index.ts'");
    expect(errors).toContain('OAuth2Error');
    expect(errors).not.toContain('createOAuth2');
  });
  test('has only what it uses of pipeline', async () => {
    const conditions = await bundle("export { compileCondition } from './lib/pipeline/index.ts'");
    expect(conditions).toContain('compileCondition');
    expect(conditions).not.toContain('LOOP_SOURCE');
  });
  test('keeps the global script of oauth2', async () =>
    expect(await bundle("import './lib/oauth2/script.ts'")).toContain('platform.OAuth2 = oauth2'));
});

/** The package of an import, such as `@a/b` of `@a/b/c`. */
const packageOf = (path: string): string => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

/** Reads the expected output from the comments after `console.log`. */
function expectedOutput(source: string): string {
  return [...source.matchAll(/console\.log\(.*\)[;,] \/\/ (.*)$/gm)].map(([, printed]) => `${printed}\n`).join('');
}
