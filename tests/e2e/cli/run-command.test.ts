/** `run` as people and scripts use it: output, exit codes, recordings, signals, and closed pipes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { sharedRunBrowser } from '../../support/run-browser.ts';
import { type Ran, runCli } from '../../support/run-cli.ts';

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null });
  folder = mkdtempSync(join(tmpdir(), 'run-command-'));
});
afterAll(async () => {
  await platform?.close();
  rmSync(folder, { recursive: true, force: true });
});

const env = (): NodeJS.ProcessEnv => ({ PLATFORM_URL: platform.baseUrl, PLATFORM_TOKEN: platform.authToken });
const cli = (...args: string[]): Promise<Ran> =>
  runCli(args, { cwd: folder, env: env(), startBrowser: sharedRunBrowser });
/** In a browser of its own. */
const cliAlone = (...args: string[]): Promise<Ran> => runCli(args, { cwd: folder, env: env() });

test('the output has the steps, the state, and the result', async () => {
  const { code, out, error } = await cli('run', '--app', '101', '--action', 'one-of-each-step');
  expect([code, error]).toEqual([0, '']);
  const lines = out.trimEnd().split('\n');
  expect(lines[0]).toMatch(/^✓ set-context {2}\/0 {2}.*ms$/);
  expect(lines).toContainEqual(
    expect.stringMatching(/^✓ wait {2}\/2\/functions\/0\/functions\/1, iteration 2 › 1 {2}/),
  );
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^completed: .*ms, 17 steps$/), 'Result: "second: 1,2,1,2"']);
});

test('a run is recorded, and its recording replays to the same end', async () => {
  mkdirSync(join(folder, 'runs'));
  const ran = await cli(
    'run',
    '--app',
    '101',
    '--action',
    'one-of-each-step',
    '--record',
    'runs',
    '--engine',
    'ours',
    '--json',
  );
  const { run } = JSON.parse(ran.out) as { run: { recording: string; state: string; steps: unknown[] } };
  expect(run).toMatchObject({ state: 'completed', engine: 'ours', result: 'second: 1,2,1,2' });
  expect(run.recording).toMatch(/runs[\\/]one-of-each-step-[\dT-]+\.run\.json$/);
  expect(readFileSync(run.recording, 'utf8')).not.toContain(platform.authToken);
  const replayed = await cli('replay', run.recording, '--json');
  expect(replayed.code).toBe(0);
  expect(JSON.parse(replayed.out)).toMatchObject({ replays: [{ outcome: 'same', steps: run.steps.length }] });
});

test('an action that fails has exit code 2, and explain says why', async () => {
  const ran = await cli('run', '--app', '101', '--action', 'throws-on-bad-address', '--record', 'bad.run.json');
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/^failed: /m);
  expect(ran.out).toContain('isn’t an email address. (STEP_FAILED)\n  step /1/functions/0/conditions/0/functions/0');
  const { out } = await cli('explain', 'bad.run.json', '--step', '/1/functions/0', '--iteration', '12');
  expect(out).toContain("iteration 12: branch 1\n  when currentItem.data.role === 'manager': true");
});

if (isExhaustive())
  test('on a terminal, steps are printed as they end, in colors and without the list at the end', async () => {
    const pieces: string[] = [];
    const ran = await runCli(['run', '--app', '101', '--action', 'number-range'], {
      env: { ...env(), FORCE_COLOR: '1' },
      startBrowser: sharedRunBrowser,
      isTerminal: { out: true, error: true },
      onOutput: (text) => pieces.push(text),
    });
    expect(ran.error).toContain('Opening the debug page…');
    const steps = pieces.filter((piece) => /^[✓!]/.test(piece));
    expect(steps).toHaveLength(53);
    expect(pieces.at(-1)).toMatch(/completed.*: .* 53 steps\nResult: "Sum: 210/);
  });

test('a payload comes from an option, a file, or standard input', async () => {
  const payload = '{"email": "ada.bakker@northwind.example"}';
  writeFileSync(join(folder, 'payload.json'), payload);
  const args = ['run', '--app', '102', '--action', 'is-email-registered', '--json'];
  const ways = [
    ['--payload-file', '-'],
    ...(isExhaustive()
      ? [
          ['--payload', payload],
          ['--payload-file', 'payload.json'],
        ]
      : []),
  ];
  const results = [];
  for (const way of ways) {
    const ran = await runCli([...args, ...way], {
      cwd: folder,
      env: env(),
      input: payload,
      startBrowser: sharedRunBrowser,
    });
    results.push((JSON.parse(ran.out) as { run: { result: unknown } }).run.result);
  }
  for (const result of results) expect(result).toContain('ada.bakker@northwind.example');
  const wrong = await cli(...args, '--payload', '{');
  expect(JSON.parse(wrong.out)).toMatchObject({ error: { code: 'PAYLOAD_NOT_JSON' } });
});

describe('a production environment', () => {
  const production = async (...args: string[]): Promise<Ran> => {
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    const environments = { live: { url: platform.baseUrl, production: true } };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ default: 'live', environments }), { mode: 0o600 });
    return runCli(['run', '--app', '101', '--action', 'notify-admins', ...args], {
      env: { PLATFORM_DEVTOOLS_HOME: home, PLATFORM_TOKEN: platform.authToken },
      startBrowser: sharedRunBrowser,
    });
  };

  test('needs --yes, unless mocks replace everything that sends or changes something', async () => {
    const refused = await production();
    expect(refused).toMatchObject({ code: 64, out: '' });
    expect(refused.error).toContain('(CONFIRMATION_NEEDED)');
    expect((await production('--dry-run')).code).toBe(0);
    if (isExhaustive()) expect((await production('--yes')).code).toBe(0);
  });
});

test('a place for the recording that can’t be written is found before anything runs', async () => {
  const ran = await cli('run', '--app', '101', '--action', 'notify-admins', '--record', 'missing/a.run.json');
  expect(ran).toMatchObject({ code: 74, out: '', error: expect.stringContaining('(FILES_NOT_WRITTEN)') });
});

/** @throws Error that says what is left, which a failed test then shows */
function isEmpty(left: readonly string[]): true {
  if (left.length > 0) throw new Error(left.join('\n'));
  return true;
}

describe('a process that is ended during a run', () => {
  const { TMPDIR } = process.env;
  // So that no run elsewhere on this machine removes what is left here.
  beforeAll(() => void (process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'tmp-'))));
  afterAll(() => {
    rmSync(tmpdir(), { recursive: true, force: true });
    if (TMPDIR === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = TMPDIR;
  });

  interface Started {
    child: ChildProcess;
    /** Browsers and profiles of this process. */
    left(): string[];
  }

  /** Once its browser requests the debug page, the command knows it. */
  function browserRequested(): () => boolean {
    let requested = false;
    const onRequest = (message: unknown): void => {
      const { request } = message as { request: IncomingMessage };
      requested ||= request.headers['user-agent']?.includes('Mozilla') ?? false;
    };
    subscribe('http.server.request.start', onRequest);
    onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
    return () => requested;
  }

  async function started(...args: string[]): Promise<Started> {
    const child = spawn(
      process.execPath,
      ['lib/cli/bin.ts', 'run', '--app', '101', '--action', 'never-ends', ...args],
      { env: { ...process.env, ...env(), PLATFORM_DEVTOOLS_HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    const isOpened = browserRequested();
    const mark = `platform-devtools-run-${child.pid}-`;
    const commands = (): string[] =>
      readdirSync('/proc').flatMap((pid) => {
        try {
          const command = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
          return command.includes(mark) ? [command.replaceAll('\0', ' ').slice(0, 200)] : [];
        } catch {
          return [];
        }
      });
    await waitFor('the debug page in a browser', () => isOpened() && commands().length > 0);
    // Those of `runCli` stay until the tests end.
    const files = (): string[] => readdirSync(tmpdir()).filter((name) => !name.startsWith('cli-'));
    return { child, left: () => [...commands(), ...files()] };
  }

  // Of two signals, the first one does the same, and other commands end with these codes, too.
  test.each(
    isExhaustive()
      ? ([
          ['SIGINT', 130],
          ['SIGTERM', 143],
        ] as const)
      : [],
  )('by %s leaves no browser and no profile', async (signal, expected) => {
    const { child, left } = await started();
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(expected);
    await waitFor('the browser’s end', () => isEmpty(left()));
  });

  test('by a second signal right after the first one leaves no browser and no profile', async () => {
    const { child, left } = await started();
    // A browser that is closing removes this link first.
    const profile = readdirSync(tmpdir()).find((name) => name.startsWith(`platform-devtools-run-${child.pid}-`));
    rmSync(join(tmpdir(), profile!, 'SingletonSocket'));
    // Two of the same kind would be one. Two kinds arrive in any order, and the second one decides.
    child.kill('SIGINT');
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect([130, 143]).toContain(code);
    await waitFor('the browser’s end', () => isEmpty(left()));
  });

  if (isExhaustive())
    test('by SIGKILL leaves no browser, and the next run removes its profile, but nothing that others link to', async () => {
      const { child, left } = await started();
      child.kill('SIGKILL');
      await once(child, 'exit');
      await waitFor('the browser’s end', () => left().every((one) => !one.includes('--type')));
      const profile = join(tmpdir(), 'platform-devtools-run-99999999-made-up');
      const other = mkdtempSync(join(tmpdir(), 'cli-other-'));
      mkdirSync(profile);
      symlinkSync(join(other, 'SingletonSocket'), join(profile, 'SingletonSocket'));
      expect((await cliAlone('run', '--app', '101', '--action', 'number-range')).code).toBe(0);
      await waitFor('the end of both profiles', () => isEmpty(left()));
      expect(existsSync(other)).toBe(true);
      rmSync(other, { recursive: true });
    });

  // `npm test` closes the pipe of other commands, and cancels runs in this process.
  if (isExhaustive())
    test('by nobody reading its output leaves no browser and no profile', async () => {
      const { child, left } = await started('--timeout', '2');
      child.stdout!.destroy();
      child.stderr!.destroy();
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(141);
      await waitFor('the browser’s end', () => isEmpty(left()));
    });
});
