/** Owns the HTTP server of one demo service: faults first, then its API and pages, then the OAuth2 engine, loaded when it is first needed. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { isThisMachine } from '../http/guard.ts';
import { SERVER_LIMITS, nodeLimits } from '../http/server.ts';
import { changeAnswer, send, type Answer } from './answer.ts';
import { createApi } from './api.ts';
import type { Fault, Place } from './fault-menu.ts';
import { createFaults, type Faults } from './faults.ts';
import { pageAnswer } from './pages.ts';
import { isAppUrl, type Engine } from './service.ts';

export interface DemoServerOptions {
  title: string;
  host: string;
  port: number;
  appOrigins: ReadonlySet<string>;
  /** Makes the engine at the first request that needs one. */
  engine: (issuer: string) => Promise<Engine>;
  /** The other service's address. */
  other: () => string;
  log: (error: unknown) => void;
}
export interface DemoServer {
  /** Such as `http://localhost:4401`. */
  baseUrl: string;
  close(): Promise<void>;
}

/** @throws what `listen` fails with, unless another port may be taken instead */
export async function startDemoServer({
  title,
  host,
  port,
  appOrigins,
  engine: load,
  other,
  log,
}: DemoServerOptions): Promise<DemoServer> {
  let loading: Promise<Engine> | undefined;
  const engine = (): Promise<Engine> =>
    (loading ??= load(baseUrl).catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
  // What was never loaded has nothing to forget.
  const faults = createFaults((what) => void loading?.then((made) => made.forget(what), log));
  const own = getRequestListener(
    createApi({ title, appOrigins, faults, check: async (token) => (await engine()).check(token), other }).fetch,
    { overrideGlobalObjects: false },
  );

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    for (const [name, value] of Object.entries(ALWAYS)) res.setHeader(name, value);
    if (!isThisMachine(req.headers.host))
      return send(
        res,
        pageAnswer(400, 'Not here', 'This service answers under the names of this machine alone; use localhost.'),
      );
    const path = pathOf(req.url ?? '/');
    if (path === null) return send(res, pageAnswer(400, 'No address', 'There is no such address; check it.'));
    const place = placeOf(path);
    if (place && (await strike(faults, place, req, res, appOrigins))) return;
    if (place === 'api' || isOwn(path)) await own(req, res);
    else (await engine()).handle(req, res);
  }
  const server = createServer(nodeLimits(SERVER_LIMITS), (req, res) => {
    answer(req, res).catch((error: unknown) => {
      log(error);
      if (!res.headersSent)
        send(
          res,
          pageAnswer(500, 'It failed', 'The demo service failed to answer; the output of the platform says why.'),
        );
    });
  });
  server.maxConnections = SERVER_LIMITS.connections;
  const baseUrl = `http://localhost:${await listen(server, host, port)}`;
  return {
    baseUrl,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** @returns whether it answered already */
async function strike(
  faults: Faults,
  place: Place,
  req: IncomingMessage,
  res: ServerResponse,
  appOrigins: ReadonlySet<string>,
): Promise<boolean> {
  if (place === 'redirect') {
    if (faults.waits('redirect')) {
      // Known only once the service answers: whether this is the way back to the app.
      changeAnswer(res, (answer) =>
        isAppUrl(new URL(String(answer.headers.location ?? ''), 'http://none.invalid').href.split('#')[0]!, appOrigins)
          ? changed(faults.take('redirect'), answer)
          : answer,
      );
    }
    const early = req.method === 'GET' && (req.url ?? '').startsWith('/authorize?') ? faults.take('authorize') : null;
    if (!early?.instead) return false;
    send(res, early.instead());
    return true;
  }
  const fault = faults.take(place, req.method === 'OPTIONS');
  if (!fault) return false;
  if (fault.wait) {
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    await delay(fault.wait, null, { signal: gone.signal }).catch(() => null);
  }
  if (fault.change) changeAnswer(res, (answer) => changed(fault, answer));
  return false;
}

/** A fault that does not fit an answer (an error that it would change as a token) leaves it as it is. */
function changed(fault: Fault | null, answer: Answer): Answer | null {
  try {
    return fault?.change ? fault.change(answer) : answer;
  } catch {
    return answer;
  }
}

/** Of every answer, unless it says otherwise. */
const ALWAYS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' };

/** null: the address is that of another server, or none. */
function pathOf(target: string): string | null {
  return target.startsWith('/') && !target.startsWith('//')
    ? (URL.parse(target, 'http://none.invalid')?.pathname ?? null)
    : null;
}

const OWN = new Set(['/', '/faults', '/page.css']);
const isOwn = (path: string): boolean => OWN.has(path);

function placeOf(path: string): Place | null {
  if (path === '/token') return 'token';
  if (path.startsWith('/api/')) return 'api';
  return /^\/(authorize|login)(\/|$)/.test(path) ? 'redirect' : null;
}

/** @returns the port; a free one when `port` is taken, or none that there is */
async function listen(server: Server, host: string, port: number): Promise<number> {
  for (const each of port > 0 && port < 65_536 ? [port, 0] : [0]) {
    server.listen(each, host);
    try {
      await once(server, 'listening');
      return (server.address() as { port: number }).port;
    } catch (error) {
      if (each === 0) throw error;
    }
  }
  throw new Error('unreachable');
}
