/** A demo service’s HTTP server: applies faults, then calls the API, the pages, or the OAuth2 engine. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { isThisMachine } from '../http/guard.ts';
import { closeAll, listen, type Listening } from '../listen.ts';
import { SERVER_LIMITS, nodeLimits } from '../http/server.ts';
import { createApi } from './api.ts';
import type { Fault, FaultTarget } from './fault-menu.ts';
import { Faults } from './faults.ts';
import { pageResponse } from './pages.ts';
import { changeResponse, send, type DemoResponse } from './response.ts';
import { isAppUrl, type Engine } from './service.ts';

export interface DemoServerOptions {
  title: string;
  port: number;
  appOrigins: ReadonlySet<string>;
  /** Creates the engine. Called on the first request that needs it. */
  engine: (issuer: string) => Promise<Engine>;
  /** The base URL of the other service. */
  other: () => string;
  log: (error: unknown) => void;
}

export interface DemoServer {
  /** Such as `http://localhost:4401`. */
  baseUrl: string;
  close(): Promise<void>;
}

/** @throws an error from `listen`, unless another port is free */
export async function startDemoServer(options: DemoServerOptions): Promise<DemoServer> {
  const { port, log } = options;
  let baseUrl = '';
  const handle = createHandler(options, () => baseUrl);
  const create = (): Server => {
    const server = createServer(nodeLimits(SERVER_LIMITS), (req, res) => {
      handle(req, res).catch((error: unknown) => {
        log(error);
        const text = 'The demo service failed. Check the platform’s output for the cause.';
        if (!res.headersSent) send(res, pageResponse(500, 'Internal error', text));
      });
    });
    server.maxConnections = SERVER_LIMITS.connections;
    return server;
  };
  const open = (wanted: number): Promise<Listening> => listen(create, wanted, 'localhost');
  // A port that is in use or doesn’t exist is replaced by a free one.
  const { servers, port: bound } = await open(port < 65_536 ? port : 0).catch(() => open(0));
  baseUrl = `http://localhost:${bound}`;
  return { baseUrl, close: () => closeAll(servers) };
}

type Handler = (req: IncomingMessage, res: ServerResponse) => Promise<void>;

function createHandler({ title, appOrigins, engine, other, log }: DemoServerOptions, baseUrl: () => string): Handler {
  let loading: Promise<Engine> | undefined;
  const loadEngine = (): Promise<Engine> =>
    (loading ??= engine(baseUrl()).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  // If the engine wasn’t loaded, there is nothing to discard.
  const faults = new Faults((what) => void loading?.then((loaded) => loaded.forget(what), log));
  const check = async (token: string) => (await loadEngine()).check(token);
  const api = getRequestListener(createApi({ title, appOrigins, faults, check, other }).fetch, {
    overrideGlobalObjects: false,
  });
  return async (req, res) => {
    for (const [name, value] of Object.entries(DEFAULT_HEADERS)) res.setHeader(name, value);
    // Protects against DNS rebinding.
    if (!isThisMachine(req.headers.host))
      return send(res, pageResponse(400, 'Unknown host', 'Open the service at localhost.'));
    const path = pathOf(req.url ?? '/');
    if (path === null) return send(res, pageResponse(400, 'Invalid URL', 'The URL doesn’t belong to this service.'));
    const target = targetOf(path);
    if (target && (await applyFault(faults, target, req, res, appOrigins))) return;
    if (target === 'api' || OWN_PATHS.has(path)) await api(req, res);
    else (await loadEngine()).handle(req, res);
  };
}

/** Returns true if the fault sent the response. */
async function applyFault(
  faults: Faults,
  target: FaultTarget,
  req: IncomingMessage,
  res: ServerResponse,
  appOrigins: ReadonlySet<string>,
): Promise<boolean> {
  if (target === 'redirect') return applyLoginFault(faults, req, res, appOrigins);
  const fault = faults.take(target, req.method === 'OPTIONS');
  if (!fault) return false;
  if (fault.wait) {
    const closed = new AbortController();
    res.once('close', () => closed.abort());
    await delay(fault.wait, null, { signal: closed.signal }).catch(() => null);
  }
  if (fault.change) changeResponse(res, (response) => changedBy(fault, response));
  return false;
}

function applyLoginFault(
  faults: Faults,
  req: IncomingMessage,
  res: ServerResponse,
  appOrigins: ReadonlySet<string>,
): boolean {
  if (faults.isActive('redirect')) {
    // Only the response shows whether this is the redirect to the app.
    changeResponse(res, (response) =>
      redirectsToApp(response, appOrigins) ? changedBy(faults.take('redirect'), response) : response,
    );
  }
  const isAuthorization = req.method === 'GET' && (req.url ?? '').startsWith('/authorize?');
  const fault = isAuthorization ? faults.take('authorize') : null;
  if (!fault?.instead) return false;
  send(res, fault.instead());
  return true;
}

function redirectsToApp({ headers }: DemoResponse, appOrigins: ReadonlySet<string>): boolean {
  const { href } = new URL(String(headers.location ?? ''), 'http://none.invalid');
  return isAppUrl(href.split('#')[0]!, appOrigins);
}

/** Returns the response unchanged if the fault doesn’t fit it, such as a token fault and an error response. */
function changedBy(fault: Fault | null, response: DemoResponse): DemoResponse | null {
  try {
    return fault?.change ? fault.change(response) : response;
  } catch {
    return response;
  }
}

const DEFAULT_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** Null if the URL is invalid or belongs to another server. */
function pathOf(target: string): string | null {
  return target.startsWith('/') && !target.startsWith('//')
    ? (URL.parse(target, 'http://none.invalid')?.pathname ?? null)
    : null;
}

const OWN_PATHS = new Set(['/', '/faults', '/page.css']);

function targetOf(path: string): FaultTarget | null {
  if (path === '/token') return 'token';
  if (path.startsWith('/api/')) return 'api';
  return /^\/(authorize|login)(\/|$)/.test(path) ? 'redirect' : null;
}
