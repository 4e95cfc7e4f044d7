/** `npm test` on a project that hangs: how the run ends, and what it leaves behind. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { isRunning } from '../../support/runner/processes.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

interface Run {
  child: ChildProcess;
  /** ID of the process that the hanging test started. */
  browser: number;
  /** Where the run’s tests put browser profiles and databases. */
  profiles: string;
  /** Everything that was printed, once the run has ended. */
  output: Promise<string>;
}

async function startHangingRun(...options: string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), 'platform-devtools-runner-'));
  const file = join(folder, 'pid');
  const config = 'tests/unit/support/hanging-project/vitest.config.ts';
  const child = spawn(process.execPath, ['tests/support/run-tests.ts', '--config', config, ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HANGING_PID_FILE: file },
  });
  const output = readAll(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });
  const [browser, profiles] = await waitFor(
    'the hanging test to start',
    async () => JSON.parse(await readFile(file, 'utf8')) as [number, string],
  );
  expect(isRunning(browser)).toBe(true);
  expect(existsSync(profiles)).toBe(true);
  return { child, browser, profiles, output };
}

async function readAll(child: ChildProcess): Promise<string> {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((closed) => child.once('close', closed));
  return text;
}

/** In `npm test`, only a run that hangs is started: each takes seconds of processor time. */
const SIGNALS = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const;

if (isExhaustive())
  test.each(SIGNALS)(
    'a run ended by %s exits with code %i and leaves no process or profile behind',
    async (signal, code) => {
      const { child, browser, profiles, output } = await startHangingRun();
      child.kill(signal);
      const lines = (await output).trimEnd().split('\n');
      expect(lines.at(-1)).toBe(`This run was ended by ${signal}, and so is all that it started.`);
      expect(child.exitCode).toBe(code);
      expect(isRunning(browser)).toBe(false);
      expect(existsSync(profiles)).toBe(false);
    },
  );

if (isExhaustive())
  test('the check of dependencies says what it didn’t check when the registry refuses it', async () => {
    const registry = createServer((_, response) => response.writeHead(403).end('{"error":"no"}')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void registry.close());
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const child = spawn(process.execPath, ['tests/support/dependencies.ts'], {
      cwd: ROOT,
      env: { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_fetch_retries: '0' },
    });
    expect(await readAll(child)).toContain('dependencies: known vulnerabilities not checked: ');
    expect(child.exitCode).toBe(3);
  });

test('a missing browser is reported in one line', async () => {
  const child = spawn(process.execPath, ['tests/support/runner/install-browsers.ts'], {
    cwd: ROOT,
    env: { ...process.env, CHROME_PATH: '/no/browser' },
  });
  expect(await readAll(child)).toBe(
    'CHROME_PATH is /no/browser, which isn’t an executable file. Correct or remove it.\n',
  );
  expect(child.exitCode).toBe(1);
});

if (isExhaustive())
  test('a run that is killed leaves no process or profile behind', async () => {
    const { child, browser, profiles } = await startHangingRun();
    child.kill('SIGKILL');
    await waitFor('the process that its test started to end', async () => !isRunning(browser));
    await waitFor('its profiles to be removed', async () => !existsSync(profiles));
  });

test('a run in which nothing finishes is ended, names what was running, and leaves no process behind', async () => {
  const { child, browser, output } = await startHangingRun('--stall-limit', '5');
  const text = await output;
  expect(text).toContain('Nothing has happened for 5 seconds');
  expect(text).toContain('hangs.ts > a test that never finishes');
  expect(text.trimEnd().split('\n').at(-1)).toBe('0 passed, 1 failed');
  expect(child.exitCode).toBe(1);
  expect(isRunning(browser)).toBe(false);
});
