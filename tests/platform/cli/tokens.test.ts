/** A token that the platform’s data has isn’t printed, and isn’t written to code, unless the user’s own file must have it. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCli, type Ran } from '../../support/run-cli.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { temporaryFolder } from '../support/platform.ts';

const TIME = '2026-01-01T00:00:00.000Z';
const TOKEN = 'abc-DEF_123456789';
const BASIC = Buffer.from(`user:${TOKEN}`).toString('base64');
const HIDDEN = 'a\u200b\u{e0041}\u00ad\u2028\u202e';
// eslint-disable-next-line no-control-regex
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202f\ufeff\u{e0000}-\u{e0fff}]/u;

const STEPS = [
  { functionPackage: 'com.platform.function.return-string', settings: { message: `Token ${TOKEN} ${HIDDEN}` } },
];
const ACTION = {
  id: 7,
  name: 'leaks',
  active: true,
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  functions: STEPS,
  createdAt: TIME,
  updatedAt: TIME,
  appId: 101,
  revision: 1,
};

let platform: FaultyPlatform;
let project: string;
beforeAll(async () => {
  platform = await startFaultyPlatform();
  platform.given = ({ path }) => {
    if (path.includes('/actions')) return { actions: [ACTION] };
    if (path.includes('/logs')) return { count: 1, logs: [log()] };
    if (path.includes('/data-sources')) return { dataSources: [] };
    return path.startsWith('/v1/apps') ? { apps: [] } : undefined;
  };
});
beforeEach(async () => {
  project = await temporaryFolder();
  await writeFile(join(project, 'platform-devtools.json'), '{"app": 101}');
});
afterAll(() => platform.close());

const log = (): object => ({
  id: 1,
  appId: 101,
  type: `test ${TOKEN}`,
  data: { header: `Basic ${BASIC}`, url: `https://example.com/?a=${encodeURIComponent(TOKEN)}`, hidden: HIDDEN },
  createdAt: TIME,
});

const cli = (args: string[]): Promise<Ran> =>
  runCli(args, { cwd: project, env: { PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: TOKEN } });

test.each([
  'logs',
  'logs --json',
  'actions get leaks',
  'actions get leaks --json',
  'actions diff',
  'actions diff --json',
])('%s masks it, also encoded, says so, and shows invisible characters as escapes', async (command) => {
  const args = command.split(' ');
  const { out, error } = await cli(args);
  expect(out).toContain('••••');
  expect(out).toContain(String.raw`a\u200b\udb40\udc41\u00ad\u2028\u202e`);
  expect(out + error).not.toMatch(new RegExp(`${TOKEN}|${BASIC.slice(0, 20)}`));
  expect(out + error).not.toMatch(INVISIBLE);
  expect(error).toBe('Warning: The output has a token, which is shown as ••••.\n');
  if (args.includes('--json')) expect(() => JSON.parse(out)).not.toThrow();
});

test('actions pull writes it as the platform has it, since a push would change it there, and says where it is', async () => {
  const { code, error } = await cli(['actions', 'pull']);
  expect([code, error]).toEqual([
    0,
    'Warning: leaks.json has a token at /functions/0/settings/message. Replace it on the platform before you commit the file.\n',
  ]);
  expect(await readFile(join(project, 'actions', 'leaks.json'), 'utf8')).toContain(TOKEN);
  expect((await cli(['actions', 'diff'])).out).toBe('No differences.\n');
  expect((await cli(['actions', 'pull'])).error).toBe('');
});

test('migrate writes no file with it, and says which step needs a person', async () => {
  const { code, out } = await cli(['migrate', '--app', '101']);
  expect([code, out]).toEqual([2, expect.stringContaining('leaks: /0: A token is written as •••• here. Replace it.')]);
  const files = await readdir(join(project, 'migrated', 'leaks'));
  expect(files).toHaveLength(3);
  for (const file of files) {
    const text = await readFile(join(project, 'migrated', 'leaks', file), 'utf8');
    expect(text).not.toContain(TOKEN);
    if (file.endsWith('.js')) expect(text).toContain('Token ••••');
  }
});
