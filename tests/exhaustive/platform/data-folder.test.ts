/**
 * Two processes and one data folder: a suspended platform keeps it, a platform that has lost it leaves it alone, and a
 * container that starts again gets it at once. Each confirmed write is there afterward.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import { temporaryFolder } from '../../platform/support/platform.ts';
import { ask, command, end, TOKEN, type Running } from '../../platform/support/processes.ts';

const WRITES = 60;
const ENV = { PLATFORM_AUTH_TOKEN: TOKEN, SMTP_URL: '' };
const argsOf = (data: string): string[] => ['--port', '0', '--no-oauth-demo', '--json', '--data', data];

const start = (data: string): Promise<Running> => command(argsOf(data), {});

/** Adds records, each of which is confirmed. */
async function write(baseUrl: string): Promise<void> {
  for (let n = 1; n <= WRITES; n += 1) await ask(baseUrl, 'apps/101/logs', { type: 'confirmed', data: { n } });
}

const count = async ({ baseUrl }: Pick<Running, 'baseUrl'>): Promise<number> =>
  (await ask<LogList>(baseUrl, `apps/101/logs?where=${encodeURIComponent('{"type":"confirmed"}')}`)).count;

/** As if nothing had been renewed for an hour. */
async function age(data: string): Promise<void> {
  const time = new Date(Date.now() - 3_600_000);
  for (const name of ['data.lock', 'owner']) await utimes(join(data, name), time, time);
}

/** The output and exit code of a platform that can’t start. */
async function refusal(args: string[], runner: string[] = []): Promise<[string, number | null]> {
  const [program, ...rest] = [...runner, process.execPath, 'lib/cli/bin.ts', 'platform', ...args];
  const child = spawn(program!, rest, { env: { ...process.env, ...ENV }, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [out, [code]] = await Promise.all([child.stdout.toArray(), once(child, 'exit') as Promise<[number | null]>]);
  return [out.join(''), code];
}

it('a suspended platform keeps its folder, however long that takes, and every write that it confirmed', async () => {
  const data = join(await temporaryFolder(), 'data');
  const first = await start(data);
  await write(first.baseUrl);
  first.child.kill('SIGSTOP');
  await age(data);
  const [out, code] = await refusal(argsOf(data));
  expect(out).toContain(`is in use by the process ${first.child.pid}`);
  expect(code).toBe(1);
  first.child.kill('SIGCONT');
  await write(first.baseUrl);
  expect(await end(first, 'SIGKILL')).toBe('SIGKILL');
  expect(await count(await start(data))).toBe(2 * WRITES);
}, 180_000);

it('a platform that has lost its folder ends without changing it: no confirmed write of the next one is lost', async () => {
  const data = join(await temporaryFolder(), 'data');
  const first = await start(data);
  first.child.kill('SIGSTOP');
  for (const name of ['lock', 'owner', 'data.lock']) await rm(join(data, name), { recursive: true });
  const second = await start(data);
  await write(second.baseUrl);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGCONT');
  // It never closed its database, whose checkpoint would be the second one’s.
  expect(await ended).toEqual([1, null]);
  await end(second, 'SIGKILL');
  expect(await count(await start(data))).toBe(WRITES);
}, 180_000);

/** Starts a platform as process 1 of a PID namespace, as in a container. Resolves with its base URL when it’s ready. */
async function startAsFirstProcess(data: string): Promise<{ baseUrl: string; kill(): Promise<unknown> }> {
  const child = spawn(
    CONTAINER[0]!,
    [...CONTAINER.slice(1), process.execPath, 'lib/cli/bin.ts', 'platform', ...argsOf(data)],
    {
      env: { ...process.env, ...ENV },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const kill = async (): Promise<void> => {
    const gone = once(child, 'exit');
    if (child.kill('SIGKILL')) await gone;
  };
  onTestFinished(kill);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { baseUrl: (JSON.parse(line.toString()) as { baseUrl: string }).baseUrl, kill };
}

const isRoot = process.getuid?.() === 0;
const CONTAINER = [
  'unshare',
  ...(isRoot ? [] : ['--user', '--map-root-user']),
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
];

it('a container that starts again gets the folder at once, and another one with the same host name never does', async () => {
  const data = join(await temporaryFolder(), 'data');
  const first = await startAsFirstProcess(data);
  await age(data);
  const [out] = await refusal(argsOf(data), CONTAINER);
  expect(out).toContain('is in use by the process 1');
  await write(first.baseUrl);
  await first.kill();
  // Both are process 1, on the same host.
  expect(await count(await startAsFirstProcess(data))).toBe(WRITES);
}, 180_000);
