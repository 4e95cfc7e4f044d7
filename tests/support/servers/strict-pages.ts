/** Serves a page that forbids all code but that of its server. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StrictPages {
  url: string;
  close(): Promise<void>;
}

const POLICY = "default-src 'none'; script-src 'self'";
const SCRIPT = "document.title = 'Strict';";

export async function startStrictPages(): Promise<StrictPages> {
  const server = createServer((request, response) => {
    if (request.url === '/page.js') response.setHeader('content-type', 'text/javascript').end(SCRIPT);
    else if (request.url !== '/') response.writeHead(404).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': POLICY })
        .end('<!doctype html><link rel="icon" href="data:,"><script src="/page.js"></script>');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
