/**
 * Packs the libraries, installs them in an empty folder, and imports them as their users do. What the package of the
 * command line imports is checked in its sources.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBundles } from '../../../lib/local-platform/http/bundles.ts';
import {
  expectDeclaredImports,
  expectExamplesPrint,
  expectNoGlobal,
  expectOnlyBuild,
  installedIn,
  LIBRARIES,
  writeExamples,
} from '../../support/packed-packages.ts';
import { type PackedProject, packedProject } from '../../support/packed-project.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

let packed: PackedProject;
beforeAll(async () => {
  packed = await packedProject(LIBRARIES);
}, 300_000);
afterAll(() => packed?.remove());

describe.each(LIBRARIES)('the package of lib/%s', (name) => {
  test('contains only its build, README, and license', () => expectOnlyBuild(packed, name));
  test('imports only packages that it depends on', () =>
    expectDeclaredImports(installedIn(packed, name), name, 'dist/**/*.js'));
  test('can be imported under Node, without a window, and defines no global', () => expectNoGlobal(packed, name));
});

// `tests/exhaustive/unit/packages/packages.test.ts` runs those of all packages.
test('the package of lib/pipeline has README examples that print what they say', async () =>
  expectExamplesPrint(packed, 'pipeline', await writeExamples(packed, 'pipeline'), 'ts'));

test('the sources of the command line import only packages that its package depends on', () =>
  expectDeclaredImports(resolve(ROOT, 'lib/cli'), 'cli', '{bin,index}.ts'));

test('the local platform serves the script that @platform-devtools/oauth2 contains', async () => {
  const served = await createBundles()('platform-oauth2:0.1.js');
  const script = await readFile(installedIn(packed, 'oauth2', 'dist/platform-oauth2.js'), 'utf8');
  expect(served?.text.replace(/\/\/# sourceMappingURL=.*\n$/, '')).toBe(script);
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
