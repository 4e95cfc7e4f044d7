/** The commands `actions pull`, `push`, and `diff` on a real platform. */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCli, type CliOptions, type Ran } from '../support/run-cli.ts';
import { start, startForTest, temporaryFolder, type TestPlatform } from './support/platform.ts';
import { startFaultyPlatform } from '../support/servers/faulty-platform.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ data: 'memory', oauthDemoPort: null });
});
afterAll(() => platform.close());

/** An app with two actions, and an empty project for it. */
let project: string;
let names: [string, string];
let count = 0;
beforeEach(async () => {
  project = await projectFolder();
  names = [`first-${++count}`, `second-${count}`];
  for (const name of names) await create(name);
});

const APP = 102;
const path = `/v1/apps/${APP}/actions`;
const create = async (name: string, fields: object = {}): Promise<Listed> =>
  (await platform.ask<{ action: Listed }>(path, { body: { name, functions: STEPS, ...fields } })).body.action;
const STEPS = [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'Hello' } }];

interface Listed {
  id: number;
  name: string;
  active: boolean;
  revision: number;
  published: object | null;
}
const listed = async (): Promise<Listed[]> => (await platform.ask<{ actions: Listed[] }>(path)).body.actions;
const action = async (name: string): Promise<Listed> => (await listed()).find((each) => each.name === name)!;
const change = async (name: string, fields: object): Promise<void> => {
  const { id } = await action(name);
  const { status } = await platform.ask(`${path}/${id}?by=id`, { method: 'PUT', body: fields });
  expect(status).toBe(200);
};

async function projectFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'platform-devtools.json'), JSON.stringify({ app: APP }));
  return folder;
}

const cli = (args: string[], { env, ...options }: CliOptions = {}): Promise<Ran> =>
  runCli(['actions', ...args], {
    cwd: project,
    env: { PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: platform.authToken, ...env },
    ...options,
  });
const file = (name: string): string => join(project, 'actions', `${name}.json`);
const edit = async (name: string, from: string, to: string): Promise<void> => {
  const text = await readFile(file(name), 'utf8');
  expect(text).toContain(from);
  await writeFile(file(name), text.replace(from, to));
};
const json = ({ out }: Ran): Record<string, unknown> => JSON.parse(out) as Record<string, unknown>;

describe('pull', () => {
  it('leaves out what no command could read afterwards: hostile names, and a name that two actions have', async () => {
    const hostile = ['../../x', 'x'.repeat(5_000), 'CON ', 'a.', 'nul\0', '🙂', 'twice', 'twice', 'CON', 'con'];
    const proxy = await startFaultyPlatform(platform.baseUrl);
    onTestFinished(() => proxy.close());
    const { actions } = (await platform.ask<{ actions: object[] }>(`/v1/apps/${APP}/actions`)).body;
    proxy.given = ({ method, path }) =>
      method === 'GET' && /\/actions(\?|$)/.test(path)
        ? { actions: hostile.map((name, index) => ({ ...actions[0], id: 9_000 + index, name })) }
        : undefined;
    const env = { PLATFORM_URL: proxy.baseUrl };
    const { out, code } = await cli(['pull', '--json'], { env });
    const results = (JSON.parse(out) as { actions: { name: string; result: string }[] }).actions;
    expect(code).toBe(0);
    expect(results.filter(({ result }) => result === 'added').map(({ name }) => name)).toEqual(['twice', 'CON', 'con']);
    expect(results.filter(({ result }) => result === 'unusable')).toHaveLength(7);
    expect((await cli(['diff', 'CON', 'con'], { env })).code).toBe(0);
    expect((await cli(['pull'], { env })).code).toBe(0);
  });

  it('writes all actions, and nothing the second time', async () => {
    const first = json(await cli(['pull', '--json']));
    expect(first.actions).toEqual(
      (await listed()).map(({ name }) => ({ name, file: `${name}.json`, result: 'added' })),
    );
    expect(JSON.parse(await readFile(file(names[0]), 'utf8'))).toMatchObject({ name: names[0], functions: STEPS });
    const state = await readFile(join(project, 'actions/.platform.local.json'), 'utf8');
    const second = await cli(['pull']);
    expect(second).toEqual({ code: 0, out: `${(await listed()).length} unchanged in ${project}/actions\n`, error: '' });
    expect(await readFile(join(project, 'actions/.platform.local.json'), 'utf8')).toBe(state);
  });

  it('writes what has changed on the platform, and keeps a file with edits whose action hasn’t', async () => {
    await cli(['pull', ...names]);
    await change(names[0], { active: false });
    await edit(names[1], '"active": true', '"active": false');
    const pulled = json(await cli(['pull', ...names, '--json']));
    expect(pulled.actions).toMatchObject([{ result: 'updated' }, { result: 'edited' }]);
    expect(await readFile(file(names[0]), 'utf8')).toContain('"active": false');
    expect(await readFile(file(names[1]), 'utf8')).toContain('"active": false');
  });

  it('names each file whose edits would be lost, writes nothing, and overwrites them with --force', async () => {
    await cli(['pull', ...names]);
    for (const name of names) {
      await change(name, { active: false });
      await edit(name, 'Hello', 'Goodbye');
    }
    const refused = await cli(['pull', ...names]);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.error).toContain('2 files have edits that would be lost. Nothing was written.');
    for (const name of names) {
      expect(refused.error).toContain(`  ${name}.json: The file and the action on the platform have both changed.`);
      expect(await readFile(file(name), 'utf8')).toContain('Goodbye');
    }
    expect((await cli(['pull', ...names, '--force'])).code).toBe(0);
    for (const name of names) expect(await readFile(file(name), 'utf8')).not.toContain('Goodbye');
  });

  it('removes files of removed actions with --prune only, and never one that was not pushed', async () => {
    await cli(['pull', ...names]);
    await writeFile(file('new'), '{"name": "new"}');
    const { id } = await action(names[0]);
    await platform.ask(`${path}/${id}`, { method: 'DELETE' });
    expect((await cli(['pull'])).out).toContain(`only here  ${names[0]}`);
    await edit(names[0], 'Hello', 'Goodbye');
    expect((await cli(['pull', '--prune'])).code).toBe(1);
    await edit(names[0], 'Goodbye', 'Hello');
    expect((await cli(['pull', '--prune'])).out).toMatch(new RegExp(`removed +${names[0]}`));
    const files = await readdir(join(project, 'actions'));
    expect(files).toContain('new.json');
    expect(files).not.toContain(`${names[0]}.json`);
  });

  it('overwrites a file that isn’t JSON with --force only', async () => {
    await cli(['pull', names[0]]);
    await writeFile(file(names[0]), '<<<<<<< HEAD');
    const refused = await cli(['pull', names[0]]);
    expect(refused.error).toContain(`  ${names[0]}.json: Line 1, column 1 isn’t JSON.`);
    expect((await cli(['pull', names[0], '--force'])).code).toBe(0);
    expect(await readFile(file(names[0]), 'utf8')).toContain('Hello');
  });
});

describe('push', () => {
  it('creates, updates, and leaves alone; and a second push has nothing to do', async () => {
    await cli(['pull', ...names]);
    await edit(names[0], '"active": true', '"active": false');
    await writeFile(file('mine'), `\uFEFF{\r\n  "name": "mine-${count}"\r\n}\r\n`);
    const dry = await cli(['push', '--dry-run']);
    expect(dry.out).toMatch(new RegExp(`^update +${names[0]}\ncreate +mine-${count}\n1 unchanged\n$`));
    expect((await action(names[0])).active).toBe(true);
    const pushed = await cli(['push', '--json']);
    expect(pushed.code).toBe(0);
    expect(json(pushed).actions).toMatchObject([
      { name: names[0], change: 'update', published: false, state: 'done', revision: 2 },
      { name: `mine-${count}`, file: 'mine.json', change: 'create', state: 'done', revision: 1 },
      { name: names[1], change: 'none' },
    ]);
    expect((await action(names[0])).active).toBe(false);
    expect((await cli(['push'])).out).toBe('3 unchanged\n');
    expect((await action(names[0])).revision).toBe(2);
  });

  it('publishes with --publish, also what was pushed before', async () => {
    await cli(['pull', names[0]]);
    await edit(names[0], 'Hello', 'Goodbye');
    await cli(['push']);
    expect((await action(names[0])).published).toBe(null);
    expect((await cli(['push', '--publish'])).out).toContain(`publish  ${names[0]}`);
    expect(JSON.stringify((await action(names[0])).published)).toContain('Goodbye');
    expect((await cli(['push', '--publish'])).out).toBe('1 unchanged\n');
  });

  it('sends nothing when one action has changed on the platform, and says when', async () => {
    await cli(['pull', ...names]);
    for (const name of names) await edit(name, 'Hello', 'Goodbye');
    await change(names[1], { active: false });
    const refused = await cli(['push']);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('an action conflicts with the platform’s. Nothing was sent.');
    expect(refused.error).toMatch(
      new RegExp(`  ${names[1]}: Changed on the platform( by \\S+)? \\(revision 2, 20\\d\\d-`),
    );
    expect((await action(names[0])).revision).toBe(1);
    const dry = await cli(['push', '--dry-run', '--json']);
    expect(dry.code).toBe(2);
    expect(json(dry).actions).toContainEqual(expect.objectContaining({ name: names[1], change: 'conflict' }));
    expect((await cli(['push', '--force'])).code).toBe(0);
    expect(await action(names[1])).toMatchObject({ active: true, revision: 3 });
  });

  it('doesn’t overwrite a change that is made between its plan and its request', async () => {
    const proxy = await startFaultyPlatform(platform.baseUrl);
    let isChanged = false;
    proxy.gate = async (moment, { method }) => {
      if (moment !== 'received' || method !== 'PUT' || isChanged) return;
      isChanged = true;
      await change(names[0], { active: false });
    };
    const env = { PLATFORM_URL: proxy.baseUrl };
    await cli(['pull', ...names], { env });
    for (const name of names) await edit(name, 'Hello', 'Goodbye');
    const refused = await cli(['push'], { env });
    expect(refused.code).toBe(1);
    expect(refused.error).toContain('(CONFLICT)');
    expect(refused.out).toMatch(
      new RegExp(`Pushed 0 of 2 changes.\nnot pushed +${names[0]}\nnot pushed +${names[1]}\n$`),
    );
    expect(JSON.stringify(await action(names[0]))).not.toContain('Goodbye');
    await proxy.close();
  });

  it('removes an action whose file was removed with --prune only, unless it has changed', async () => {
    await cli(['pull', ...names]);
    for (const name of names) await rm(file(name));
    await cli(['push']);
    expect(await action(names[0])).toBeDefined();
    await change(names[1], { active: false });
    expect((await cli(['push', '--prune'])).error).toContain('The file was removed, and the platform’s action was');
    expect(await action(names[0])).toBeDefined();
    expect((await cli(['push', '--prune', names[0]])).code).toBe(0);
    expect(await action(names[0])).toBeUndefined();
    expect(await action(names[1])).toBeDefined();
  });

  it('doesn’t take a proxy’s 404 for a removed action', async () => {
    await cli(['pull', ...names]);
    await rm(file(names[0]));
    const proxy = createServer((request, response) => {
      if (request.method === 'DELETE') return void response.writeHead(404).end('<html>');
      const headers = { 'Auth-token': platform.authToken };
      void fetch(platform.baseUrl + request.url!, { headers })
        .then((answer) => answer.text())
        .then((text) => response.setHeader('Content-Type', 'application/json').end(text));
    }).listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const env = { PLATFORM_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    const args = ['push', '--prune', '--force', names[0]];
    await cli(['pull', names[0]], { env });
    await rm(file(names[0]));
    expect((await cli(args, { env })).code).not.toBe(0);
    expect(await action(names[0])).toBeDefined();
    proxy.close();
  });

  it('renames an action when the name in its file changes, and knows it when its file is renamed', async () => {
    await cli(['pull', ...names]);
    const { id } = await action(names[0]);
    await edit(names[0], names[0], `renamed-${count}`);
    expect((await cli(['push'])).code).toBe(0);
    expect((await action(`renamed-${count}`)).id).toBe(id);
    await rename(file(names[0]), file(`renamed-${count}`));
    await edit(`renamed-${count}`, 'Hello', 'Goodbye');
    expect((await cli(['push'])).out).toMatch(/^update /);
    const state = await readFile(join(project, 'actions/.platform.local.json'), 'utf8');
    expect(state).not.toContain(`"${names[0]}.json"`);
  });

  it('lets another clone push, once its files and the state are there', async () => {
    await cli(['pull', names[0]]);
    const clone = await projectFolder();
    await mkdir(join(clone, 'actions'));
    for (const name of await readdir(join(project, 'actions')))
      await writeFile(join(clone, 'actions', name), await readFile(join(project, 'actions', name)));
    project = clone;
    await edit(names[0], 'Hello', 'Goodbye');
    expect((await cli(['push'])).out).toContain('Pushed 1 change.');
  });

  it.each([
    ['{"name": "a",}', 'a.json: Line 1, column 14 isn’t JSON.'],
    ['{"name": "a b"}', 'a.json/name: name must be 1 to 255 letters'],
    ['{"name": "a", "functions": [{"functionPackage": "com.example.missing"}]}', 'a.json/functions/0: '],
  ])('sends nothing when a file is %s', async (text, problem) => {
    await cli(['pull', names[0]]);
    await edit(names[0], 'Hello', 'Goodbye');
    await writeFile(file('a'), text);
    const refused = await cli(['push']);
    expect(refused.code).toBe(1);
    expect(refused.error).toContain(problem);
    expect((await action(names[0])).revision).toBe(1);
  });

  it('asks for --yes in a production environment without a terminal', async () => {
    const home = await temporaryFolder();
    const env = { PLATFORM_DEVTOOLS_HOME: home, PLATFORM_URL: '' };
    const config = { environments: { live: { url: platform.baseUrl, production: true } } };
    await writeFile(join(home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    await cli(['pull', names[0]], { env });
    await edit(names[0], 'Hello', 'Goodbye');
    const refused = await cli(['push'], { env });
    expect(refused).toMatchObject({ code: 64, out: expect.stringContaining('update') });
    expect(refused.error).toContain('(CONFIRMATION_NEEDED)');
    expect((await action(names[0])).revision).toBe(1);
    expect((await cli(['push', '--yes'], { env })).code).toBe(0);
    expect((await cli(['push'], { env })).code).toBe(0);
  });

  it('names what is damaged in the state, and finds equal actions again without it', async () => {
    await cli(['pull', names[0]]);
    const state = join(project, 'actions/.platform.local.json');
    await writeFile(state, '<<<<<<< HEAD');
    expect(await cli(['push'])).toMatchObject({ code: 78, error: expect.stringContaining('(SYNC_STATE_INVALID)') });
    await rm(state);
    expect((await cli(['push'])).out).toBe('1 unchanged\n');
    await edit(names[0], 'Hello', 'Goodbye');
    expect((await cli(['push'])).code).toBe(0);
  });
});

describe('diff', () => {
  it('shows what a push would change, with exit code 2', async () => {
    await cli(['pull', names[0]]);
    expect(await cli(['diff', names[0]])).toEqual({ code: 0, out: 'No differences.\n', error: '' });
    await edit(names[0], 'Hello', 'Goodbye\\u001b[31m');
    const { code, out } = await cli(['diff', names[0]]);
    expect(code).toBe(2);
    expect(out).toContain(`--- platform/${names[0]}\n+++ files/${names[0]}.json\n@@`);
    expect(out).toContain('\n-        "message": "Hello"\n+        "message": "Goodbye\\u001b[31m"\n');
    const colored = await cli(['diff', names[0]], { isTerminal: { out: true } });
    expect(colored.out).toContain('\u001b[31m-        "message": "Hello"\u001b[39m\n');
  });

  it('lists what only one side has', async () => {
    await cli(['pull', names[0]]);
    await writeFile(file('mine'), '{"name": "mine"}');
    const { code, out } = await cli(['diff', 'mine', names[1], '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toEqual({
      differences: [
        {
          name: 'mine',
          file: 'mine.json',
          state: 'only here',
          changed: null,
          diff: expect.stringContaining('+++ files/mine.json'),
        },
        {
          name: names[1],
          file: null,
          state: 'only there',
          changed: null,
          diff: expect.stringContaining('+++ /dev/null'),
        },
      ],
    });
  });

  it('names an action that neither side has, and one that was probably meant', async () => {
    const { code, error } = await cli(['diff', names[0].replace('first', 'firts')]);
    expect(code).toBe(1);
    expect(error).toContain(`Did you mean “${names[0]}”?`);
  });
});

it.each(['pull', 'push', 'diff'])('%s says that a platform doesn’t list its actions', async (command) => {
  const specOnly = await startForTest({ data: 'memory', oauthDemoPort: null, specOnly: true });
  const env = { PLATFORM_URL: specOnly.baseUrl, PLATFORM_TOKEN: specOnly.authToken };
  const { code, error } = await cli([command], { env });
  expect(code).toBe(1);
  expect(error).toContain('(ACTIONS_NOT_LISTED)');
});
