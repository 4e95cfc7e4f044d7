/** Packs all published packages, installs them in an empty folder, and checks them with the tools of their users. */
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBundles } from '../../../../lib/local-platform/http/bundles.ts';
import {
  expectDeclaredImports,
  expectExamplesPrint,
  expectNoGlobal,
  expectOnlyBuild,
  installedIn,
  PACKAGES,
  writeExamples,
} from '../../../support/packed-packages.ts';
import { type PackedProject, packedProject } from '../../../support/packed-project.ts';

let packed: PackedProject;
/** What the README of a package shows. */
const examples = new Map<string, string[]>();

const run: PackedProject['run'] = (command, args) => packed.run(command, args);

beforeAll(async () => {
  packed = await packedProject(PACKAGES);
  for (const name of PACKAGES) examples.set(name, await writeExamples(packed, name));
  const consumers = join(import.meta.dirname, 'consumers');
  for (const name of await readdir(consumers))
    await copyFile(join(consumers, name), join(packed.folder, `types-${name}`));
}, 300_000);
afterAll(() => packed?.remove());

test('README examples and uses of the types compile strictly, together with the declarations of the packages', async () => {
  const target = { target: 'es2022', lib: ['es2023', 'dom'], module: 'nodenext', types: [] };
  const compilerOptions = { ...target, strict: true, skipLibCheck: false };
  await writeFile(join(packed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  expect(await run('tsc', ['--project', '.'])).toBe('');
}, 120_000);

// Concurrent: each test waits for its own process.
describe.concurrent.each(PACKAGES)('the package of lib/%s', { timeout: 120_000 }, (name) => {
  test('contains only its build, README, and license', () => expectOnlyBuild(packed, name));
  test('imports only packages that it depends on', () =>
    expectDeclaredImports(installedIn(packed, name), name, 'dist/**/*.js'));
  test('satisfies publint', async () => {
    expect(await run('publint', ['run', installedIn(packed, name), '--strict', '--pack', 'false'])).toContain(
      'All good!',
    );
  });
  test('has types that resolve for every consumer of ES modules', async () => {
    const options = ['--profile', 'esm-only', '--format', 'ascii', '--no-emoji'];
    const printed = await run('attw', [packed.tarballs.get(name)!, ...options]);
    expect(printed).toContain('node16 (from ESM): OK (ESM)');
    expect(printed).toContain('bundler: OK');
  });
  test('can be imported under Node, without a window, and defines no global', () => expectNoGlobal(packed, name));
  test('has README examples that print what they say', () =>
    expectExamplesPrint(packed, name, examples.get(name)!, 'js'));
});

test('the local platform serves the script that @platform-devtools/oauth2 contains', async () => {
  const served = await createBundles()('platform-oauth2:0.1.js');
  const script = await readFile(installedIn(packed, 'oauth2', 'dist/platform-oauth2.js'), 'utf8');
  expect(served?.text.replace(/\/\/# sourceMappingURL=.*\n$/, '')).toBe(script);
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
    const folder = join(packed.folder, 'copied');
    await mkdir(folder);
    await writeFile(join(folder, `${name}.test.ts`), text);
    const file = join(folder, `${name}.run.json`);
    await writeFile(file, recording);
    expect(await packed.test('copied')).toMatch(/Tests.* 1 passed/);
    await writeFile(file, recording.replace('rows.length > 2', 'rows.length > 3'));
    await expect(packed.test('copied')).rejects.toThrow(/diverged/);
  });
});
