/** Runs that an assistant starts through the MCP server, in the installed browser. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RunBrowser } from '../../../lib/cli/run/browser.ts';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { sharedRunBrowser } from '../../support/run-browser.ts';
import { type McpTest, openMcp, startMcp } from '../../support/mcp-client.ts';
import { outbox } from '../../support/ask.ts';

const CHECK = 'com.example.function.check-address';
const EMAIL = 'com.platform.function.send-email';

let platform: Platform;
let reader: McpTest;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null });
  reader = await openMcp(target());
});
afterAll(async () => {
  await reader?.close();
  await platform?.close();
});

const target = () => ({
  baseUrl: platform.baseUrl,
  token: platform.authToken,
  args: ['--app', '101'],
  startBrowser: sharedRunBrowser,
});
const writing = () => ({ ...target(), args: ['--app', '101', '--allow-writes'] });

/** The profiles of browsers that this process started: `…-run-<pid>-…`. */
const profilesOf = (pid: number): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`platform-devtools-run-${pid}-`));

const processesWith = (text: string): number =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text)).length;

describe('a run', () => {
  test('is recorded, and its recording can be explained', async () => {
    const { value } = await reader.call('run_action', { action: 'number-range' });
    expect(value.data.run).toMatchObject({ state: 'completed', action: { name: 'number-range' }, engine: 'ours' });
    const steps = (await reader.call('list_steps', { handle: value.handle, maxBytes: 20_000 })).value;
    expect(steps.total).toBe(value.data.run.steps);
    const why = (await reader.call('explain_branch', { handle: value.handle })).value;
    expect(why.data.steps[0].conditions[0].source).toContain('currentItem');
  });

  test('calls nothing that could change something, also no package of the user', async () => {
    const mailed = (await reader.call('run_action', { action: 'notify-admins' })).value.data;
    expect(mailed.run.state).toBe('completed');
    const checked = (await reader.call('run_action', { action: 'throws-on-bad-address' })).value.data;
    expect(checked.run.state).toBe('completed');
    expect(checked.run).not.toHaveProperty('called');
    expect(await outbox(platform, 101)).toEqual([]);
  });

  // `run-action` gives mocks.
  if (isExhaustive())
    test('has the outcomes of the given mocks', async () => {
      const mocks = [{ target: { package: CHECK }, outcome: { error: { message: 'mocked failure' } } }];
      const { value } = await reader.call('run_action', { action: 'throws-on-bad-address', mocks });
      expect(value.data.run).toMatchObject({
        state: 'failed',
        failure: { message: expect.stringContaining('mocked') },
      });
    });

  test('with a mock that lets the function through isn’t started', async () => {
    const mocks = [{ target: { package: EMAIL }, delay: 1 }];
    const { value } = await reader.call('run_action', { action: 'notify-admins', mocks });
    expect(value.data.error).toMatchObject({ code: 'FUNCTIONS_NOT_MOCKED', message: expect.stringContaining(EMAIL) });
    expect(await outbox(platform, 101)).toEqual([]);
  });

  test('that is asked to really call functions is refused without --allow-writes', async () => {
    const { value } = await reader.call('run_action', { action: 'notify-admins', call: [EMAIL] });
    expect(value.error.code).toBe('WRITES_NOT_ALLOWED');
    expect(await outbox(platform, 101)).toEqual([]);
  });

  // The unit tests of mocks have which functions a run really calls, and `run-action` really sends.
  if (isExhaustive())
    test('really calls the functions that it names, and no others', async () => {
      const mcp = await startMcp(writing());
      const mailed = (await mcp.call('run_action', { action: 'notify-admins', call: [CHECK] })).value.data;
      expect(mailed.run.state).toBe('completed');
      expect(await outbox(platform, 101)).toEqual([]);
      const failed = (await mcp.call('run_action', { action: 'throws-on-bad-address', call: [CHECK] })).value.data;
      expect(failed.run).toMatchObject({ state: 'failed', called: expect.arrayContaining([CHECK]) });
      await mcp.call('run_action', { action: 'notify-admins', call: [EMAIL] });
      expect((await outbox(platform, 101)).length).toBeGreaterThan(0);
    });

  test('in production asks before it really calls a function, and not for mocks', async () => {
    const asked: string[] = [];
    const confirm = (message: string): ElicitResult => {
      asked.push(message);
      return { action: 'decline' };
    };
    const mcp = await startMcp({ ...writing(), production: true, confirm });
    expect((await mcp.call('run_action', { action: 'number-range' })).value.data.run.state).toBe('completed');
    expect(asked).toEqual([]);
    const before = await outbox(platform, 101);
    const { value } = await mcp.call('run_action', { action: 'notify-admins', payload: { a: 1 }, call: [EMAIL] });
    expect(value.error.code).toBe('CONFIRMATION_DECLINED');
    expect(asked).toEqual([
      expect.stringMatching(
        /^Run action “notify-admins”, ID 1003, of app 101 with payload “\{'a':1\}”, and really call “com\.platform\.function\.send-email”\? /,
      ),
    ]);
    expect(await outbox(platform, 101)).toEqual(before);
  });
});

/** As `startBrowser`: says in `log` when a run starts its browser, and when it closes it. */
const logged = (log: string[]) => async (): Promise<RunBrowser> => {
  const { browser, close } = await sharedRunBrowser();
  log.push('started');
  return { browser, close: () => close().then(() => void log.push('closed')) };
};

describe('a run that doesn’t end', () => {
  const running = async ({ pid }: McpTest): Promise<void> => {
    await expect.poll(() => profilesOf(pid), { timeout: 60_000 }).toHaveLength(1);
    await expect.poll(() => processesWith(`platform-devtools-run-${pid}-`), { timeout: 60_000 }).toBeGreaterThan(0);
  };

  test('ends with its client', async () => {
    const log: string[] = [];
    const mcp = await openMcp({ ...target(), startBrowser: logged(log) });
    const call = mcp.call('run_action', { action: 'never-ends' }).catch(() => 'disconnected');
    await expect.poll(() => log, { timeout: 60_000 }).toEqual(['started']);
    await mcp.close();
    expect(await call).toBe('disconnected');
    expect(log).toEqual(['started', 'closed']);
  });

  if (isExhaustive())
    test('ends with its client: no browser and no profile stay', async () => {
      const mcp = await openMcp({ ...target(), isProcess: true });
      const call = mcp.call('run_action', { action: 'never-ends' }).catch(() => 'disconnected');
      await running(mcp);
      await mcp.close();
      expect(await call).toBe('disconnected');
      await expect.poll(() => processesWith(`platform-devtools-run-${mcp.pid}-`), { timeout: 60_000 }).toBe(0);
      expect(profilesOf(mcp.pid)).toEqual([]);
    });

  test('ends when its client cancels it, and the next one runs', async () => {
    const log: string[] = [];
    const mcp = await startMcp({ ...target(), startBrowser: logged(log) });
    const cancel = new AbortController();
    const call = mcp.client.callTool(
      { name: 'run_action', arguments: { action: 'never-ends' } },
      { signal: cancel.signal },
    );
    const waiting = mcp.call('run_action', { action: 'number-range' });
    await expect.poll(() => log, { timeout: 60_000 }).toEqual(['started']);
    cancel.abort();
    await expect(call).rejects.toThrow();
    expect((await waiting).value.data.run.state).toBe('completed');
    expect(log).toEqual(['started', 'closed', 'started', 'closed']);
  });
});

test('without a browser, a run says which one to install', async () => {
  for (const [name, value] of Object.entries({ CHROME_PATH: '/nowhere/chrome', CHROMIUM_PATH: '', PATH: '/nowhere' }))
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const mcp = await startMcp({ ...target(), startBrowser: undefined });
  const { isError, value } = await mcp.call('run_action', { action: 'number-range' });
  expect({ isError, code: value.data.error.code }).toEqual({ isError: true, code: 'BROWSER_MISSING' });
});
