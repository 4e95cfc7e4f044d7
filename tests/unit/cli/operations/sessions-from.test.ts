/** Tests how a page of sessions is read, from platforms with and without paging. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sessionsFrom } from '../../../../lib/cli/operations/sessions-from.ts';

const SESSIONS = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, lastAccessedAt: '2026-11-27T08:00:00Z' }));
let hasPaging = true;
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url!, 'http://x');
  const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit') ?? Infinity)];
  const sessions = hasPaging ? SESSIONS.slice(offset, offset + limit) : SESSIONS;
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ sessions }));
});
beforeAll(async () => void (await once(server.listen(0, '127.0.0.1'), 'listening')));
afterAll(() => server.close());

it.each([true, false])('has the sessions of the page if the platform’s paging is %s', async (paging) => {
  hasPaging = paging;
  const connection = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' };
  const ids = async (offset: number, limit?: number): Promise<number[]> => {
    const sessions = await sessionsFrom(connection, { appId: 1, limit, offset }, {});
    return sessions.map(({ id }) => Number(id));
  };
  const all = SESSIONS.map(({ id }) => id);
  expect(await ids(10)).toEqual(all.slice(10));
  expect(await ids(100, 200)).toEqual(all.slice(100));
  expect(await ids(3, 2)).toEqual([4, 5]);
  expect(await ids(150, 1)).toEqual([]);
});
