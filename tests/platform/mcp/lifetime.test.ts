/** The life of an MCP server: malformed input, many calls, a platform that fails, and the end of its process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type McpTest, openMcp, startMcp } from '../../support/mcp-client.ts';
import { firstOf, isExhaustive } from '../../support/exhaustive.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { start, temporaryFolder, type TestPlatform } from '../support/platform.ts';
import { runCli, testHost } from '../../support/run-cli.ts';

/** At once. 4 of them work, and 200 wait. */
const CALLS = isExhaustive() ? 2_000 : 300;

let platform: TestPlatform;
let proxy: FaultyPlatform;
let mcp: McpTest;
beforeAll(async () => {
  platform = await start({ oauthDemoPort: null });
  proxy = await startFaultyPlatform(platform.baseUrl);
  mcp = await openMcp({ baseUrl: proxy.baseUrl, token: platform.authToken, args: ['--app', '101'] });
});
afterAll(async () => {
  await mcp?.close();
  await proxy?.close();
  await platform?.close();
});
beforeEach(() => {
  proxy.fault = 'none';
  proxy.gate = () => {};
  proxy.requests.length = 0;
});

describe('many calls', () => {
  it('at once send only 4 requests at a time, and each call gets a result', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let [open, most, refused] = [0, 0, 0];
    proxy.gate = (moment) => {
      open += moment === 'received' ? 1 : -1;
      most = Math.max(most, open);
      return promise;
    };
    const codeOf = async (): Promise<string> => {
      const code = ((await mcp.call('list_actions')).value.error?.code as string | undefined) ?? 'done';
      // 4 work and 200 wait until all others were refused.
      if (code === 'TOO_MANY_CALLS' && ++refused === CALLS - 204) resolve();
      return code;
    };
    const codes = Map.groupBy(await Promise.all(Array.from({ length: CALLS }, codeOf)), (code) => code);
    expect([...codes].map(([code, { length }]) => [code, length]).sort()).toEqual([
      ['TOO_MANY_CALLS', CALLS - 204],
      ['done', 204],
    ]);
    expect(most).toBe(4);
  });

  it('that wait can be canceled, and aren’t sent then', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    proxy.gate = () => promise;
    const busy = Array.from({ length: 4 }, () => mcp.call('list_apps'));
    await expect.poll(() => proxy.requests.length).toBe(4);
    const cancel = new AbortController();
    const waiting = mcp.client.callTool({ name: 'list_actions', arguments: {} }, { signal: cancel.signal });
    cancel.abort();
    await expect(waiting).rejects.toThrow();
    const next = mcp.call('list_apps');
    resolve();
    expect((await Promise.all([...busy, next])).map(({ isError }) => isError)).toEqual(Array(5).fill(false));
    expect(proxy.requests.filter(({ path }) => path.includes('actions'))).toEqual([]);
  });
});

describe('a platform', () => {
  it.each([
    ['half-json', 'ANSWER_CUT_OFF'],
    ['html', 'ANSWER_HTML'],
    ['unavailable', 'PLATFORM_UNAVAILABLE'],
    ['cut-before', 'PLATFORM_UNREACHABLE'],
  ] as const)('that fails (%s) is an error, and the next call works', async (fault, code) => {
    proxy.fault = fault;
    const { isError, value } = await mcp.call('list_actions');
    expect({ isError, code: value.data.error.code }).toEqual({ isError: true, code });
    proxy.fault = 'none';
    expect((await mcp.call('list_actions')).isError).toBe(false);
  });

  it('that cuts the connection while it publishes leaves an unknown outcome, and the next publish says so', async () => {
    const writer = await startMcp({ baseUrl: proxy.baseUrl, token: platform.authToken, args: ['--allow-writes'] });
    proxy.only = ({ method }) => method === 'POST';
    proxy.fault = 'cut-after';
    const args = { app: 101, notes: 'Faster lists' };
    expect((await writer.call('publish_app', args)).value.data.error.code).toBe('OUTCOME_UNKNOWN');
    proxy.fault = 'none';
    proxy.only = () => true;
    expect((await writer.call('publish_app', args)).value.data.error.code).toBe('PUBLISH_UNCONFIRMED');
    expect((await writer.call('publish_app', { ...args, again: true })).isError).toBe(false);
  });

  it('gets one release from two servers and a command that publish at once', async () => {
    const home = await temporaryFolder();
    const own = await start({ oauthDemoPort: null });
    onTestFinished(() => own.close());
    const env = { PLATFORM_DEVTOOLS_HOME: home };
    await writeFile(
      join(home, 'config.json'),
      JSON.stringify({ default: 'test', environments: { test: { url: own.baseUrl } } }),
    );
    const given = { baseUrl: own.baseUrl, token: own.authToken, args: ['--allow-writes'], env };
    const versionOf = async (): Promise<number> =>
      (await own.ask<{ apps: { id: number; version: number }[] }>('/v1/apps')).body.apps.find(({ id }) => id === 101)!
        .version;
    const before = await versionOf();
    const writers = await Promise.all([startMcp(given), startMcp(given)]);
    const ends = await Promise.all([
      ...writers.map((writer) =>
        writer.call('publish_app', { app: 101, notes: 'At once' }).then(({ isError }) => !isError),
      ),
      runCli(['publish', '--app', '101', '--notes', 'At once'], {
        env: { ...env, PLATFORM_TOKEN: own.authToken },
      }).then(({ code }) => code === 0),
    ]);
    expect(ends.filter((isDone) => isDone)).toHaveLength(1);
    expect(await versionOf()).toBe(before + 1);
  });

  it('that published is settled only once the client has the result', async () => {
    const home = await temporaryFolder();
    const environments = { test: { url: platform.baseUrl } };
    await writeFile(join(home, 'config.json'), JSON.stringify({ default: 'test', environments }));
    const env = { PLATFORM_DEVTOOLS_HOME: home };
    const writer = await startMcp({
      baseUrl: platform.baseUrl,
      token: platform.authToken,
      args: ['--allow-writes'],
      env,
    });
    const isSettled = (): boolean => readFileSync(join(home, 'publishing.json'), 'utf8').includes('"isSettled": true');
    let whenWritten: boolean | undefined;
    writer.output.on('data', () => (whenWritten = isSettled()));
    expect((await writer.call('publish_app', { app: 103, notes: 'Faster lists' })).isError).toBe(false);
    expect(whenWritten).toBe(false);
    await expect.poll(isSettled).toBe(true);
  });

  it('that doesn’t accept the token says so, without the token', async () => {
    const revoked = await startMcp({ baseUrl: platform.baseUrl, token: 'revoked-token-of-this-test' });
    const { isError, text, value } = await revoked.call('list_apps');
    expect({ isError, code: value.data.error.code }).toEqual({ isError: true, code: 'TOKEN_REFUSED' });
    expect(text + revoked.stderr()).not.toContain('revoked-token');
  });
});

describe('the process', () => {
  const startProcess = (args: string[] = [], env: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, ['lib/cli/bin.ts', 'mcp', '--url', platform.baseUrl, ...args], {
      env: { ...process.env, ...testHost().env, PLATFORM_TOKEN: platform.authToken, ...env },
    });
    const streams = { out: '', error: '' };
    child.stdout.on('data', (chunk: Buffer) => (streams.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (streams.error += chunk.toString()));
    return { child, streams, exit: once(child, 'close') as Promise<[number | null, string | null]> };
  };
  const INITIALIZE = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
  };

  it('ignores lines that aren’t messages, responds to the others, and ends with its input', async () => {
    const { child, streams, exit } = startProcess();
    for (const line of ['nonsense', '{"jsonrpc":"2.0"}', '[]', '{', 'null', JSON.stringify(INITIALIZE), '{"id":'])
      child.stdin.write(`${line}\n`);
    await expect.poll(() => streams.out).toContain('\n');
    child.stdin.end();
    expect(await exit).toEqual([0, null]);
    const messages = streams.out.trimEnd().split('\n');
    expect(messages.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, result: { protocolVersion: '2024-11-05' } },
    ]);
    expect(streams.error.split('\n').filter((line) => line && !line.startsWith('MCP: '))).toEqual([]);
  });

  const ends = [
    ['without an end', ''],
    ['with an end', '\n'],
  ] as const;
  it.each(firstOf(ends, 1))(
    'says that a message of over 16 MB %s is too large, and ends with exit code 1',
    async (_, end) => {
      const { child, streams, exit } = startProcess();
      child.stdin.on('error', () => undefined);
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      await expect.poll(() => streams.out).toContain('\n');
      child.stdin.write(`{"jsonrpc":"2.0","id":2,"method":"${'x'.repeat(16 * 1024 * 1024)}"}${end}`);
      expect(await exit).toEqual([1, null]);
      const last = JSON.parse(streams.out.trimEnd().split('\n').at(-1)!) as unknown;
      expect(last).toEqual({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: expect.stringContaining('16 MB') },
      });
      expect(streams.error).toContain('(MESSAGE_TOO_LARGE)');
    },
  );

  it('ends on SIGTERM', async () => {
    const { child, streams, exit } = startProcess();
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    await expect.poll(() => streams.out).toContain('\n');
    child.kill('SIGTERM');
    expect(await exit).toEqual([143, null]);
  });
});

describe('the command', () => {
  it.each([
    ['a token', [], { PLATFORM_TOKEN: '' }, 'TOKEN_MISSING', 77],
    ['an ID of an app', ['--app', 'x'], {}, 'ARGUMENT_INVALID', 64],
    ['an answer that no one may give for the user', ['--yes'], {}, 'ARGUMENT_INVALID', 64],
  ] as const)('needs %s', async (_, args, env, code, status) => {
    const given = { PLATFORM_TOKEN: platform.authToken, ...env };
    const ran = await runCli(['mcp', '--url', platform.baseUrl, ...args], { env: given });
    expect(ran).toEqual({ code: status, out: '', error: expect.stringContaining(code) });
  });
});

it('a recording is opened only from the project’s folder', async () => {
  for (const file of ['/etc/passwd', '../secret.json', 'missing.txt', '.'])
    expect((await mcp.call('open_recording', { file })).value.data.error.code, file).toBe('FILE_NOT_ALLOWED');
  await symlink('..', join(mcp.folder, 'link'));
  await symlink('/etc/passwd', join(mcp.folder, 'passwd.json'));
  for (const file of ['link/new.json', 'link/new/new.json', 'passwd.json'])
    expect((await mcp.call('open_recording', { file })).value.data.error.code, file).toBe('FILE_NOT_ALLOWED');
  expect((await mcp.call('open_recording', { file: 'missing.json' })).value.data.error.code).toBe('FILE_NOT_READ');
});
