import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorAnswer, jsonPieces } from '../../../lib/local-platform/http/answer.ts';

let made: AsyncGenerator<string, void>;
let server: Server;
let address: string;
beforeAll(async () => {
  const app = new Hono();
  app.get('/', (c) => jsonPieces(c, made));
  app.onError((error, c) => errorAnswer(c, error, () => {}));
  server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

it('answers pieces as one JSON text', async () => {
  made = (async function* () {
    yield '{"list":["é"';
    yield ',2';
    yield ']}';
  })();
  const response = await fetch(address);
  expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
    200,
    'application/json; charset=utf-8',
    { list: ['é', 2] },
  ]);
});

it('answers an error when the first piece fails', async () => {
  made = (async function* () {
    yield await Promise.reject<string>(new Error('no'));
  })();
  const response = await fetch(address);
  expect([response.status, await response.json()]).toMatchObject([500, { error: 'INTERNAL' }]);
});

it('cuts the answer off when a later piece fails, so that nobody takes it for whole', async () => {
  made = (async function* () {
    yield '{"list":[1';
    throw new Error('no');
  })();
  const response = await fetch(address);
  await expect(response.text()).rejects.toThrow();
});

it('makes no more pieces for somebody who went away', async () => {
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
