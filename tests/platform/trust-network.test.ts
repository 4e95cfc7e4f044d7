/**
 * Requests of the platform to other servers for pages and runs: only to public addresses, and with limits for responses
 * (issue, "Trust").
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isPrivate } from '../../lib/local-platform/runner/addresses.ts';
import { start, type Refusal, type TestPlatform } from './support/platform.ts';
import { inProcessChild } from './support/in-process-child.ts';
import { testRunner, type TestRunner, type TestRunnerOptions } from './support/runner.ts';

describe('an IP address', () => {
  it.each([
    '0.0.0.0',
    '0.1.2.3',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.0.1',
    '169.254.169.254',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.0.170',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:0:7f00:1::',
    '2001:10::1',
    '2001:20::1',
    '2001:db8::1',
    '2002::1',
    '2002:7f00:1::',
    '2002:c0a8:101::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fe80::1%eth0',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
    'not an address',
    '',
    '127.1',
    '2130706433',
  ])('%j is private', (address) => {
    expect(isPrivate(address)).toBe(true);
  });

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:4860:4860::8888',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('%s is public', (address) => {
    expect(isPrivate(address)).toBe(false);
  });
});

/** A server with the same response to every request. */
async function saying(...pieces: (string | Buffer)[]): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The platform sends the requests of runs, wherever those are executed. */
const networkRunner = (options: TestRunnerOptions = {}): TestRunner =>
  testRunner({ ...options, startChild: inProcessChild });

const result = async (run: ReturnType<TestRunner['code']>): Promise<unknown> => {
  const { outcome } = await run;
  return outcome.state === 'completed'
    ? outcome.result
    : `${outcome.failure.errorType}: ${outcome.failure.errorMessage}`;
};

describe('a host name that resolves to a private address', () => {
  let platform: TestPlatform;
  let seen = 0;
  let port = 0;
  const forbidden = createServer(() => void (seen += 1));
  const runner = networkRunner();
  beforeAll(async () => {
    platform = await start();
    await once(forbidden.listen(0, '127.0.0.1'), 'listening');
    ({ port } = forbidden.address() as AddressInfo);
  });
  afterAll(async () => {
    await Promise.all([platform.close(), runner.close()]);
    forbidden.close();
  });
  const WAYS = [
    'http://LocalHost:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://127.000.000.001:PORT/',
    'http://017700000001:PORT/',
    'http://0x7f.0x0.0x0.0x1:PORT/',
    'http://127.0x1:PORT/',
    'http://127.65535:PORT/',
    'http://%31%32%37.0.0.1:PORT/',
    'http://127%2e0%2e0%2e1:PORT/',
    'http://１２７.０.０.１:PORT/',
    'http://127。0。0。1:PORT/',
    'http://ⓛocalhost:PORT/',
    'http://[0:0:0:0:0:0:0:1]:PORT/',
    'http://[::127.0.0.1]:PORT/',
    'http://[::ffff:0:7f00:1]:PORT/',
    'http://[2002:7f00:1::]:PORT/',
    'http://[2001:0:7f00:1::]:PORT/',
    'http://169.254.169.254/',
    'http://[fd00:ec2::254]/',
    'http:127.0.0.1:PORT/',
    'http:\\\\127.0.0.1:PORT\\',
  ];

  it.each(WAYS)('%s is refused by the proxy', async (url) => {
    const { status, body } = await platform.ask('/v1/proxy', { body: { url: url.replace('PORT', String(port)) } });
    expect({ status, error: body.error, seen }).toEqual({ status: 403, error: 'PROXY_ADDRESS_REFUSED', seen: 0 });
  });

  // Not every resolver can resolve it.
  it('is refused by the proxy for http://localhost./', async () => {
    const { status, body } = await platform.ask('/v1/proxy', { body: { url: `http://localhost.:${port}/` } });
    expect([
      [403, 'PROXY_ADDRESS_REFUSED'],
      [502, 'PROXY_UNREACHABLE'],
    ]).toContainEqual([status, body.error]);
    expect(seen).toBe(0);
  });

  it('is refused in a run', async () => {
    const urls = WAYS.map((url) => url.replace('PORT', String(port)));
    expect(
      await result(
        runner.code(
          `return Promise.all(${JSON.stringify(urls)}.map((url) => fetch(url).then((answer) => answer.status, (error) => /private IP addresses are blocked for runs and pages/.test(error.message) || error.message)))`,
        ),
      ),
    ).toEqual(urls.map(() => true));
    expect(seen).toBe(0);
  });

  it.each([
    'http://user@127.0.0.1:PORT/',
    'http://public.example:x@127.0.0.1:PORT/',
    'http://@127.0.0.1:PORT:PORT/',
    'http://127.0.0.1:99999/',
    'http://[::1/',
    'http://',
    '//127.0.0.1:PORT/',
    'gopher://127.0.0.1:PORT/',
    'unix:/tmp/socket',
    'http+unix://%2ftmp%2fsocket/',
  ])('is refused as an invalid URL: %s', async (url) => {
    expect((await platform.ask('/v1/proxy', { body: { url: url.replaceAll('PORT', String(port)) } })).body.error).toBe(
      'INVALID',
    );
  });

  it('is refused at each redirect from an allowed URL', async () => {
    const last = await saying(`HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`);
    const first = await saying(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${last}\r\nContent-Length: 0\r\n\r\n`);
    const own = await start({ allowPrivate: [first, last].map((url) => new URL(url).host) });
    onTestFinished(() => own.close());
    expect((await own.ask('/v1/proxy', { body: { url: first } })).body.error).toBe('PROXY_ADDRESS_REFUSED');
    const open = networkRunner({ allowPrivate: [first, last].map((url) => new URL(url).host) });
    onTestFinished(() => open.close());
    expect(await result(open.code(`return (await fetch(${JSON.stringify(first)})).status`))).toMatch(
      /^TypeError: Couldn’t reach 127\.0\.0\.1: private IP addresses are blocked/,
    );
    expect(seen).toBe(0);
  });
});

describe('a response', () => {
  let platform: TestPlatform;
  const LIMIT = 700;
  beforeAll(async () => {
    platform = await start({ allowPrivate: ['127.0.0.1'], proxyTimeLimit: LIMIT });
  });
  afterAll(() => platform.close());
  const proxy = (url: string) => platform.ask<Refusal>('/v1/proxy', { body: { url } });

  it.each([
    [
      'a switch to another protocol',
      ['HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'],
      'PROXY_UNREACHABLE',
    ],
    ['endless “Continue” responses', ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(2_000)], 'PROXY_TIMEOUT'],
    ['endless headers', ['HTTP/1.1 200 OK\r\nX: '], 'PROXY_TIMEOUT'],
    ['headers of a megabyte', ['HTTP/1.1 200 OK\r\nX: ', 'x'.repeat(1024 * 1024)], 'PROXY_UNREACHABLE'],
    ['less than its Content-Length', ['HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nx'], 'PROXY_TIMEOUT'],
    [
      'both Content-Length and chunks',
      ['HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello'],
      'PROXY_UNREACHABLE',
    ],
    ['an invalid status', ['HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'], 'PROXY_UNREACHABLE'],
    ['the greeting of another protocol', ['SSH-2.0-OpenSSH_9.2\r\n'], 'PROXY_UNREACHABLE'],
    ['11 MB without a length', ['HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(11 * 1024 * 1024)], 'PROXY_TOO_LARGE'],
  ])('with %s is canceled with a code', async (_, pieces, code) => {
    const startedAt = performance.now();
    expect((await proxy(await saying(...pieces))).body.error).toBe(code);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT + 4_000);
  });

  it('that is compressed is forwarded as it is, so that it can’t expand here', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const url = await saying(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\nConnection: close\r\n\r\n`,
      bomb,
    );
    const runner = networkRunner({ allowPrivate: ['127.0.0.1'] });
    onTestFinished(() => runner.close());
    expect(
      await result(runner.code(`return (await (await fetch(${JSON.stringify(url)})).text()).length`)),
    ).toBeLessThan(bomb.length + 1);
  });

  it('to a method that no page may use isn’t requested', async () => {
    const runner = networkRunner({ allowPrivate: ['127.0.0.1'] });
    onTestFinished(() => runner.close());
    for (const method of ['CONNECT', 'TRACE', 'TRACK'])
      expect(
        await result(runner.code(`return (await fetch("http://127.0.0.1:1/", { method: "${method}" })).status`)),
      ).toBe(`TypeError: Runs can’t send ${method} requests. Use another method.`);
  });

  it('waits when a run that doesn’t read its responses has 24 MB of them in memory', async () => {
    const sockets: Socket[] = [];
    // Each sends 9 MB and doesn’t end until all have arrived.
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', () =>
        socket.write(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${'x'.repeat(9 * 1024 * 1024)}`, () => {
          if ((written += 1) + refused() >= 6) for (const each of sockets) each.end();
        }),
      );
      socket.once('close', () => {
        if (written + refused() >= 6) for (const each of sockets) each.end();
      });
    });
    let written = 0;
    const refused = (): number => sockets.filter((socket) => socket.destroyed && socket.writableLength > 0).length;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const runner = networkRunner({ allowPrivate: ['127.0.0.1'], time: 120_000 });
    onTestFinished(async () => {
      await runner.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const reported = (await result(
      runner.code(
        `return (await Promise.allSettled(Array.from({ length: 6 }, () => fetch("http://127.0.0.1:${port}/")))).map(({ status, reason }) => reason ? reason.message : status)`,
      ),
    )) as string[];
    const full = reported.filter(
      (each) => each === 'A run’s pending responses are limited to 24 MB. Await some of them first.',
    );
    expect(full.length).toBeGreaterThanOrEqual(3);
    expect(reported.filter((each) => each === 'fulfilled').length + full.length).toBe(6);
  });
});
