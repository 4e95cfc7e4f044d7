/** The command `logs` on a real platform. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interruption } from '../../../lib/cli/command/host.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { runCli, type Ran } from '../../support/run-cli.ts';
import { startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { start, temporaryFolder, type TestPlatform } from '../support/platform.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ data: 'memory', oauthDemoPort: null });
});
afterAll(() => platform.close());

const TYPE = 'test.record';
let count = 0;
const add = async (): Promise<number> => {
  const body = { type: TYPE, data: { count: ++count } };
  return (await platform.ask<{ log: { id: number } }>('/v1/apps/102/logs', { body })).body.log.id;
};
const addMany = async (number: number): Promise<number[]> => {
  const ids: number[] = [];
  for (let index = 0; index < number; index += 20)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(20, number - index) }, add))));
  return ids.sort((one, other) => one - other);
};
const WHERE = ['--where', JSON.stringify({ type: TYPE })];
const env = (url = platform.baseUrl) => ({ PLATFORM_URL: url, PLATFORM_TOKEN: platform.authToken });
const logs = (args: string[]): Promise<Ran> => runCli(['logs', '--app', '102', ...args], { env: env() });
const idsIn = (lines: string): number[] =>
  lines
    .split('\n')
    .filter(Boolean)
    .map((line) => (JSON.parse(line) as { id: number }).id);

/** More than a page of 200. */
const MANY = isExhaustive() ? 500 : 220;
/** How the platform fails. Each takes several seconds of retries. */
const FAULTS = isExhaustive() ? (['unavailable', 'cut-before', 'bad-gateway'] as const) : (['unavailable'] as const);

/** Follows with JSON lines, and ends with Ctrl+C once `isEnough` says so. */
async function follow(
  args: string[],
  isEnough: (ids: number[], error: string) => boolean,
  { url, onOutput = () => {} }: { url?: string; onOutput?: (ids: number[], error: string) => void } = {},
): Promise<Ran> {
  const controller = new AbortController();
  let out = '';
  let error = '';
  return runCli(['logs', '--app', '102', '--follow', '--json', '--interval', '100', ...WHERE, ...args], {
    env: env(url),
    signal: controller.signal,
    onOutput: (text) => {
      if (text.startsWith('{')) out += text;
      else error += text;
      onOutput(idsIn(out), error);
      if (isEnough(idsIn(out), error)) controller.abort(new Interruption(130));
    },
  });
}

describe('without --follow', () => {
  it('prints the last records, newest last, as text or as one JSON document', async () => {
    const ids = await addMany(3);
    const json = JSON.parse((await logs([...WHERE, '--limit', '2', '--json'])).out) as {
      logs: { id: number; data: { count: number } }[];
      count: number;
    };
    expect(json.logs.map(({ id }) => id)).toEqual(ids.slice(1));
    expect(json.count).toBe(count);
    // Records that are added at the same time have any order.
    const [first, second] = json.logs.map(({ data }) => data.count);
    const { code, out } = await logs([...WHERE, '--limit', '2']);
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(`^20\\S+Z  test.record  {"count":${first}}\n20\\S+Z  test.record  {"count":${second}}\n$`),
    );
  });

  it('prints a run with its action, and only runs of the action and state that were asked for', async () => {
    const functions = [{ functionPackage: 'com.platform.function.fail', settings: { message: 'Bad\u001b[31m luck' } }];
    await platform.ask('/v1/apps/102/actions', { body: { name: 'fails', functions } });
    await platform.ask('/v1/apps/102/actions/fails/run-with-result', { body: { payload: {} } });
    const { out } = await logs(['--action', 'fails', '--state', 'failed']);
    expect(out).toMatch(
      /^20\S+Z {2}app\.task\.failed {2}fails {2}on-demand {2}\d+ ms {2}\w+: .*Bad\\u001b\[31m luck.*\n$/,
    );
    expect((await logs(['--action', 'fails', '--state', 'completed'])).out).toBe('No log records.\n');
    expect((await logs(['--action', 'fials'])).error).toContain('Did you mean “fails”?');
    expect((await logs(['--action', 'fails', '--since', '1h'])).out).not.toBe('No log records.\n');
    expect((await logs(['--action', 'fails', '--since', '2099-01-01'])).out).toBe('No log records.\n');
  });
});

describe('--follow', () => {
  it('starts with the last records, and prints each new one once, in order, also when many come at once', async () => {
    const proxy = await startFaultyPlatform(platform.baseUrl);
    onTestFinished(() => proxy.close());
    const [first] = await addMany(1);
    let added: Promise<number[]> | undefined;
    // No request is answered until all of them are there.
    proxy.gate = async () => void (await added);
    const { code, out, error } = await follow(['--limit', '1'], (ids) => ids.length > MANY, {
      url: proxy.baseUrl,
      onOutput: () => void (added ??= addMany(MANY)),
    });
    expect(code).toBe(0);
    // On a busy machine, adding them takes longer than a request may take.
    expect(error).toMatch(
      /^(?:Warning: \S+ didn’t send a complete response.*\nWarning: The platform responds again\.\n)?$/,
    );
    expect(idsIn(out)).toEqual([first, ...(await added!)]);
  });

  it('starts with new records only with --limit 0', async () => {
    await addMany(2);
    const reading = follow(['--limit', '0'], (ids) => ids.length > 0);
    const ids: number[] = [];
    const reader = { isDone: false };
    void reading.then(() => (reader.isDone = true));
    while (!reader.isDone) ids.push(await add());
    const printed = idsIn((await reading).out);
    expect(ids).toEqual(expect.arrayContaining(printed));
  });

  it('prints a record that appears after one with a higher ID', async () => {
    const proxy = await startFaultyPlatform(platform.baseUrl);
    onTestFinished(() => proxy.close());
    const ids = await addMany(3);
    const record = (id: number) => ({ id, appId: 102, type: TYPE, createdAt: '2026-01-01T00:00:00.000Z' });
    // The middle one isn’t there yet in the first two responses.
    let requests = 0;
    proxy.given = ({ path }) => {
      if (!path.includes('/logs?')) return undefined;
      requests += 1;
      const present = requests < 3 ? [ids[2]!, ids[0]!] : [...ids].reverse();
      return { count: present.length, logs: present.map(record) };
    };
    const { out } = await follow([], (printed) => printed.length >= 3, { url: proxy.baseUrl });
    expect(idsIn(out)).toEqual([ids[0], ids[2], ids[1]]);
  });

  it.each(FAULTS)('says once that the platform doesn’t respond (%s), and continues without a gap', async (fault) => {
    const proxy = await startFaultyPlatform(platform.baseUrl);
    onTestFinished(() => proxy.close());
    const [first] = await addMany(1);
    const added: number[] = [];
    let failed = 0;
    proxy.gate = () => {};
    proxy.only = () => {
      failed += 1;
      // Several requests fail, each with its own retries.
      if (failed === 6) proxy.fault = 'none';
      return true;
    };
    const { code, out, error } = await follow(['--limit', '1'], (ids) => ids.length >= 4, {
      url: proxy.baseUrl,
      onOutput: (ids) => {
        if (ids.length !== 1 || added.length > 0) return;
        added.push(0);
        failed = 0;
        proxy.fault = fault;
        void addMany(3).then((all) => added.splice(0, 1, ...all));
      },
    });
    expect(code).toBe(0);
    expect(idsIn(out)).toEqual([first, ...added]);
    expect(error.match(/Trying again…/g)).toHaveLength(1);
    expect(error.match(/The platform responds again\./g)).toHaveLength(1);
  });

  it('ends with the error when a response can’t be read as log records', async () => {
    const proxy = await startFaultyPlatform(platform.baseUrl);
    onTestFinished(() => proxy.close());
    await addMany(1);
    const { code, out } = await follow(['--limit', '1'], () => false, {
      url: proxy.baseUrl,
      onOutput: () => {
        proxy.given = () => ({ logs: 'none' });
      },
    });
    expect(code).toBe(1);
    expect(out).toContain('"code":"ANSWER_INVALID"');
  });
});

it('ends without an error when nothing reads its output any longer', async () => {
  await addMany(2);
  const args = ['lib/cli/bin.ts', 'logs', '--app', '102', '--follow', '--interval', '100', ...WHERE];
  const home = await temporaryFolder();
  const child = spawn(process.execPath, [resolve(args[0]!), ...args.slice(1)], {
    env: { ...process.env, ...env(), PLATFORM_DEVTOOLS_HOME: home, PLATFORM_DEVTOOLS_KEYCHAIN: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => (error += chunk.toString()));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const ended = once(child, 'close');
  while (child.exitCode === null) await add();
  expect(await ended).toEqual([141, null]);
  expect(error).toBe('');
});
