/** An app with deliberate faults, and an API without CORS, each on its own origin. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const SCRIPT = '/packages/platform-oauth2:0.1.js';
const page = (
  policy = '',
  script = '',
): string => `<!doctype html><meta charset="utf-8">${policy}<title>App</title><link rel="icon" href="data:,">
<script>
  // Another listener for a login’s response, which was registered before the library.
  addEventListener('message', ({ data }) => window.eavesdrop?.(data));
</script>
<script src="${SCRIPT}"></script>
<button>Log in</button>
<script>document.querySelector('button').onclick = () => Platform.OAuth2(window.service).login().catch(() => {});${script}</script>`;

/** Another library: it checks nothing, reports nothing, and rejects with the browser’s errors. */
const FOREIGN = `<!doctype html><meta charset="utf-8"><title>App</title><link rel="icon" href="data:,">
<script>
  const configurations = {};
  const configure = (service, configuration) => service === undefined ? configurations : configuration ? (configurations[service] = configuration) : configurations[service];
  const service = (name) => ({
    login: () => Promise.resolve(window.open(configurations[name].authUrl)),
    logout: () => Promise.resolve(),
    getAuthResponse: () => Promise.resolve(null),
    api: (path) => fetch(configurations[name].baseUrl + '/' + path, { headers: { authorization: 'Bearer anything' } }),
    on: () => null,
  });
  window.Platform = { OAuth2: Object.assign(service, { configure }) };
</script><button>Log in</button>`;

const PAGES: Record<string, string> = {
  '/': page(),
  '/foreign': FOREIGN,
  '/strict': page('<meta http-equiv="Content-Security-Policy" content="connect-src \'self\'">'),
};

export interface DoctorApp {
  /** Of the app. */
  origin: string;
  /** Of an API without CORS headers. */
  closedApi: string;
  /** A port without a server. */
  unreachable: string;
  /** The built library, once the platform is available. */
  serve(library: string): void;
  close(): Promise<void>;
}

export async function startDoctorApp(): Promise<DoctorApp> {
  let library = '';
  const app = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://app');
    const isScript = pathname === SCRIPT;
    // Logs in without a click, which browsers block.
    const early = searchParams.get('early');
    const text = isScript
      ? library
      : early
        ? page('', `Platform.OAuth2.configure('early', ${early}); Platform.OAuth2('early').login().catch(() => {});`)
        : (PAGES[pathname] ?? '');
    response
      .writeHead(text ? 200 : 404, {
        'content-type': isScript ? 'text/javascript' : 'text/html',
        'cache-control': 'no-store',
      })
      .end(text);
  });
  const api = createServer((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
  const gone = createServer();
  const [origin, closedApi, unreachable] = [await listen(app), await listen(api), await listen(gone)];
  await stop(gone);
  return {
    origin,
    closedApi,
    unreachable,
    serve: (text) => void (library = text),
    close: async () => void (await Promise.all([app, api].map(stop))),
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
