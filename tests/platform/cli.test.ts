/** The command `platform-devtools platform`: in this process, and for signals and exit codes in its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { access, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { request, Server, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Interruption } from '../../lib/cli/command/host.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../lib/local-platform/db/open.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { type Ran, runCli } from '../support/run-cli.ts';
import { startForTest, temporaryFolder } from './support/platform.ts';

// Each test starts several processes or databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });

interface Command {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  /** The exit code and signal. */
  exit: Promise<[number | null, NodeJS.Signals | null]>;
}
interface Ready {
  baseUrl: string;
  authToken: string;
  apps: { id: number; name: string; actions: { id: number; name: string }[] }[];
  oauthDemo: { code: string; implicit: string } | null;
}

function run(args: string[], env: NodeJS.ProcessEnv = {}): Command {
  const child = spawn(process.execPath, ['lib/cli/platform-devtools.js', 'platform', ...args], {
    env: { ...process.env, PLATFORM_AUTH_TOKEN: '', SMTP_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const exit = once(child, 'close') as Command['exit'];
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, out: () => out, err: () => err, exit };
}

async function ready(command: Command): Promise<Ready> {
  while (!command.out().endsWith('\n')) {
    const ended = await Promise.race([
      once(command.child.stdout!, 'data').then(() => false),
      command.exit.then(() => true),
    ]);
    if (ended && !command.out()) throw new Error(`It ended without a word: ${command.err()}`);
  }
  return JSON.parse(command.out()) as Ready;
}

interface Here {
  /** Resolves with the output once it includes the text. */
  printed(text: string): Promise<string>;
  /** Stops it as Ctrl+C does. */
  stop(): Promise<Ran>;
}

/** Runs the command in this process. It stops when the test ends. */
function runHere(args: string[], env: NodeJS.ProcessEnv = {}): Here {
  const controller = new AbortController();
  const output = new EventEmitter();
  let out = '';
  const ended = runCli(['platform', ...args], {
    env: { PLATFORM_AUTH_TOKEN: '', SMTP_URL: '', ...env },
    signal: controller.signal,
    onOutput: (text) => {
      out += text;
      output.emit('more');
    },
  });
  const stop = (): Promise<Ran> => {
    controller.abort(new Interruption(130));
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  const printed = async (text: string): Promise<string> => {
    while (!out.includes(text)) {
      const ran = await Promise.race([once(output, 'more').then(() => null), ended]);
      if (ran && !out.includes(text)) throw new Error(`It ended without “${text}”: ${ran.error}`);
    }
    return out;
  };
  return { printed, stop };
}

async function takenPort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

describe('--json', () => {
  it('prints exactly one line when ready: base URL, token, the visible apps with their actions, and the OAuth2 demo services', async () => {
    const { printed, stop } = runHere(['--port', '0', '--data', 'memory', '--json']);
    const { baseUrl, authToken, apps, oauthDemo, ...rest } = JSON.parse(await printed('\n')) as Ready;
    expect(rest).toEqual({});
    expect(oauthDemo).toEqual({
      code: expect.stringMatching(/^http:\/\/localhost:\d+$/),
      implicit: expect.stringMatching(/^http:\/\/localhost:\d+$/),
    });
    expect(baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(apps.map(({ id, name }) => [id, name])).toEqual([
      [101, 'Field Service'],
      [102, 'Visitor Desk'],
      [103, 'Team Directory'],
    ]);
    for (const app of apps) {
      expect(Object.keys(app)).toEqual(['id', 'name', 'actions']);
      expect(app.actions.length).toBeGreaterThan(0);
      for (const action of app.actions) expect(action).toEqual({ id: expect.any(Number), name: expect.any(String) });
    }
    const listed = await fetch(`${baseUrl}/v1/apps`, { headers: { 'Auth-token': authToken } });
    expect(listed.status).toBe(200);
    const { code, out, error } = await stop();
    expect({ code, lines: out.split('\n').length, error }).toEqual({ code: 0, lines: 2, error: '' });
  });
});

describe('without --json', () => {
  it('prints the base URL, the token, the apps, and that it serves only what the specification shows', async () => {
    const args = ['--port', '0', '--data', 'memory', '--spec-only'];
    const out = await runHere(args, { PLATFORM_AUTH_TOKEN: 'a-token-of-mine' }).printed('Ctrl+C');
    expect(out).toMatch(/ready at http:\/\/localhost:\d+/);
    expect(out).toContain('This platform serves only what the specification shows (--spec-only).');
    expect(out).toContain('Auth-token: a-token-of-mine');
    expect(out).toContain('Field Service: weekly-report');
    expect(out).toMatch(/OAuth2 demo services: http:\/\/localhost:\d+ and http:\/\/localhost:\d+/);
  });
});

/** Sends half of a request and waits until it is being handled; `finish` sends the rest and returns the status. */
async function halfRequest(
  baseUrl: string,
  authToken: string,
): Promise<{ finish: () => Promise<number>; cut: Promise<unknown> }> {
  const body = JSON.stringify({ entries: Array.from({ length: 500 }, (_, n) => ({ n })) });
  const headers = {
    'Auth-token': authToken,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Expect: '100-continue',
  };
  const sent = request(`${baseUrl}/v1/data-sources/503/entries`, { method: 'POST', headers });
  const cut = once(sent, 'error');
  sent.flushHeaders();
  await once(sent, 'continue');
  sent.write(body.slice(0, 100));
  const finish = async (): Promise<number> => {
    sent.end(body.slice(100));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode!;
  };
  return { finish, cut };
}

/** Waits until the port is closed. */
async function refuses(baseUrl: string): Promise<void> {
  while (
    await fetch(`${baseUrl}/v1/status`).then(
      (response) => response.ok,
      () => false,
    )
  );
}

/** Runs a command that can’t start. Returns the one line that it prints. */
const fails = async (args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> => {
  const { code, out, error } = await runCli(['platform', ...args], { env });
  expect(out).toBe('');
  expect(error).toMatch(/^[^\n]*\.”? \((ARGUMENT_INVALID|PLATFORM_NOT_STARTED)\)\n$/);
  expect(code).toBe(error.includes('ARGUMENT_INVALID') ? 64 : 1);
  return error;
};

it('doesn’t start with a data folder that a link leads out of the current folder, nor with a file in it that is one', async () => {
  const [cwd, outside] = [await temporaryFolder(), await temporaryFolder()];
  await symlink(outside, join(cwd, '.platform'));
  await mkdir(join(cwd, 'data'));
  await symlink(join(outside, 'new'), join(cwd, 'data', 'auth-token'));
  for (const args of [[], ['--data', '.platform/new'], ['--data', 'data']]) {
    const ended = await runCli(['platform', '--port', '0', '--no-oauth-demo', ...args], { cwd });
    expect([ended.code, ended.error]).toEqual([74, expect.stringContaining('a link leads out of')]);
  }
  expect(await readdir(outside)).toEqual([]);
});

/** In `npm test`, SIGTERM ends only other commands. */
const SIGNALS = isExhaustive() ? (['SIGINT', 'SIGTERM'] as const) : (['SIGINT'] as const);

describe.each(SIGNALS)('%s', (signal) => {
  it('stops it cleanly: the current request completes, the folder that it locked is unlocked, and the exit code is 0', async () => {
    const data = join(await temporaryFolder(), 'new');
    const command = run(['--port', '0', '--data', data, '--json']);
    const { baseUrl, authToken } = await ready(command);
    expect(await fails(['--port', '0', '--data', data])).toContain(
      `The data folder ${data} is in use by the process ${command.child.pid}`,
    );
    const { finish } = await halfRequest(baseUrl, authToken);
    command.child.kill(signal);
    await refuses(baseUrl);
    expect(await finish()).toBe(201);
    expect(await command.exit).toEqual([0, null]);
    expect(command.err()).toBe('');
    expect((await readdir(data)).sort()).toEqual(['auth-token', 'database', 'lock', 'ready']);

    const { db, close } = await openDatabase({ data });
    onTestFinished(close);
    const { rows } = await db.execute(
      sql`select count(*)::int as n from data_source_entries where data_source_id = 503`,
    );
    expect(rows).toEqual([{ n: 500 }]);
  });
});

it('an idle keep-alive connection doesn’t delay the stop', async () => {
  const cut = vi.spyOn(Server.prototype, 'closeAllConnections');
  onTestFinished(() => cut.mockRestore());
  const platform = await startForTest({ oauthDemoPort: null });
  const { finish } = await halfRequest(platform.baseUrl, platform.authToken);
  const closed = platform.close();
  expect(await finish()).toBe(201);
  await closed;
  expect(cut).not.toHaveBeenCalled();
});

it('a signal stops the platform even when a request never ends', async () => {
  const { printed, stop } = runHere(['--port', '0', '--data', 'memory', '--json']);
  const { baseUrl, authToken } = JSON.parse(await printed('\n')) as Ready;
  const { cut } = await halfRequest(baseUrl, authToken);
  const stopped = stop();
  await cut;
  expect(await stopped).toMatchObject({ code: 0, error: '' });
});

describe('a start that fails', () => {
  it('prints one line to standard error and exits with code 64', async () => {
    const command = run(['--port', 'x']);
    expect(await command.exit).toEqual([64, null]);
    expect(command.out()).toBe('');
    expect(command.err()).toBe(
      '--port must be an integer from 0 to 65535, not “x”. Try --help to see all options. (ARGUMENT_INVALID)\n',
    );
  });

  it('names the port that is taken, and leaves the data folder unlocked', async () => {
    const port = await takenPort();
    const data = join(await temporaryFolder(), 'new');
    expect(await fails(['--port', String(port), '--data', data])).toContain(
      `Port ${port} on 127.0.0.1 is already in use. Stop the program that’s using it, or choose another port with --port (0 picks a free one).`,
    );
    await expect(access(join(data, 'data.lock'))).rejects.toThrow('ENOENT');
  });

  if (isExhaustive())
    it('says for which process it waits, and the first Ctrl+C ends it with exit code 130: the folder stays as it is', async () => {
      const data = await temporaryFolder();
      await mkdir(join(data, 'data.lock'));
      await writeFile(join(data, 'owner'), '{"pid":12,"host":"laptop","boot":"an earlier one"}');
      const command = run(['--port', '0', '--data', data]);
      await once(command.child.stderr!, 'data');
      command.child.kill('SIGINT');
      expect(await command.exit).toEqual([130, null]);
      expect([command.out(), command.err()]).toEqual([
        '',
        `Waiting 15 s to check if the process 12 on laptop still uses the data folder ${data}.\n`,
      ]);
      expect((await readdir(data)).sort()).toEqual(['data.lock', 'lock', 'owner']);
    });

  if (isExhaustive())
    it('isn’t waited for after Ctrl+C: a Postgres server that never responds', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const command = run(['--port', '0'], { DATABASE_URL: `postgres://user@127.0.0.1:${port}/platform` });
      const [socket] = (await once(server, 'connection')) as [Socket];
      socket.on('error', () => {});
      command.child.kill('SIGINT');
      expect(await command.exit).toEqual([130, null]);
      expect([command.out(), command.err()]).toEqual(['', '']);
    });

  it('names an IP address that the machine doesn’t have', async () => {
    expect(await fails(['--port', '0', '--data', 'memory', '--host', '192.0.2.1'])).toContain(
      'doesn’t have the IP address 192.0.2.1',
    );
  });

  it.each([
    [['--port', 'x'], '--port must be an integer from 0 to 65535, not “x”.'],
    [['--port', '70000'], '--port must be an integer from 0 to 65535'],
    [['--port'], 'Option “--port <number>” argument missing.'],
    [['--prot', '1'], 'Unknown option “--prot”. Did you mean “--port”?'],
    [['now'], 'Too many arguments'],
    [['--data', ''], '--data must not be empty'],
    [
      ['--app-origin', 'https://app.example.com/page'],
      '--app-origin must be a scheme and a host, such as https://app.example.com. Replace “https://app.example.com/page”.',
    ],
    [['--oauth-demo-port', '65535'], '--oauth-demo-port must be an integer from 0 to 65534'],
    [['--rate-limit', '0'], '--rate-limit must be an integer from 1'],
    [['--data', 'memory', '--functions', '/no/such'], 'Couldn’t read the functions folder /no/such'],
    [['--data', '/proc/no/such'], 'Couldn’t use the data folder /proc/no/such'],
    [['--data', '/dev/null/x'], 'Couldn’t use the data folder /dev/null/x'],
  ])('with the options %j', async (args, message) => {
    expect(await fails(args)).toContain(message);
  });

  it.each(['not a url', 'localhost:2525', 'https://example.com', 'smtp://'])('with SMTP_URL=%s', async (url) => {
    expect(await fails(['--data', 'memory', '--port', '0'], { SMTP_URL: url })).toContain(
      'SMTP_URL isn’t the URL of a mail server',
    );
  });

  it.each([
    ['can’t be sent in a header', 'two words'],
    ['looks like a one-time token', `once.${'x'.repeat(43)}`],
  ])('with a token that %s', async (_how, token) => {
    expect(await fails(['--data', 'memory', '--port', '0'], { PLATFORM_AUTH_TOKEN: token })).toContain(
      'The token must be',
    );
  });
});

describe('--help', () => {
  it('lists the options', async () => {
    const { code, out } = await runCli(['platform', '--help']);
    expect(code).toBe(0);
    for (const option of ['--port', '--host', '--data', '--functions', '--json']) expect(out).toContain(option);
  });
});
