/**
 * Checks the sources of the published packages: what they import, and that apps can bundle a part of them.
 * `tests/exhaustive/unit/packages/packages.test.ts` builds, packs, and installs them, and imports them as their users do.
 */
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { expectDeclaredImports, LIBRARIES } from '../../support/packed-packages.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

test.each([...LIBRARIES.map((name) => [name, '*.ts'] as const), ['cli', '{bin,index}.ts'] as const])(
  'the sources of lib/%s import only packages that its package depends on',
  (name, pattern) => expectDeclaredImports(resolve(ROOT, 'lib', name), name, pattern),
);

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
