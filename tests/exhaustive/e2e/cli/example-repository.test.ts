/** The repository of an app as the docs show it: written to an empty folder with the packed packages, and run. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PackedProject, packedProject } from '../../../support/packed-project.ts';

const PAGE = resolve(import.meta.dirname, '../../../../assets/docs/example-repository.md');

let project: PackedProject;
const files = new Map<string, string>();
beforeAll(async () => {
  const page = await readFile(PAGE, 'utf8');
  for (const [, path, text] of page.matchAll(/^`([\w./-]+)`\n\n```\w+\n(.*?)^```$/gms)) files.set(path!, text!);
  project = await packedProject(['pipeline', 'cli']);
  for (const [path, text] of files) {
    await mkdir(dirname(join(project.folder, path)), { recursive: true });
    await writeFile(join(project.folder, path), text);
  }
}, 300_000);
afterAll(() => project?.remove());

const run = (...command: string[]): Promise<string> =>
  project.run('env', [`PLATFORM_DEVTOOLS_HOME=${join(project.folder, 'home')}`, ...command]);

test('the docs have every file of their table', () => {
  expect([...files.keys()]).toEqual([
    'package.json',
    'platform-devtools.json',
    '.gitignore',
    'actions/greet-visitor.json',
    'recordings/returning.run.json',
    'tests/recordings.test.ts',
    'tests/actions.node.ts',
    'ci.sh',
    '.github/workflows/ci.yml',
  ]);
});

test('CI starts a platform, pushes, runs in the browser, replays, tests, migrates, and publishes', async () => {
  const printed = await run('sh', 'ci.sh');
  const inOrder = [
    'create  greet-visitor  and publish\nPushed 1 change.',
    'No differences.',
    'Result: "Welcome back, Ada"',
    'same  build/latest.run.json',
    'same  recordings/returning.run.json',
    'recordings.test.ts',
    'a returning visitor is welcomed back',
    'Nothing was changed on the platform.',
    'Published version',
  ];
  const places = inOrder.map((text) => printed.indexOf(text));
  expect([printed, ...places]).toEqual([printed, ...places.toSorted((one, other) => one - other)]);
  expect(places).not.toContain(-1);
  expect(await readFile(join(project.folder, 'build/v3/greet-visitor/action.v3.js'), 'utf8')).toContain('execute');
}, 180_000);

test('a changed condition that takes another branch fails CI’s tests', async () => {
  const path = join(project.folder, 'actions/greet-visitor.json');
  await writeFile(path, files.get('actions/greet-visitor.json')!.replace('visits > 1', 'visits > 2'));
  await expect(run('npm', 'test')).rejects.toThrow('a returning visitor is welcomed back');
}, 60_000);
