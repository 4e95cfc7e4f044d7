/** Which IP addresses the servers of a host listen on, and what happens when one of them isn’t free. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { closeAll, listen, ListenError, type Listening } from '../../../lib/local-platform/listen.ts';

/** A system where opening a port at `::1` has these outcomes, then succeeds. It needs no IPv6 itself. */
function systemWith(...outcomes: (string | null)[]): { create: () => Server; asked: string[] } {
  const asked: string[] = [];
  const create = (): Server => {
    const server = createServer();
    const open = server.listen.bind(server) as (port: number, host: string) => Server;
    server.listen = ((port: number, host: string) => {
      asked.push(`${host} ${port === 0 ? 'any' : 'same'}`);
      const code = host === '::1' ? (outcomes.shift() ?? null) : null;
      if (code === null) return open(host === '::1' ? 0 : port, '127.0.0.1');
      queueMicrotask(() => server.emit('error', Object.assign(new Error(code), { code })));
      return server;
    }) as Server['listen'];
    return server;
  };
  return { create, asked };
}

async function opened(starts: Promise<Listening>): Promise<Listening> {
  const listening = await starts;
  onTestFinished(() => closeAll(listening.servers));
  return listening;
}

const portOf = (server: Server | undefined): number => (server!.address() as AddressInfo).port;

test.each([
  ['127.0.0.1', ['127.0.0.1 any', '::1 same']],
  ['localhost', ['127.0.0.1 any', '::1 same']],
  ['0.0.0.0', ['0.0.0.0 any', '::1 same']],
  ['::', [':: any']],
  ['127.0.0.2', ['127.0.0.2 any']],
])('the host %s, whose URL leads to any of its addresses, listens on all of them', async (host, expected) => {
  const { create, asked } = systemWith();
  const { servers, port } = await opened(listen(create, 0, host));
  expect(asked).toEqual(expected);
  expect(servers).toHaveLength(expected.length);
  expect(port).toBeGreaterThan(0);
});

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])(
  'a system without IPv6 (%s) needs only the other address',
  async (code) => {
    const { servers, port } = await opened(listen(systemWith(code).create, 0, '127.0.0.1'));
    expect(servers.map(portOf)).toEqual([port]);
  },
);

test('a port that another program has at one address isn’t used, and the other address is free again', async () => {
  const free = await listen(createServer, 0, '127.0.0.2');
  await closeAll(free.servers);
  const refused = listen(systemWith('EADDRINUSE').create, free.port, '127.0.0.1');
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ListenError);
  expect(error).toMatchObject({ code: 'EADDRINUSE', host: '::1' });
  await opened(listen(systemWith('EADDRNOTAVAIL').create, free.port, '127.0.0.1'));
});

test('any free port is one that is free at both addresses', async () => {
  const { create, asked } = systemWith('EADDRINUSE', 'EADDRINUSE');
  await opened(listen(create, 0, '127.0.0.1'));
  expect(asked).toEqual(['127.0.0.1 any', '::1 same', '127.0.0.1 any', '::1 same', '127.0.0.1 any', '::1 same']);
});
