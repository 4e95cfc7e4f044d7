/** Owns the platform's life in a process: database, HTTP server, and stopping both without losing a request. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { createCore, type Core, type CoreOptions } from './core.ts';
import { asc, eq } from './db/drizzle.ts';
import { openDatabase } from './db/open.ts';
import { actions, apps, appUsers } from './db/schema.ts';
import { DEVELOPER } from './db/seed/index.ts';
import { createHttpServer } from './http/server.ts';
import { startOAuthDemo, type OAuthDemo, type RunningOAuthDemo } from './oauth-demo/index.ts';
import { StartProblem } from './problem.ts';
import { prepareToken } from './tokens.ts';

export { OAUTH2_SCREEN } from './db/seed/screens.ts';
export { StartProblem } from './problem.ts';

export interface PlatformOptions extends CoreOptions {
  /** Default 4400; 0 takes a free one. */
  port?: number;
  /** Default 127.0.0.1: this machine alone. */
  host?: string;
  /** A folder, or `memory`. Default `memory`. */
  data?: string;
  /** A database on a Postgres server; `data` then keeps the token alone. */
  databaseUrl?: string;
  /** The first port of the OAuth2 demo services; null: without them. Default: the two after `port`, free ones when that is 0. */
  oauthDemoPort?: number | null;
  /** The token to accept; without one that of the folder `data`, or a new one. */
  authToken?: string;
  /** Told when the platform can no longer go on by itself. */
  onLost?: (error: Error) => void;
}

export interface Platform {
  baseUrl: string;
  authToken: string;
  /** What the token sees. */
  apps: { id: number; name: string; actions: { id: number; name: string }[] }[];
  /** Where the OAuth2 demo services are; null without them. */
  oauthDemo: OAuthDemo | null;
  /** Finishes the requests under way, closes the database and gives the data folder back. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4400;
const DEFAULT_HOST = '127.0.0.1';
/** The queue opens this long after the start, or at the first request that may need it; in milliseconds. */
const QUEUE_AFTER = 250;
/** Requests still under way after this long are cut. */
const CLOSE_WITHIN = 5_000;

/** @throws StartProblem: port taken, data folder in use or damaged, no such functions folder */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const {
    port = DEFAULT_PORT,
    host = DEFAULT_HOST,
    data = 'memory',
    log = console.error,
    oauthDemoPort = port && port + 1,
  } = options;
  for (const origin of options.appOrigins ?? []) checkOrigin(origin);
  await checkFunctionsFolder(options.functions);
  const database = await openDatabase({ data, url: options.databaseUrl, onLost: options.onLost, log });
  let core: Core | undefined;
  let demo: RunningOAuthDemo | null = null;
  try {
    const { db } = database;
    const authToken = await prepareToken(db, data === 'memory' ? null : resolve(data), DEVELOPER.id, options.authToken);
    let baseUrl = '';
    const made = (core = await createCore(database, bracketed(host), () => `${baseUrl}/`, options));
    let queue: Promise<void> | undefined;
    // The queue opens after the platform answers. What may queue a run waits for it: within a transaction it could not be opened.
    const opened = (): Promise<void> => (queue ??= made.start(true).catch(log));
    const answer = async (request: Request): Promise<Response> => {
      if (request.method !== 'GET' && request.method !== 'HEAD') await opened();
      return made.app.fetch(request);
    };
    const server = createHttpServer(answer, log);
    // Who is answered while it stops keeps the connection for more, which would hold the stop up.
    server.on('request', (_: IncomingMessage, response: ServerResponse) =>
      response.once('close', () => server.listening || server.closeIdleConnections()),
    );
    await listen(server, port, host);
    baseUrl = `http://${publicName(host)}:${(server.address() as { port: number }).port}`;
    const { own, others } = made.services.appOrigins();
    if (oauthDemoPort !== null)
      demo = await startOAuthDemo({ port: oauthDemoPort, appOrigins: [...own, ...others], log });
    made.services.oauthDemo = demo;
    const visible = await visibleApps(db);
    const later = setTimeout(() => void opened(), QUEUE_AFTER).unref();
    let closing: Promise<void> | undefined;
    return {
      baseUrl,
      authToken,
      apps: visible,
      oauthDemo: demo && { code: demo.code, implicit: demo.implicit },
      close: () =>
        (closing ??= stop(server).finally(async () => {
          clearTimeout(later);
          await demo?.close();
          await queue;
          await made.close();
          await database.close();
        })),
    };
  } catch (error) {
    await demo?.close();
    await core?.close();
    await database.close();
    throw error;
  }
}

/** A process that does runs for the platforms on the same Postgres database, and answers nobody. */
export async function startWorker(options: CoreOptions & { databaseUrl: string }): Promise<{ close(): Promise<void> }> {
  const { log = console.error } = options;
  await checkFunctionsFolder(options.functions);
  const database = await openDatabase({ data: 'memory', url: options.databaseUrl, log });
  try {
    // Requests of its runs to the platform are answered in this process.
    const core = await createCore(database, DEFAULT_HOST, () => 'http://localhost/', options);
    await core.start(false);
    return { close: () => core.close().finally(() => database.close()) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function visibleApps(db: Awaited<ReturnType<typeof openDatabase>>['db']): Promise<Platform['apps']> {
  const rows = await db
    .select({ appId: apps.id, app: apps.name, id: actions.id, name: actions.name })
    .from(apps)
    .innerJoin(appUsers, eq(appUsers.appId, apps.id))
    .leftJoin(actions, eq(actions.appId, apps.id))
    .where(eq(appUsers.userId, DEVELOPER.id))
    .orderBy(asc(apps.id), asc(actions.id));
  const byApp = Map.groupBy(rows, (row) => row.appId);
  return [...byApp].map(([id, group]) => ({
    id,
    name: group[0]!.app,
    actions: group.flatMap((row) => (row.id === null ? [] : [{ id: row.id, name: row.name! }])),
  }));
}

async function listen(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: `Port ${port} on ${host} is taken; stop what uses it, or choose another with --port (0 takes a free one).`,
      EACCES: `Port ${port} on ${host} is not allowed to this user; choose one above 1023 with --port.`,
      EADDRNOTAVAIL: `This machine has no address ${host}; choose another with --host.`,
      ENOTFOUND: `This machine has no address ${host}; choose another with --host.`,
    };
    throw new StartProblem(reasons[code ?? ''] ?? `The platform cannot listen on ${host}, port ${port}: ${message}.`);
  }
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN);
  await closed;
  clearTimeout(cut);
}

async function checkFunctionsFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await readdir(folder).catch(() => {
    throw new StartProblem(`The functions folder ${folder} cannot be read; check the path given with --functions.`);
  });
}

/** @throws StartProblem */
function checkOrigin(text: string): void {
  if (URL.canParse(text) && new URL(text).origin === text) return;
  throw new StartProblem(
    `An app origin is a scheme and a host, such as https://app.example.com; "${text}" is not (--app-origin).`,
  );
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `localhost` is what the preset "Local" says; it must be the same name, since a token belongs to one address. */
const publicName = (host: string): string =>
  [DEFAULT_HOST, '0.0.0.0', '::'].includes(host) ? 'localhost' : bracketed(host);
