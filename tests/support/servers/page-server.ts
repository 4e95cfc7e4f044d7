/** Serves a test’s own pages on loopback. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PageServer<P extends string> {
  origin: string;
  url(page: P): string;
  close(): Promise<void>;
}

/** @param respond returns the file at a path without its leading slash; undefined for 404 */
export async function startPages<P extends string>(
  respond: (path: string) => { type: 'html' | 'javascript' | 'json'; text: string } | undefined,
): Promise<PageServer<P>> {
  const server = createServer((request, response) => {
    const found = respond(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1));
    if (!found) response.writeHead(404).end();
    else {
      const kind = found.type === 'json' ? 'application' : 'text';
      response.writeHead(200, { 'content-type': `${kind}/${found.type}; charset=utf-8` }).end(found.text);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    url: (page) => `${origin}/${page}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
