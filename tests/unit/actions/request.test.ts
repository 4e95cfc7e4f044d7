import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createRequest, RequestError } from '../../../lib/actions/request.ts';

let respond: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => respond(request, response, body));
});
let apiUrl: string;
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mounted/v1/`;
});
afterAll(() => server.close());
afterEach(() => void Reflect.deleteProperty(globalThis, 'ENV'));

const echo = (): void => {
  respond = (request, response, body) =>
    response.end(
      JSON.stringify({
        url: request.url,
        method: request.method,
        token: request.headers['auth-token'],
        type: request.headers['content-type'],
        body,
      }),
    );
};

it('sends requests below /v1/ with the page’s token, and resolves with the JSON of the response', async () => {
  echo();
  Reflect.set(globalThis, 'ENV', { token: 'page.t' });
  expect(await createRequest(apiUrl)('apps/1/data-sources')).toEqual({
    url: '/mounted/v1/apps/1/data-sources',
    method: 'GET',
    token: 'page.t',
    body: '',
  });
});

it('sends a body as JSON, and no token when the page has none', async () => {
  echo();
  expect(await createRequest(apiUrl)('x', { method: 'POST', body: { a: 1 } })).toEqual({
    url: '/mounted/v1/x',
    method: 'POST',
    type: 'application/json',
    body: '{"a":1}',
  });
});

it.each(['https://evil.example/', '//evil.example/', '/v1/apps', '../secret'])(
  'sends the token to no other URL: %s',
  async (path) => {
    echo();
    Reflect.set(globalThis, 'ENV', { token: 'page.t' });
    await expect(createRequest(apiUrl)(path)).rejects.toMatchObject({ code: 'PATH_INVALID', status: null });
  },
);

it('rejects with the code, status, and message of the platform', async () => {
  respond = (_, response) => response.writeHead(422).end('{"error":"INVALID","message":"No good."}');
  const error = await createRequest(apiUrl)('x').catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RequestError);
  expect(error).toMatchObject({ code: 'INVALID', status: 422, message: 'No good.' });
});

it.each([
  [200, '<html>'],
  [200, ''],
  [200, '{"half":'],
  [500, ''],
  [502, '<html>'],
  [500, '[7]'],
  [500, 'null'],
])('rejects when the response is %i and %j', async (status, text) => {
  respond = (_, response) => response.writeHead(status).end(text);
  await expect(createRequest(apiUrl)('x')).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
    status,
    message: expect.stringContaining(String(status)),
  });
});

it('rejects with PLATFORM_UNREACHABLE when there is no response', async () => {
  respond = (request) => request.socket.destroy();
  await expect(createRequest(apiUrl)('x')).rejects.toMatchObject({
    code: 'PLATFORM_UNREACHABLE',
    status: null,
    message: 'Couldn’t get a response to GET x from the platform. Check that it is running.',
  });
  await expect(createRequest(apiUrl)('x', { method: 'DELETE' })).rejects.toMatchObject({
    message:
      'Couldn’t confirm whether the platform handled DELETE x: no response arrived. Check the data before you try again.',
  });
});

it('rejects with ANSWER_INVALID when the response breaks off', async () => {
  respond = (_, response) => void response.writeHead(201).write('{"half"', () => response.destroy());
  await expect(createRequest(apiUrl)('x', { method: 'POST' })).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
    status: 201,
    message: expect.stringContaining('Couldn’t confirm whether the platform handled POST x'),
  });
});

it('sends a key of its own with each change, and none to read or without crypto', async () => {
  respond = (request, response) => response.end(JSON.stringify({ key: request.headers['idempotency-key'] }));
  const request = createRequest(apiUrl);
  const keyOf = async (method: string): Promise<unknown> => ((await request('x', { method })) as { key?: string }).key;
  const keys = [await keyOf('POST'), await keyOf('PUT'), await keyOf('DELETE')];
  expect(keys).toEqual(keys.map(() => expect.stringMatching(/^[0-9a-f]{32}$/)));
  expect(new Set(keys).size).toBe(3);
  expect(await keyOf('GET')).toBeUndefined();
  expect(await createRequest(apiUrl, { hasKeys: false })('x', { method: 'POST' })).toEqual({});
  vi.stubGlobal('crypto', undefined);
  expect(await keyOf('POST')).toBeUndefined();
  vi.unstubAllGlobals();
});

it('doesn’t call it unknown whether a change was made that isn’t JSON', async () => {
  echo();
  const body: Record<string, unknown> = {};
  body['itself'] = body;
  await expect(createRequest(apiUrl)('x', { method: 'POST', body })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringMatching(/^Couldn’t convert the data to JSON: [^\n]+\. Nothing was sent\.$/) as string,
  });
});
