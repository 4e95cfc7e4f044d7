/** The command `doctor`, with a real browser and platform. */
import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interruption } from '../../../lib/cli/command/host.ts';
import { sharedPlatform } from '../../support/shared-platform.ts';
import { runCli, type Ran } from '../../support/run-cli.ts';
import { startForTest, temporaryFolder } from '../support/platform.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Checked {
  checks: { name: string; state: string; message: string; hint?: string }[];
  problems: number;
}

const TOKEN = 'a-token-that-nobody-accepts';
let home: string;
beforeEach(async () => {
  home = await temporaryFolder();
});

const doctor = (env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran> =>
  runCli(['doctor', ...args], { env: { PLATFORM_DEVTOOLS_HOME: home, ...env } });

async function checked(env: NodeJS.ProcessEnv): Promise<Record<string, Checked['checks'][number]>> {
  const { code, out } = await doctor(env, '--json');
  const { checks, problems } = JSON.parse(out) as Checked;
  expect(problems).toBe(checks.filter(({ state }) => state === 'problem').length);
  expect(code).toBe(problems > 0 ? 2 : 0);
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

async function serverWith(headers: Record<string, string>): Promise<string> {
  const server: Server = createServer((_request, response) => response.writeHead(401, headers).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('finds nothing wrong where all is well, starts the browser, and prints no token', async () => {
  const { baseUrl, authToken } = await sharedPlatform();
  const { code, out, error } = await doctor({ PLATFORM_URL: baseUrl, PLATFORM_TOKEN: authToken });
  expect(out.split('\n').filter((line) => line.startsWith('problem'))).toEqual([]);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toMatch(/^ok +node +Node 2\d\.\S+\nok +browser +\S*Chrom\S* starts: \//);
  expect(out).toContain('The platform accepts the token for 3 apps.');
  expect(out).toContain('The platform has the endpoint for function packages.');
  expect(out).toContain('Both clocks agree');
  expect(out).not.toContain(authToken);
});

it('ends at Ctrl+C while a browser starts that never does, with the browser', async () => {
  const pipe = join(home, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const browser = join(home, 'browser');
  await writeFile(browser, `#!/bin/sh\necho $$ > ${pipe}\nexec sleep 1000\n`, { mode: 0o755 });
  vi.stubEnv('CHROME_PATH', browser);
  onTestFinished(() => void vi.unstubAllEnvs());
  const controller = new AbortController();
  const ended = runCli(['doctor'], { env: { PLATFORM_DEVTOOLS_HOME: home }, signal: controller.signal });
  const pid = Number(await readFile(pipe, 'utf8'));
  controller.abort(new Interruption(130));
  expect(await ended).toEqual({ code: 130, out: '', error: '' });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  // Without the signal, it would wait for 30 seconds.
}, 25_000);

describe('without a browser', () => {
  beforeEach(() => {
    vi.stubEnv('CHROME_PATH', '/no/such/browser');
    onTestFinished(() => void vi.unstubAllEnvs());
  });

  it('says so, with exit code 2', async () => {
    const { browser } = await checked({});
    expect(browser).toMatchObject({ state: 'problem', hint: expect.stringContaining('CHROME_PATH') });
  });

  it('names a token that the platform refuses, and doesn’t print it', async () => {
    const { baseUrl } = await sharedPlatform();
    const env = { PLATFORM_URL: baseUrl, PLATFORM_TOKEN: TOKEN };
    const { platform, access, endpoints } = await checked(env);
    expect([platform!.state, access!.state, endpoints!.state]).toEqual(['ok', 'problem', 'skipped']);
    expect(JSON.stringify(await doctor(env))).not.toContain(TOKEN);
  });

  it('names a platform that doesn’t respond', async () => {
    const { platform, clock, access } = await checked({ PLATFORM_URL: 'http://127.0.0.1:1', PLATFORM_TOKEN: TOKEN });
    expect([platform!.state, clock!.state, access!.state]).toEqual(['problem', 'skipped', 'skipped']);
    expect(platform!.message).toBe('Couldn’t connect to 127.0.0.1:1: fetch never connects to this port.');
  });

  it('names a missing environment, and skips what needs it', async () => {
    const { environment, token, platform } = await checked({ PLATFORM_ENV: 'none' });
    expect([environment!.state, token!.state, platform!.state]).toEqual(['problem', 'skipped', 'skipped']);
  });

  it('names a missing token', async () => {
    const { baseUrl } = await sharedPlatform();
    const { token, access } = await checked({ PLATFORM_URL: baseUrl });
    expect(token).toMatchObject({ state: 'problem', hint: expect.stringContaining('environments login') });
    expect(access!.state).toBe('skipped');
  });

  it('knows a platform with only the specified endpoints', async () => {
    const specOnly = await startForTest({ data: 'memory', oauthDemoPort: null, specOnly: true });
    const env = { PLATFORM_URL: specOnly.baseUrl, PLATFORM_TOKEN: specOnly.authToken };
    const { endpoints } = await checked(env);
    expect(endpoints).toMatchObject({
      state: 'skipped',
      message: expect.stringContaining('only the specified endpoints'),
    });
  });

  it.each([
    ['an hour ago', -3_600_000, /^The clock of this machine is 3[56]\d\d s ahead of the platform’s\.$/],
    ['in an hour', 3_600_000, /^The clock of this machine is 3[56]\d\d s behind the platform’s\.$/],
  ])('names the difference to a platform on which it’s %s', async (_when, difference, message) => {
    const date = new Date(Date.now() + difference).toUTCString();
    const { clock } = await checked({ PLATFORM_URL: await serverWith({ date }) });
    expect(clock).toMatchObject({ state: 'problem', message: expect.stringMatching(message) });
  });

  it('names a configuration that is broken', async () => {
    await writeFile(join(home, 'config.json'), '{', { mode: 0o600 });
    const { configuration, environment } = await checked({});
    expect(configuration).toMatchObject({ state: 'problem', message: expect.stringContaining('config.json') });
    expect(environment!.state).toBe('problem');
  });

  it('names a file of tokens that others can read', async () => {
    await writeFile(join(home, 'tokens.json'), '{}', { mode: 0o600 });
    await chmod(join(home, 'tokens.json'), 0o644);
    const { configuration } = await checked({});
    expect(configuration).toMatchObject({ state: 'problem', hint: `Run chmod 600 ${join(home, 'tokens.json')}.` });
  });
});
