/** Ends `actions push` in the middle: the same command continues, and sends nothing twice. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interruption } from '../../lib/cli/command/host.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { runCli } from '../support/run-cli.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../support/servers/faulty-platform.ts';
import { start, temporaryFolder, type TestPlatform } from './support/platform.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const APP = 102;
const path = `/v1/apps/${APP}/actions`;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ data: 'memory', oauthDemoPort: null });
});
afterAll(() => platform.close());

let proxy: FaultyPlatform;
let project: string;
let names: string[];
let count = 0;
/** Files: two with edits, and a new one. */
beforeEach(async () => {
  proxy = await startFaultyPlatform(platform.baseUrl);
  project = await temporaryFolder();
  await writeFile(join(project, 'platform-devtools.json'), JSON.stringify({ app: APP }));
  count += 1;
  names = ['a', 'b', 'c'].map((name) => `${name}-${count}`);
  for (const name of names.slice(0, 2)) await platform.ask(path, { body: { name } });
  await push('pull', names.slice(0, 2));
  for (const name of names.slice(0, 2)) await edit(name);
  await writeFile(file(names[2]!), JSON.stringify({ name: names[2] }));
});
afterEach(() => proxy.close());

const file = (name: string): string => join(project, 'actions', `${name}.json`);
const state = (): string => join(project, 'actions/.platform.local.json');
const edit = async (name: string): Promise<void> => {
  const text = await readFile(file(name), 'utf8');
  await writeFile(file(name), text.replace('"active": true', '"active": false'));
};
const env = (): NodeJS.ProcessEnv => ({ PLATFORM_URL: proxy.baseUrl, PLATFORM_TOKEN: platform.authToken });
const push = (command = 'push', args: string[] = [], signal?: AbortSignal) =>
  runCli(['actions', command, ...args], { cwd: project, env: env(), ...(signal && { signal }) });

interface Listed {
  name: string;
  active: boolean;
  revision: number;
}
async function listed(): Promise<Listed[]> {
  const { body } = await platform.ask<{ actions: Listed[] }>(path);
  return body.actions.filter(({ name }) => names.includes(name));
}

/** As one push without an interruption leaves it: each change was made once. */
async function expectPushedOnce(): Promise<void> {
  expect(await listed()).toMatchObject([
    { name: names[0], active: false, revision: 2 },
    { name: names[1], active: false, revision: 2 },
    { name: names[2], active: true, revision: 1 },
  ]);
  expect(await push()).toEqual({ code: 0, out: '3 unchanged\n', error: '' });
  expect(await push('diff', names)).toMatchObject({ code: 0 });
}

interface Running {
  child: ChildProcess;
  exit: Promise<[number | null, NodeJS.Signals | null]>;
}

function startPush(): Running {
  const child = spawn(process.execPath, [resolve('lib/cli/bin.ts'), 'actions', 'push'], {
    cwd: project,
    env: { ...process.env, ...env(), PLATFORM_DEVTOOLS_HOME: join(project, 'home'), PLATFORM_DEVTOOLS_KEYCHAIN: 'off' },
    stdio: 'ignore',
  });
  const exit = once(child, 'close') as Running['exit'];
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit };
}

/** Calls `work` at a moment of the change with this number. */
function at(number: number, when: 'received' | 'processed', work: () => Promise<void> | void): void {
  let changes = 0;
  proxy.gate = async (moment, { method }) => {
    if (method === 'GET') return;
    if (moment === 'received') changes += 1;
    if (changes === number && moment === when) await work();
  };
}

/** Two updates, and then a creation. */
const CHANGES = isExhaustive() ? [1, 2, 3] : [2, 3];
/** When a process is killed, which takes long. In `npm test`, each once. */
const killedWhen = (number: number): ('received' | 'processed')[] =>
  isExhaustive() ? ['received', 'processed'] : [number === 2 ? 'received' : 'processed'];

describe.each(CHANGES)('ended at change %i of three', (number) => {
  it.each(killedWhen(number))(
    'once it is %s, by a kill: the same push continues, and sends nothing twice',
    async (when) => {
      const running = startPush();
      at(number, when, async () => {
        running.child.kill('SIGKILL');
        await running.exit;
      });
      expect(await running.exit).toEqual([null, 'SIGKILL']);
      proxy.gate = () => {};
      expect(await push()).toMatchObject({ code: 0, error: '' });
      await expectPushedOnce();
    },
  );

  it('by Ctrl+C: awaits the change, doesn’t start the others, and says which', async () => {
    const controller = new AbortController();
    at(number, 'received', () => controller.abort(new Interruption(130)));
    const interrupted = await push('push', [], controller.signal);
    expect(interrupted).toMatchObject({ code: 130, error: '' });
    const rows = names.map((name, index) => `${index < number ? 'pushed' : 'not pushed'} +${name}\n`).join('');
    const expected = number === 3 ? 'Pushed 3 changes.\n$' : `Pushed ${number} of 3 changes.\n${rows}$`;
    expect(interrupted.out).toMatch(new RegExp(expected));
    proxy.gate = () => {};
    const { length } = proxy.requests;
    expect(await push()).toMatchObject({ code: 0, error: '' });
    expect(proxy.requests.slice(length).filter(({ method }) => method !== 'GET')).toHaveLength(3 - number);
    await expectPushedOnce();
  });

  it.each(['cut-before', 'cut-after', 'reset-after'] as const)(
    'by a lost connection (%s): says that the outcome is unknown, and continues',
    async (fault) => {
      let changes = 0;
      proxy.only = ({ method }) => method !== 'GET' && ++changes === number;
      proxy.fault = fault;
      const lost = await push();
      expect(lost.code).toBe(75);
      expect(lost.error).toContain('(OUTCOME_UNKNOWN)');
      expect(lost.out).toContain(`Pushed ${number - 1} of 3 changes.`);
      expect(lost.out).toMatch(new RegExp(`unknown +${names[number - 1]}\n`));
      proxy.fault = 'none';
      expect(await push()).toMatchObject({ code: 0, error: '' });
      await expectPushedOnce();
    },
  );

  it('by a state that can’t be written: says so, and continues', async () => {
    const before = await readFile(state(), 'utf8');
    at(number, 'processed', async () => {
      await rm(state());
      await mkdir(state());
    });
    const failed = await push();
    expect(failed.code).toBe(74);
    expect(failed.out).toContain(`Pushed ${number} of 3 changes.`);
    await rm(state(), { recursive: true });
    await writeFile(state(), before);
    proxy.gate = () => {};
    expect(await push()).toMatchObject({ code: 0, error: '' });
    await expectPushedOnce();
  });
});

it('knows a lost push also after the file has changed again', async () => {
  proxy.only = ({ method }) => method === 'PUT';
  proxy.fault = 'cut-after';
  expect((await push('push', [names[0]!])).code).toBe(75);
  proxy.fault = 'none';
  const text = await readFile(file(names[0]!), 'utf8');
  await writeFile(file(names[0]!), text.replace('"UTC"', '"Europe/Amsterdam"'));
  expect(await push('push', [names[0]!])).toMatchObject({ code: 0, error: '' });
  expect((await listed())[0]).toMatchObject({ timezone: 'Europe/Amsterdam', revision: 3 });
});
