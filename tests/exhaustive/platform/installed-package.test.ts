/** The npm package `platform-devtools`, installed in an empty folder, as its users have it. */
import { chmod, chown, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { expectNothingLeft, folderIn, interrupt, type Started, startIn } from '../../support/installed.ts';
import { type PackedProject, packedProject } from '../../support/packed-project.ts';
import { shellExamples } from '../../support/shell-examples.ts';

// On a busy machine, a new database takes its time.
vi.setConfig({ testTimeout: 180_000 });

/** Not an account of this machine, so nothing belongs to it. */
const STRANGER = { uid: 65_532, gid: 65_532 };
const isRoot = process.getuid?.() === 0;

interface Ready {
  baseUrl: string;
  authToken: string;
  apps: { id: number; name: string }[];
}

let project: PackedProject;
let installed: string;
beforeAll(async () => {
  project = await packedProject(['cli']);
  installed = join(project.folder, 'node_modules/platform-devtools');
}, 300_000);
afterAll(() => project?.remove());

const npx = (args: string[]): Started => startIn(project, 'npx', ['platform-devtools', ...args]);
const command = (args: string[], env: NodeJS.ProcessEnv = {}, user = {}): Started =>
  startIn(project, join(project.folder, 'node_modules/.bin/platform-devtools'), args, { env, ...user });

async function startPlatform(env: NodeJS.ProcessEnv = {}, user = {}): Promise<Started & Ready> {
  const started = command(['platform', '--port', '0', '--data', 'memory', '--json'], env, user);
  return { ...started, ...(JSON.parse(await started.printed(/\n/)) as Ready) };
}

async function versionOf(): Promise<string> {
  return (JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Every file with its time, so that a change can’t be missed. */
async function filesOf(folder: string): Promise<Map<string, number>> {
  const names = await readdir(folder, { recursive: true });
  return new Map(
    await Promise.all(names.map(async (name) => [name, (await stat(join(folder, name))).mtimeMs] as const)),
  );
}

test('npx platform-devtools --version prints the version of the package', async () => {
  expect(await npx(['--version']).ended).toEqual({ code: 0, out: `${await versionOf()}\n`, err: '' });
});

test('npx platform-devtools --help names the commands, and each of them has help of its own', async () => {
  const { code, out } = await npx(['--help']).ended;
  expect(code).toBe(0);
  const names = [...out.split('Commands:')[1]!.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name!);
  expect(names).toEqual(expect.arrayContaining(['apps', 'publish', 'sessions', 'actions', 'platform', 'start']));
  for (const name of names.filter((name) => name !== 'help' && name !== 'complete')) {
    const help = await command([name, '--help']).ended;
    const usage = expect.stringContaining(`Usage: platform-devtools ${name}`);
    expect([name, help.code, help.out, help.err]).toEqual([name, 0, usage, '']);
  }
});

test('a script starts a platform, lists its apps, runs an action on the server, and leaves no process', async () => {
  await writeFile(
    join(project.folder, 'script.js'),
    `import { startPlatform } from 'platform-devtools';
     const platform = await startPlatform({ port: 0 });
     const headers = { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' };
     const read = async (path, request) => (await fetch(platform.baseUrl + path, { headers, ...request })).json();
     const { apps } = await read('/v1/apps');
     const body = JSON.stringify({ payload: {}, mode: 'preview' });
     const run = await read('/v1/apps/101/actions/notify-admins/run-with-result', { method: 'POST', body });
     await platform.close();
     console.log(JSON.stringify({ names: apps.map(({ name }) => name), run }));`,
  );
  const script = startIn(project, process.execPath, ['script.js']);
  const { code, out, err } = await script.ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(JSON.parse(out)).toEqual({
    names: ['Field Service', 'Visitor Desk', 'Team Directory'],
    run: { result: '5 of 40 people notified' },
  });
  await expectNothingLeft(script);
});

test('platform --json prints one line, serves every script of a page, and ends at Ctrl+C without a process left', async () => {
  const platform = await startPlatform();
  expect(platform.apps.map(({ id }) => id)).toEqual([101, 102, 103]);
  const scripts = [
    'platform-core:2.js',
    'platform-core:2.js.map',
    'platform-oauth2:0.1.js',
    'page.css',
    'sso-callback.js',
  ];
  for (const name of scripts) {
    const response = await fetch(`${platform.baseUrl}/v1/packages/${name}`);
    expect([name, response.status]).toEqual([name, 200]);
    expect(await response.text()).not.toContain(project.folder);
  }
  const { code, out, err } = await interrupt(platform);
  expect({ code, lines: out.trimEnd().split('\n').length, err }).toEqual({ code: 0, lines: 1, err: '' });
  await expectNothingLeft(platform);
});

test('the examples of the README print what it shows', async () => {
  const { baseUrl, authToken } = await startPlatform();
  // The local platform of the examples is at its default port.
  const env = { PLATFORM_TOKEN: authToken, PLATFORM_URL: baseUrl };
  const examples = shellExamples(await readFile(join(installed, 'README.md'), 'utf8'));
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const line = example.command.replaceAll('http://localhost:4400', baseUrl);
    const { code, out, err } = await startIn(project, 'sh', ['-c', line], { env }).ended;
    expect({ line, code, err }).toEqual({ line, code: 0, err: '' });
    expect(out).toMatch(example.output);
  }
});

test('migrate proves the code of an action in a process of its own', async () => {
  const { baseUrl, authToken } = await startPlatform();
  const args = ['migrate', '--app', '101', '--action', 'notify-admins', '--url', baseUrl, '--out', 'v3', '--json'];
  const { out, err } = await command(args, { PLATFORM_TOKEN: authToken }).ended;
  expect(err).toBe('');
  const { actions } = JSON.parse(out) as { actions: { name: string; folder: string; report: { status: string } }[] };
  expect(actions.map(({ name, report }) => [name, report.status])).toEqual([['notify-admins', 'equal-so-far']]);
  expect((await readdir(join(project.folder, 'v3', actions[0]!.folder))).toSorted()).toEqual([
    'action.v3.js',
    'action.v3.json',
    'report.json',
  ]);
});

test('where only the cache can be written, it works and changes none of its own files', async () => {
  const cache = await folderIn(project, 'cache');
  const before = await filesOf(installed);
  if (isRoot) await chown(cache, STRANGER.uid, STRANGER.gid);
  else {
    await chmod(installed, 0o555);
    onTestFinished(() => chmod(installed, 0o755));
  }
  const platform = await startPlatform({ XDG_CACHE_HOME: cache }, isRoot ? { ...STRANGER, cwd: cache } : {});
  const headers = { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' };
  const request = { method: 'POST', headers, body: '{"payload":{},"mode":"preview"}' };
  const run = await fetch(`${platform.baseUrl}/v1/apps/101/actions/notify-admins/run-with-result`, request);
  expect(await run.json()).toEqual({ result: '5 of 40 people notified' });
  expect((await interrupt(platform)).err).toBe('');
  expect(await readdir(join(cache, 'platform-devtools', await versionOf()))).toContain('platform-snapshots');
  expect(await filesOf(installed)).toEqual(before);
});

test('where nothing can be written, not even the cache, a platform in memory works', async () => {
  const platform = await startPlatform({ XDG_CACHE_HOME: '/dev/null' });
  expect(platform.apps).toHaveLength(3);
  expect((await interrupt(platform)).err).toBe('');
});

test('two that start at once with an empty cache leave one complete image, which the next one uses', async () => {
  const cache = await folderIn(project, 'cache-of-two');
  const both = await Promise.all([0, 1].map(() => startPlatform({ XDG_CACHE_HOME: cache })));
  for (const platform of both) {
    expect(platform.apps).toHaveLength(3);
    await interrupt(platform);
  }
  const images = join(cache, 'platform-devtools', await versionOf(), 'platform-snapshots');
  const stored = await filesOf(images);
  expect([...stored.keys()].map((name) => name.replace(/^.*?\./, '')).toSorted()).toEqual(['tar', 'tar.sha256']);
  const next = await startPlatform({ XDG_CACHE_HOME: cache });
  expect((await interrupt(next)).code).toBe(0);
  expect(await filesOf(images)).toEqual(stored);
});
