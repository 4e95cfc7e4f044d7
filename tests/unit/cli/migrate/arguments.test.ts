/** The arguments of the command: what they mean, and how mistakes are named. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { HELP, readArguments } from '../../../../lib/cli/migrate/arguments.ts';

const ENV = { PLATFORM_TOKEN: 'secret' };

test('an app is read from the local platform, with the token of the environment', async () => {
  expect(await readArguments(['--app', '101'], ENV)).toEqual({
    from: { connection: { baseUrl: 'http://localhost:4400', token: 'secret' }, appId: 101, names: [] },
    sources: new Map(),
    recordings: null,
    out: 'migrated',
    force: false,
    prove: false,
    effects: false,
    json: false,
  });
});

test('the token of a file is used instead of that of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'token'), 'of-the-file\n');
  const args = ['--app', '1', '--token-file', join(folder, 'token'), '--url', 'https://p.example/v1/'];
  expect(await readArguments(args, ENV)).toMatchObject({
    from: { connection: { baseUrl: 'https://p.example', token: 'of-the-file' } },
  });
});

test('files need no token', async () => {
  const args = ['--action-file', 'a.json', '--action-file', 'b.json', '--source', 'p.q=x=y.js'];
  expect(await readArguments(args, {})).toMatchObject({
    from: { files: ['a.json', 'b.json'] },
    sources: new Map([['p.q', 'x=y.js']]),
  });
});

test.each([
  [[], 'Either --app or --action-file is required.'],
  [['--app', '1e3'], '--app must be an ID such as 101, not “1e3”.'],
  [['--app', '1', '--url', 'file:///etc'], '--url must be an http or https URL such as http://localhost:4400.'],
  [['--app', '1', '--token', 'x'], 'Unknown option “--token”.'],
  [['--app', '1', '--out', ''], '--out must not be empty.'],
  [['--action-file', 'a.json', '--action', 'a'], '--action can’t be used with --action-file.'],
  [
    ['--action-file', 'a.json', '--source', 'x.js'],
    '--source must be a package and its file, such as com.acme.function.double=double.js.',
  ],
])('%j is a mistake', async (args, message) => {
  await expect(readArguments(args, ENV)).rejects.toMatchObject({ value: { code: 'ARGUMENT_INVALID', message } });
});

test.each([undefined, '', 'two words', 'ünicode'])('%j isn’t a token', async (PLATFORM_TOKEN) => {
  await expect(readArguments(['--app', '1'], { PLATFORM_TOKEN })).rejects.toMatchObject({
    value: { code: 'TOKEN_MISSING' },
  });
});

test('the README explains each option and each exit code', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../../lib/cli/README.md'), 'utf8');
  const options = [...HELP.matchAll(/^ {2}(--[\w-]+)/gm)].map(([, option = '']) => option);
  const codes = [...HELP.matchAll(/^ {2}(\d+) {2}/gm)].map(([, code = '']) => code);
  expect([options.length > 8, codes.length]).toEqual([true, 7]);
  expect(options.filter((option) => !page.includes(`| \`${option}`))).toEqual([]);
  expect(codes.filter((code) => !page.includes(`| ${code} |`))).toEqual([]);
});
