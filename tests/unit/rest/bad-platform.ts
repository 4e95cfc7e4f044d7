/** An HTTP server for tests of the REST client, which responds as each test decides. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BadPlatform {
  baseUrl: string;
  /** Requests so far, oldest first. */
  requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[];
  respond(listener: (request: IncomingMessage, response: ServerResponse, nth: number) => void): void;
  close(): Promise<void>;
}

export async function startBadPlatform(): Promise<BadPlatform> {
  let listener: (request: IncomingMessage, response: ServerResponse, nth: number) => void = (_request, response) =>
    response.end();
  const requests: BadPlatform['requests'] = [];
  const onRequest: RequestListener = (request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      listener(request, response, requests.length);
    });
  };
  const server: Server = createServer(onRequest);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond: (next) => {
      listener = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const json = (
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
};
