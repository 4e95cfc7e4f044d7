/** The arguments of the command: what they mean, and how mistakes are named. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CliContext, type GlobalOptions } from '../../../../lib/cli/command/context.ts';
import { Tokens } from '../../../../lib/cli/command/output.ts';
import { type MigrateFlags, readMigrateOptions } from '../../../../lib/cli/migrate/arguments.ts';
import type { MigrateOptions } from '../../../../lib/cli/migrate/types.ts';
import { testHost } from '../../../support/run-cli.ts';

const ENV = { PLATFORM_TOKEN: 'secret', PLATFORM_ENV: 'local' };

const read = (
  flags: MigrateFlags,
  options: GlobalOptions = {},
  env: NodeJS.ProcessEnv = ENV,
): Promise<MigrateOptions> => readMigrateOptions(flags, new CliContext(testHost({ env }), options));

test('an app is read from the local platform, with the token of the environment', async () => {
  expect(await read({ app: '101' })).toEqual({
    from: {
      connection: expect.objectContaining({ baseUrl: 'http://localhost:4400', token: 'secret' }),
      appId: 101,
      names: [],
    },
    sources: new Map(),
    recordings: null,
    out: { path: expect.stringMatching(/migrated$/), within: expect.any(String) },
    force: false,
    prove: false,
    effects: false,
    signal: expect.any(AbortSignal),
    tokens: expect.any(Tokens),
  });
});

test('the token of a file is used instead of that of the environment', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'token-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'token'), 'of-the-file\n');
  const options = { tokenFile: join(folder, 'token'), url: 'https://p.example/v1/' };
  expect(await read({ app: '1' }, options, { PLATFORM_TOKEN: 'secret' })).toMatchObject({
    from: { connection: { baseUrl: 'https://p.example', token: 'of-the-file' } },
  });
});

test('files need no token', async () => {
  expect(await read({ actionFile: ['a.json', 'b.json'], source: ['p.q=x=y.js'] }, {}, {})).toMatchObject({
    from: { files: ['a.json', 'b.json'] },
    sources: new Map([['p.q', 'x=y.js']]),
  });
});

test.each<[MigrateFlags, string]>([
  [{ app: '1e3' }, '--app must be an ID such as 101, not “1e3”.'],
  [{ app: '1', out: '' }, '--out must not be empty.'],
  [{ actionFile: ['a.json'], action: ['a'] }, '--action can’t be used with --action-file.'],
  [
    { actionFile: ['a.json'], source: ['x.js'] },
    '--source must be a package and its file, such as com.acme.function.double=double.js.',
  ],
])('%j is a mistake', async (flags, message) => {
  await expect(read(flags)).rejects.toMatchObject({ value: { code: 'ARGUMENT_INVALID', message } });
});

test('an app or a file is required', async () => expect(read({})).rejects.toMatchObject({ value: { code: 'NO_APP' } }));

test.each([undefined, '', 'two words', 'ünicode'])('%j isn’t a token', async (PLATFORM_TOKEN) => {
  await expect(read({ app: '1' }, {}, { PLATFORM_TOKEN, PLATFORM_ENV: 'local' })).rejects.toMatchObject({
    value: { code: 'TOKEN_MISSING' },
  });
});
