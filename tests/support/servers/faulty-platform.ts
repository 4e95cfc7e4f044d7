/** A proxy in front of a real platform. Returns faulty responses on demand. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type Fault =
  /** Forwarded to the real platform. */
  | 'none'
  /** Never responds. */
  | 'silent'
  | 'html'
  | 'empty'
  /** JSON that is cut off in the middle of a string. */
  | 'half-json'
  /** Ten megabytes that aren’t JSON. */
  | 'huge'
  /** A valid list of ten megabytes of apps, named `App 00000` and so on. */
  | 'many-apps'
  /** JSON of another shape. */
  | 'other-json'
  /** A status of 204. */
  | 'no-content'
  /** A status of 503 without a body. */
  | 'unavailable'
  /** A gateway's page, with a status of 502. */
  | 'bad-gateway'
  /** Cuts the connection before the real platform gets the request. */
  | 'cut-before'
  /** Ends the connection (FIN) after the real platform has responded. */
  | 'cut-after'
  /** Resets the connection (RST) after the real platform has responded. */
  | 'reset-after';

/** Each has 500 bytes. */
export const MANY_APPS = 20_000;

function appOf(index: number): object {
  const time = '2026-01-01T00:00:00.000Z';
  return {
    id: index + 1,
    name: `App ${String(index).padStart(5, '0')}`,
    icon: 'x'.repeat(260),
    version: 1,
    settings: {},
    releases: [],
    dependencies: [],
    slug: null,
    createdAt: time,
    updatedAt: time,
    deletedAt: null,
    organizationId: 1,
    startingPageId: null,
    productionAppId: null,
    appUser: { appRoleId: 1, appId: index + 1, userId: 1 },
  };
}

export interface FaultyRequest {
  method: string;
  path: string;
}

export interface FaultyPlatform {
  baseUrl: string;
  /** How it responds to the next requests. */
  fault: Fault;
  /** Which requests the fault applies to; all by default. */
  only: (request: FaultyRequest) => boolean;
  /**
   * A JSON response to send instead, such as `{ apps: hostileApps() }`; undefined for none. A string is sent as a
   * script. The path includes the query.
   */
  given: (request: FaultyRequest) => unknown;
  /** Awaited before the request is forwarded, and again before the response is. */
  gate: (moment: 'received' | 'processed', request: FaultyRequest) => Promise<void> | void;
  /** Makes the real platform one that ignores `Idempotency-Key`. */
  ignoresKeys: boolean;
  /** Sends no “100 Continue”. */
  ignoresExpect: boolean;
  /** Requests so far, oldest first. */
  readonly requests: { method: string; path: string; token: string | undefined; key: string | undefined }[];
  close(): Promise<void>;
}

/** @param target base URL of the real platform without a trailing slash; without one, only faults work */
export async function startFaultyPlatform(target?: string): Promise<FaultyPlatform> {
  const server = createServer((request, response) => {
    faulty.requests.push({
      method: request.method ?? '',
      path: request.url ?? '',
      token: request.headers['auth-token']?.toString(),
      key: request.headers['idempotency-key']?.toString(),
    });
    const incoming = { method: request.method ?? '', path: request.url ?? '' };
    const given = faulty.given(incoming);
    if (typeof given === 'string') return void response.writeHead(200, SCRIPT_TYPE).end(given);
    if (given !== undefined) return void response.writeHead(200, JSON_TYPE).end(JSON.stringify(given));
    if (faulty.ignoresKeys) delete request.headers['idempotency-key'];
    const fault = faulty.only(incoming) ? faulty.fault : 'none';
    respond(fault, target, request, response, (moment) => faulty.gate(moment, incoming)).catch(() =>
      response.destroy(),
    );
  });
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!faulty.ignoresExpect) response.writeContinue();
    server.emit('request', request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const faulty: FaultyPlatform = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: 'none',
    only: () => true,
    given: () => undefined,
    ignoresKeys: false,
    ignoresExpect: false,
    gate: () => {},
    requests: [],
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return faulty;
}

const SCRIPT_TYPE = { 'content-type': 'text/javascript' };
const JSON_TYPE = { 'content-type': 'application/json' };

type Gate = (moment: 'received' | 'processed') => Promise<void> | void;

async function respond(
  fault: Fault,
  target: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  gate: Gate,
): Promise<void> {
  switch (fault) {
    case 'silent':
      return;
    case 'html':
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<!doctype html><title>Sign in</title><h1>Sign in to the proxy</h1>');
      return;
    case 'empty':
      response.writeHead(200, JSON_TYPE).end();
      return;
    case 'half-json':
      response.writeHead(200, JSON_TYPE).end('{"apps":[{"id":1,"name":"Fie');
      return;
    case 'huge':
      response.writeHead(200, JSON_TYPE).end('x'.repeat(10_000_000));
      return;
    case 'many-apps':
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ apps: Array.from({ length: MANY_APPS }, (_, index) => appOf(index)) }));
      return;
    case 'other-json':
      response.writeHead(200, JSON_TYPE).end('{"apps":{"total":3}}');
      return;
    case 'no-content':
      response.writeHead(204).end();
      return;
    case 'unavailable':
      response.writeHead(503).end();
      return;
    case 'bad-gateway':
      response.writeHead(502, { 'content-type': 'text/html' }).end('<!doctype html><title>Bad gateway</title>');
      return;
    case 'cut-before':
      response.destroy();
      return;
    case 'cut-after':
      await passOn(target, request, response, async (moment) => {
        await gate(moment);
        if (moment === 'processed') response.destroy();
      });
      return;
    case 'reset-after':
      await passOn(target, request, response, async (moment) => {
        await gate(moment);
        if (moment === 'processed') request.socket.resetAndDestroy();
      });
      return;
    case 'none':
      await passOn(target, request, response, gate);
  }
}

async function passOn(
  target: string | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  gate: Gate,
): Promise<void> {
  const {
    host: _host,
    connection: _connection,
    expect: _expect,
    ...headers
  } = request.headers as Record<string, string>;
  // The proxy’s pages are the platform’s own.
  if (headers.origin === `http://${request.headers.host}`) headers.origin = String(target);
  await gate('received');
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const real = await fetch(`${target}${request.url}`, {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(hasBody ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' } : {}),
  } as RequestInit);
  await gate('processed');
  if (request.socket.destroyed) return;
  // fetch has decoded the body, so these headers no longer apply.
  const forwarded = [...real.headers].filter(
    ([name]) => !['content-encoding', 'content-length', 'transfer-encoding', 'connection'].includes(name),
  );
  response.writeHead(real.status, Object.fromEntries(forwarded));
  if (real.body) await pipeline(Readable.fromWeb(real.body as never), response);
  else response.end();
}
