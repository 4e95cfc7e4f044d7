/** The commands on a real local platform: apps, sessions, publish, and what interrupts them. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { App } from '../../../lib/platform-api/index.ts';
import { type CliOptions, type Ran, runCli } from '../../support/run-cli.ts';
import { start, temporaryFolder, type TestPlatform } from '../support/platform.ts';

let platform: TestPlatform;
let home: string;
beforeAll(async () => (platform = await start({ oauthDemoPort: null })));
afterAll(() => platform.close());
beforeEach(async () => {
  home = await temporaryFolder();
  await cli(['environments', 'add', 'live', platform.baseUrl, '--production']);
  await cli(['environments', 'add', 'test', platform.baseUrl.replace('localhost', '127.0.0.1')]);
});

const cli = (args: string[], { env, ...options }: CliOptions = {}): Promise<Ran> =>
  runCli(args, {
    ...options,
    env: { PLATFORM_DEVTOOLS_HOME: home, PLATFORM_ENV: 'test', PLATFORM_TOKEN: platform.authToken, ...env },
  });

const appNow = async (id: number): Promise<App> =>
  (await platform.ask<{ apps: App[] }>('/v1/apps')).body.apps.find((app) => app.id === id)!;

/** Passes requests on to the platform, and calls `onPublish` for one that publishes. */
async function proxy(onPublish: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === 'POST') return onPublish(request, response);
    void fetch(platform.baseUrl + request.url!, { headers: { 'Auth-token': platform.authToken } })
      .then((answer) => answer.text())
      .then((text) => response.setHeader('Content-Type', 'application/json').end(text));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const pass = (request: IncomingMessage, response: ServerResponse): void => {
  void fetch(platform.baseUrl + request.url!, {
    method: 'POST',
    headers: { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' },
    body: JSON.stringify({ release: { type: 'silent', changelog: 'Again' } }),
  })
    .then((answer) => answer.text())
    .then((text) => response.setHeader('Content-Type', 'application/json').end(text));
};

const begin = (args: string[], stdio: ('ignore' | 'pipe' | number)[]) =>
  spawn(process.execPath, ['lib/cli/bin.ts', ...args], {
    env: { ...process.env, PLATFORM_DEVTOOLS_HOME: home, PLATFORM_ENV: 'test', PLATFORM_TOKEN: platform.authToken },
    stdio: stdio as 'pipe'[],
  });

describe('apps', () => {
  test('lists the apps as a table, and as the platform’s JSON', async () => {
    expect((await cli(['apps'])).out).toMatch(/^ID +NAME +VERSION\n101 +Field Service/);
    const { apps } = JSON.parse((await cli(['apps', '--json'])).out) as { apps: App[] };
    expect(apps.map(({ id }) => id)).toEqual([101, 102, 103]);
  });
  test('finds apps by a part of the name', async () =>
    expect((await cli(['apps', '--search', 'VISITOR'])).out).toMatch(/^ID.*\n102 +Visitor Desk.*\n$/));
  test('with a token that the platform refuses exits with 77', async () => {
    const { code, error } = await cli(['apps'], { env: { PLATFORM_TOKEN: 'revoked-token' } });
    expect([code, error]).toEqual([77, expect.stringMatching(/^[^\n]*\(TOKEN_REFUSED\)\n$/)]);
    expect(error).not.toContain('revoked-token');
  });
  test('of a platform that isn’t there exits with 69', async () => {
    const { code, error } = await cli(['apps', '--url', 'http://localhost:1']);
    expect([code, error]).toEqual([69, expect.stringContaining('(PLATFORM_UNREACHABLE)')]);
  });
});

test('sessions can be limited', async () => {
  const read = async (...args: string[]): Promise<number[]> => {
    const { out } = await cli(['sessions', '--app', '101', '--json', ...args]);
    return (JSON.parse(out) as { sessions: { id: number }[] }).sessions.map(({ id }) => id);
  };
  const all = await read();
  expect(all.length).toBeGreaterThan(3);
  expect(await read('--limit', '2')).toEqual(all.slice(0, 2));
  expect(await read('--limit', '2', '--offset', '1')).toEqual(all.slice(1, 3));
});

test('an action is shown by name and by ID', async () => {
  const [byName, byId] = await Promise.all(
    ['weekly-report', '1001'].map((name) => cli(['actions', 'get', name, '--app', '101', '--json'])),
  );
  expect(byName).toEqual(byId);
  expect(JSON.parse(byName!.out)).toMatchObject({ action: { id: 1001, name: 'weekly-report' } });
});

describe('publish', () => {
  const NOTES = ['publish', '--app', '102', '--notes', 'Faster lists'];

  test('publishes a release with the notes of standard input', async () => {
    const before = (await appNow(102)).version!;
    const ran = await cli(['publish', '--app', '102', '--type', 'visible', '--notes-file', '-'], {
      input: 'From CI\n',
    });
    expect(ran).toEqual({ code: 0, out: `Published version ${before + 1} of app 102.\n`, error: '' });
    expect((await appNow(102)).version).toBe(before + 1);
  });
  test('to production needs --yes without a terminal, and sends nothing', async () => {
    const before = await appNow(102);
    const { code, error } = await cli([...NOTES, '--env', 'live']);
    expect([code, error]).toEqual([64, expect.stringContaining('(CONFIRMATION_NEEDED)')]);
    expect(await appNow(102)).toEqual(before);
    expect((await cli([...NOTES, '--env', 'live', '--yes'])).code).toBe(0);
  });
  test('of an app that the token can’t access sends nothing', async () => {
    const { code, error } = await cli(['publish', '--app', '999', '--notes', 'x']);
    expect([code, error]).toEqual([
      1,
      expect.stringContaining('Couldn’t find app 999 in the list of apps. Nothing was sent.'),
    ]);
  });

  test.each([
    ['', []],
    [' after one with an unknown outcome, with --again,', ['--again']],
  ])('three times at once%s makes one release, and the others send nothing', async (_, more) => {
    let isLost = more.length > 0;
    const url = await proxy((request, response) => {
      if (isLost) request.socket.destroy();
      else pass(request, response);
    });
    if (isLost) await cli([...NOTES, '--url', url]);
    isLost = false;
    const before = (await appNow(102)).version!;
    const ran = await Promise.all(Array.from({ length: 3 }, () => cli([...NOTES, '--url', url, ...more])));
    expect((await appNow(102)).version).toBe(before + 1);
    expect(ran.map(({ code }) => code).sort()).toEqual([0, 1, 1]);
    for (const { error } of ran.filter(({ code }) => code === 1))
      expect(error).toMatch(/Nothing was sent\..*\((PUBLISH_UNCONFIRMED|CONFLICT)\)/);
  });
  test('whose intent can’t be stored sends nothing', async () => {
    await symlink(join(home, 'nowhere'), join(home, 'publishing.json'));
    const sent = vi.fn(pass);
    const { code, error } = await cli([...NOTES, '--url', await proxy(sent)]);
    expect([code, error]).toEqual([74, expect.stringMatching(/Nothing was sent\. .*\(FILES_NOT_WRITTEN\)/)]);
    expect(sent).not.toHaveBeenCalled();
  });
  test('that the platform refuses says so, also if that can’t be stored, and the next one asks to check first', async () => {
    const file = join(home, 'publishing.json');
    let intent = '';
    const url = await proxy((_request, response) => {
      intent = readFileSync(file, 'utf8');
      rmSync(file);
      symlinkSync(join(home, 'nowhere'), file);
      response.writeHead(403, { 'Content-Type': 'application/json' }).end('{"error":"ACCESS_DENIED","message":"No."}');
    });
    const { code, error } = await cli([...NOTES, '--url', url]);
    expect([code, error]).toEqual([77, expect.stringContaining('(ACCESS_DENIED)')]);
    await rm(file);
    await writeFile(file, intent);
    expect((await cli([...NOTES, '--url', url])).error).toContain('(PUBLISH_UNCONFIRMED)');
  });
  test('is printed before its intent counts as settled, and the next one follows', async () => {
    const url = await proxy(pass);
    const read = (): string => readFileSync(join(home, 'publishing.json'), 'utf8');
    let whenPrinted = '';
    const onOutput = (): void => void (whenPrinted = read());
    expect((await cli([...NOTES, '--url', url], { onOutput })).code).toBe(0);
    expect([whenPrinted, read()].map((text) => /"isSettled": (\w+)/.exec(text)![1])).toEqual(['false', 'true']);
    expect((await cli([...NOTES, '--url', url])).code).toBe(0);
  });
  test('whose output nobody got is noticed by the next one', async () => {
    const child = begin(NOTES, ['ignore', openSync('/dev/full', 'w'), 'ignore']);
    expect(await once(child, 'exit')).toEqual([74, null]);
    expect((await cli(NOTES)).error).toContain('(PUBLISH_UNCONFIRMED)');
  });

  describe('that is interrupted', () => {
    test('by a lost connection exits with 75, and the next one asks to check first', async () => {
      const url = await proxy((request) => request.socket.destroy());
      const lost = await cli([...NOTES, '--url', url]);
      expect([lost.code, lost.error]).toEqual([75, expect.stringContaining('(OUTCOME_UNKNOWN)')]);
      const next = await cli([...NOTES, '--url', url]);
      expect([next.code, next.error]).toEqual([
        1,
        expect.stringMatching(/is still \d+\. Nothing was sent\..*\(PUBLISH_UNCONFIRMED\)/),
      ]);
    });
    test('by the end of the process is noticed by the next one, which --again repeats', async () => {
      const arrived = Promise.withResolvers<void>();
      const url = await proxy(() => arrived.resolve());
      const child = spawn(process.execPath, ['lib/cli/bin.ts', ...NOTES, '--url', url], {
        env: { ...process.env, PLATFORM_DEVTOOLS_HOME: home, PLATFORM_TOKEN: platform.authToken },
        stdio: 'ignore',
      });
      await arrived.promise;
      child.kill('SIGKILL');
      await once(child, 'exit');
      const next = await cli([...NOTES, '--url', url]);
      expect(next.error).toContain('(PUBLISH_UNCONFIRMED)');
      expect((await cli([...NOTES, '--url', await proxy(pass)])).code).toBe(0);
    });
    test('by Ctrl+C still waits for the response, and says what was published', async () => {
      const controller = new AbortController();
      const url = await proxy((_request, response) => {
        controller.abort();
        response.setHeader('Content-Type', 'application/json');
        response.end(JSON.stringify({ app: { id: 102, version: 77, updatedAt: '2026-11-25T00:00:00.000Z' } }));
      });
      const { out } = await cli([...NOTES, '--url', url], { signal: controller.signal });
      expect(out).toBe('Published version 77 of app 102.\n');
    });
  });
});

describe('a process', () => {
  test('whose output nobody reads ends without a word', async () => {
    const child = begin(['apps', '--json'], ['ignore', 'pipe', 'pipe']);
    child.stdout.destroy();
    const [errors, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
    expect([code, errors.join('')]).toEqual([141, '']);
  });
  test('whose output goes to a full disk says so and exits with 74', async () => {
    const child = begin(['apps'], ['ignore', openSync('/dev/full', 'w'), 'pipe']);
    const [errors, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
    expect([code, errors.join('')]).toEqual([74, expect.stringContaining('(OUTPUT_NOT_WRITTEN)')]);
  });
  test('whose output fits on the disk in part says so and exits with 74', async () => {
    const file = join(home, 'apps.json');
    // In blocks of 512 bytes, for all that the process writes to files.
    const child = spawn(
      'sh',
      ['-c', 'ulimit -f 1; exec "$@" > "$0"', file, process.execPath, 'lib/cli/bin.ts', 'apps', '--json'],
      {
        env: { ...process.env, PLATFORM_DEVTOOLS_HOME: home, PLATFORM_ENV: 'test', PLATFORM_TOKEN: platform.authToken },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    const [errors, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
    expect((await readFile(file)).length).toBeGreaterThan(0);
    expect([code, errors.join('')]).toEqual([74, expect.stringContaining('(OUTPUT_NOT_WRITTEN)')]);
  });
  test.each([
    ['a list', ['apps']],
    ['a migration', ['migrate', '--app', '101']],
  ])(
    'that Ctrl+C stops while it waits for %s exits with 130',
    async (_what, args) => {
      const asked = Promise.withResolvers<void>();
      const server = createServer(() => asked.resolve());
      await once(server.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const child = begin([...args, '--url', url], ['ignore', 'pipe', 'pipe']);
      const ended = once(child, 'exit');
      await asked.promise;
      child.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
    },
    60_000,
  );
  test('that Ctrl+C stops while it reads what never ends exits with 130, and has sent nothing', async () => {
    const before = await appNow(102);
    const pipe = join(home, 'notes');
    execFileSync('mkfifo', [pipe]);
    const child = begin(['publish', '--app', '102', '--notes-file', pipe], ['ignore', 'pipe', 'pipe']);
    const ended = once(child, 'exit');
    // Opens once the other end does.
    const writer = await open(pipe, 'w');
    await writer.write('The first part');
    child.kill('SIGINT');
    const [errors, end] = await Promise.all([child.stderr.toArray(), ended]);
    await writer.close();
    expect([end, errors.join('')]).toEqual([[130, null], 'Nothing was changed. (ABORTED)\n']);
    expect(await appNow(102)).toEqual(before);
  });
  test.runIf(process.platform === 'linux')(
    'gives no token to the browser that it starts',
    async () => {
      const [browser, seen] = [join(home, 'browser'), join(home, 'environments')];
      const script = `#!/bin/sh\nfor child in $(cat /proc/$PPID/task/*/children); do cat /proc/$child/environ >> ${seen}; done\n`;
      await writeFile(browser, script, { mode: 0o755 });
      const args = ['run', '--action', 'notify-admins', '--app', '101'];
      const env = { ...process.env, PLATFORM_DEVTOOLS_HOME: home, PLATFORM_ENV: 'test', CHROME_PATH: browser };
      const secrets = { PLATFORM_TOKEN: platform.authToken, PLATFORM_AUTH_TOKEN: 'secret-1', DATABASE_URL: 'secret-2' };
      const child = spawn(process.execPath, ['lib/cli/bin.ts', ...args], {
        env: { ...env, ...secrets },
        stdio: 'ignore',
      });
      await once(child, 'exit');
      const environments = await readFile(seen, 'utf8');
      expect(environments).toContain('CHROME_PATH=');
      for (const secret of Object.values(secrets)) expect(environments).not.toContain(secret);
    },
    60_000,
  );
  test('reads Windows paths as they are', async () => {
    const { code, error } = await cli(['apps', '--token-file', String.raw`C:\Users\me\token.txt`]);
    expect([code, error]).toEqual([74, expect.stringContaining(String.raw`C:\Users\me\token.txt`)]);
  });
});
