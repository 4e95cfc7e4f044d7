/** A platform of another make that serves only debug pages of app 7, and remembers which requests had a token. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const FOREIGN_TOKEN = 'a-token-of-elsewhere-1234';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface DebugPages {
  baseUrl: string;
  /** Method, path, and token of each request that the browser sent. */
  requests: { path: string; token: string | undefined }[];
  close(): Promise<void>;
}

/** @param pages by the ID of the action: a script of the page, or what responds instead */
export async function startDebugPages(pages: Record<number, string | Handler>): Promise<DebugPages> {
  const requests: DebugPages['requests'] = [];
  const server = createServer((request, response) => {
    const token = request.headers['auth-token'];
    const isBrowser = /Chrome/.test(request.headers['user-agent'] ?? '');
    if (isBrowser) requests.push({ path: request.url ?? '', token: typeof token === 'string' ? token : undefined });
    const [, task, file] = /^\/v1\/apps\/7\/tasks\/(\d+)\/(.+?)(?:\?.*)?$/.exec(request.url ?? '') ?? [];
    const page = pages[Number(task)];
    if (page === undefined) return void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>404</h1>');
    if (typeof page !== 'string') return page(request, response);
    if (file !== 'compile') return void response.writeHead(200, { 'content-type': 'text/javascript' }).end(page);
    if (token !== FOREIGN_TOKEN)
      return void response.writeHead(401, { 'content-type': 'text/html' }).end('<h1>401</h1>');
    const html = `<!doctype html><meta charset="utf-8"><script src="/v1/apps/7/tasks/${task}/page.js"></script>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
