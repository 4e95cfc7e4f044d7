import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorResponse, jsonPieces } from '../../../lib/local-platform/http/response.ts';

let made: AsyncGenerator<string, void>;
let server: Server;
let address: string;
beforeAll(async () => {
  const app = new Hono();
  app.get('/', (c) => jsonPieces(c, made));
  app.onError((error, c) => errorResponse(c, error, () => {}));
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

it('sends the pieces of a JSON text as one response', async () => {
  made = (async function* () {
    yield '{"list":["é"';
    yield ',2';
    yield ']}';
  })();
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({ list: ['é', 2] });
});

it('responds with an error when the first piece fails', async () => {
  made = (async function* () {
    yield await Promise.reject<string>(new Error('no'));
  })();
  const response = await fetch(address);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: 'INTERNAL' });
});

it('cuts the response off when a later piece fails, so that it isn’t taken for complete', async () => {
  made = (async function* () {
    yield '{"list":[1';
    throw new Error('no');
  })();
  const response = await fetch(address);
  await expect(response.text()).rejects.toThrow();
});

it('stops making pieces when the client closes the connection', async () => {
  const ended = Promise.withResolvers<number>();
  made = (async function* () {
    let count = 0;
    try {
      for (; ; count += 1) yield 'x'.repeat(1_000_000);
    } finally {
      ended.resolve(count);
    }
  })();
  const controller = new AbortController();
  const response = await fetch(address, { signal: controller.signal });
  await response.body!.getReader().read();
  controller.abort();
  expect(await ended.promise).toBeGreaterThan(0);
});
