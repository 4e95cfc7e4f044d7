/** Tests how a page of sessions is read, from platforms with and without paging. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listSessionsTool } from '../../../../lib/cli/mcp/tools/apps.ts';
import { sessionsFrom } from '../../../../lib/cli/operations/sessions-from.ts';

const SESSIONS = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, lastAccessedAt: '2026-11-27T08:00:00Z' }));
let sessionsOfApp: object[] = SESSIONS;
let hasPaging = true;
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url!, 'http://x');
  const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit') ?? Infinity)];
  const sessions = hasPaging ? sessionsOfApp.slice(offset, offset + limit) : sessionsOfApp;
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

it('has more for an assistant than the page also if one of its sessions can’t be read', async () => {
  hasPaging = true;
  sessionsOfApp = [
    { id: 'unreadable' },
    ...SESSIONS,
    ...SESSIONS.map(({ id, ...rest }) => ({ id: id + 150, ...rest })),
  ];
  const connection = { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' };
  const page = async (offset: number) => {
    const call = { session: { app: () => 1, connection }, signal: new AbortController().signal };
    const { list } = await listSessionsTool.handler({ app: 1, offset }, call as never);
    return [list!.items.length, list!.hasMore];
  };
  expect([await page(0), await page(200)]).toEqual([
    [200, true],
    [100, false],
  ]);
});
