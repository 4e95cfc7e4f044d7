/** Tests the user's own function packages: `--functions DIR`. */
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Action, FunctionDescriptor, LogList } from '../../lib/platform-api/index.ts';
import { openPage, step } from './support/page.ts';
import { start, temporaryFolder, type TestPlatform } from './support/platform.ts';
import { responseIn, talk } from './support/socket.ts';

let functions: string;
let platform: TestPlatform;
beforeAll(async () => {
  functions = await mkdtemp(join(tmpdir(), 'user-functions-'));
  platform = await start({ functions });
});
afterAll(async () => {
  await platform?.close();
  await rm(functions, { recursive: true, force: true });
});
afterEach(async () => {
  for (const name of await readdir(functions)) await rm(join(functions, name), { recursive: true });
});

const listed = async (): Promise<FunctionDescriptor[]> =>
  (await platform.ask<{ functions: FunctionDescriptor[] }>('/v1/functions')).body.functions;

const DOUBLE = `/**
 * Double: doubles a number.
 *
 * Settings: n
 */
Platform.Functions.register('com.acme.function.double', (settings) => settings.n * 2);
`;

it('serves every .js file of the folder as a package that pipelines can use', async () => {
  await writeFile(join(functions, 'double.js'), DOUBLE);
  expect(await listed()).toContainEqual({
    id: expect.any(Number),
    name: 'Double',
    package: 'com.acme.function.double',
    description: 'doubles a number.',
  });
  expect((await platform.ask('/v1/functions/com.acme.function.double.js', { token: null })).text).toBe(DOUBLE);
  const page = await openPage(platform);
  expect((await page.run([{ functionPackage: 'com.acme.function.double', settings: { n: 21 } }])).result).toBe(42);
});

it('reads a file again after a change, and removes the package of a deleted file', async () => {
  const file = join(functions, 'double.js');
  await writeFile(file, DOUBLE);
  await listed();
  await writeFile(file, DOUBLE.replace('* 2', '* 2000'));
  expect((await platform.ask('/v1/functions/com.acme.function.double.js')).text).toContain('* 2000');
  await rm(file);
  expect((await platform.ask('/v1/functions/com.acme.function.double.js')).status).toBe(404);
  expect((await listed()).map((each) => each.package)).not.toContain('com.acme.function.double');
});

it('names a package after its file when the script has no name', async () => {
  await writeFile(
    join(functions, 'com.acme.plain.js'),
    'const name = "com.acme.plain";\nPlatform.Functions.register(name, () => "plain");\n',
  );
  expect(await listed()).toContainEqual({
    id: expect.any(Number),
    name: 'com.acme.plain',
    package: 'com.acme.plain',
    description: '',
  });
  const page = await openPage(platform);
  expect((await page.run([{ functionPackage: 'com.acme.plain' }])).result).toBe('plain');
});

it('overrides the platform’s package of the same name', async () => {
  await writeFile(
    join(functions, 'mine.js'),
    "Platform.Functions.register('com.platform.function.return-string', () => 'mine');\n",
  );
  const page = await openPage(platform);
  expect((await page.run([step('return-string', { message: 'theirs' })])).result).toBe('mine');
});

it('ignores a script that can’t be parsed, and serves the others', async () => {
  await writeFile(join(functions, 'broken.js'), 'Platform.Functions.register(');
  expect((await platform.ask('/v1/functions/broken.js')).text).toBe('Platform.Functions.register(');
  expect((await platform.ask('/v1/apps/101/tasks/1004/compile?html')).text).toContain('/v1/functions/broken.js');
});

it('serves only .js files of that folder', async () => {
  await writeFile(join(functions, 'secret.txt'), 'secret');
  await writeFile(join(functions, '.hidden.js'), 'secret');
  await mkdir(join(functions, 'folder.js'));
  await symlink('/no/such/file', join(functions, 'gone.js'));
  for (const name of [
    'secret.txt',
    '.hidden.js',
    'folder.js',
    'gone.js',
    '..%2f..%2fpackage.json',
    '%2e%2e/%2e%2e/package.json',
    '..%5c..%5cpackage.json',
    'secret.txt%00.js',
    '__proto__.js',
    'constructor.js',
  ]) {
    const { status, text } = await platform.ask(`/v1/functions/${name}`);
    expect([name, status, text.includes('secret"')]).toEqual([name, 404, false]);
  }
});

it('follows no link out of the folder, neither to a file nor to system information', async () => {
  const elsewhere = await temporaryFolder();
  await writeFile(join(elsewhere, 'key.js'), '/** a private key */');
  await writeFile(join(functions, 'own.js'), '/** its own */');
  await symlink(join(elsewhere, 'key.js'), join(functions, 'key.js'));
  await symlink(join(functions, 'own.js'), join(functions, 'alias.js'));
  await symlink('/proc/self/environ', join(functions, 'environ.js'));
  await symlink('/dev/zero', join(functions, 'endless.js'));
  await symlink(elsewhere, join(functions, 'folder'));
  const statuses = await Promise.all(
    ['own', 'alias', 'key', 'environ', 'endless', 'folder', 'folder%2fkey', 'folder/key'].map(async (name) => [
      name,
      (await platform.ask(`/v1/functions/${name}.js`)).status,
    ]),
  );
  expect(statuses).toEqual([
    ['own', 200],
    ['alias', 200],
    ['key', 404],
    ['environ', 404],
    ['endless', 404],
    ['folder', 404],
    ['folder%2fkey', 404],
    ['folder/key', 404],
  ]);
  expect((await platform.ask('/v1/apps/101/tasks/1004/compile?html')).text).not.toMatch(/(key|environ|endless)\.js/);
});

it('serves no path outside of the folder', async () => {
  const names = [
    '../../../package.json',
    '..%2f..%2f..%2fpackage.json',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '%252e%252e%252fpackage.json',
    '..%5c..%5cpackage.json',
    '..\\..\\package.json',
    '....//package.json',
    '%00.js',
    'x%00.js',
    'page.css%00.js',
    '/etc/passwd',
    '%2fetc%2fpasswd',
    'file:%2f%2f%2fetc%2fpasswd',
    'C:%5cwindows%5cwin.ini',
    'CON.js',
    'nul.js',
    'COM1',
    'page.css::$DATA',
    'page.css.',
    'page.css%20',
    'PAGE.CSS',
    'child.cjs',
    'index.ts',
    '__proto__',
    'constructor',
    'toString',
    '%c0%ae%c0%ae%c0%afpackage.json',
    'x'.repeat(5_000),
  ];
  for (const [route, name] of ['functions', 'packages'].flatMap((place) =>
    names.map((name) => [place, name] as const),
  )) {
    const response = responseIn(
      await talk(
        platform.baseUrl.replace('localhost', '127.0.0.1'),
        `GET /v1/${route}/${name} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      ),
    );
    expect({ route, name, status: response.status }).toEqual({ route, name, status: expect.toBeOneOf([400, 404]) });
    expect(response.body).toMatch(/^\{"error":"(NOT_FOUND|MALFORMED)"/);
  }
});

it('writes console output of a function on the server to the run’s log record, up to a limit', async () => {
  await writeFile(
    join(functions, 'com.acme.talks.js'),
    "Platform.Functions.register('com.acme.talks', (settings) => { for (let n = 0; n < settings.lines; n += 1) console.warn(n, 'x'.repeat(settings.length)); });\n",
  );
  const consoleOf = async (settings: object): Promise<unknown> => {
    const { body } = await platform.ask<{ action: Action }>('/v1/apps/101/actions', {
      body: {
        name: `talks-${JSON.stringify(settings).length}`,
        functions: [{ functionPackage: 'com.acme.talks', settings }],
      },
    });
    expect((await platform.ask(`/v1/apps/101/actions/${body.action.id}/run-with-result`, { body: {} })).status).toBe(
      200,
    );
    return (await platform.ask<LogList>(`/v1/apps/101/logs?id=${body.action.id}`)).body.logs[0]!.data!.console;
  };
  expect(await consoleOf({ lines: 2, length: 3 })).toEqual(['warn: 0 xxx', 'warn: 1 xxx']);
  expect(await consoleOf({ lines: 0, length: 30 })).toBeUndefined();
  const many = (await consoleOf({ lines: 10_000, length: 990 })) as string[];
  expect([many.length, many.at(-1), many.join('').length < 11_000]).toEqual([11, 'The rest was omitted.', true]);
});
