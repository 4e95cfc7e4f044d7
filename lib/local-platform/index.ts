/** Starts and stops a platform in this process: database, HTTP server, and queue. No request is lost. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { createCore, type Core, type InternalOptions } from './core.ts';
import { LOCAL_PORT } from '../platform-api/limits.ts';
import { asc, eq } from './db/drizzle.ts';
import { openDatabase, startProblem, type OpenedDatabase } from './db/open.ts';
import { logFaultsOnce } from './db/outage.ts';
import { actions, apps, appUsers } from './db/schema.ts';
import { DEVELOPER } from './db/seed/index.ts';
import { createHttpServer } from './http/server.ts';
import { checkMailUrl } from './mail.ts';
import { startOAuthDemo, type RunningOAuthDemo } from './oauth-demo/index.ts';
import type { CoreOptions, Platform, PlatformOptions } from './options.ts';
import { StartProblem } from './problem.ts';
import { prepareToken } from './tokens.ts';

export { OAUTH2_SCREEN } from './db/seed/screens.ts';
export { StartProblem } from './problem.ts';
export type { Platform, PlatformOptions } from './options.ts';

const DEFAULT_HOST = '127.0.0.1';
/** The queue opens this many milliseconds after startup, or on the first request that might need it. */
const QUEUE_DELAY = 250;
/** Requests that are still pending after this many milliseconds are aborted. */
const CLOSE_TIMEOUT = 5_000;

/** `database`: a database that is already open. It’s closed with the platform. */
type StartOptions = PlatformOptions & InternalOptions & { database?: OpenedDatabase };

/** @throws StartProblem if the port is taken, the data folder is in use or damaged, or there is no functions folder */
export async function startPlatform(options: StartOptions = {}): Promise<Platform> {
  const { port = LOCAL_PORT, host = DEFAULT_HOST, data = 'memory' } = options;
  const log = logFaultsOnce(options.log ?? console.error);
  for (const origin of options.appOrigins ?? []) checkOrigin(origin);
  checkMailUrl(options.smtpUrl);
  await checkFunctionsFolder(options.functions);
  const database =
    options.database ?? (await openDatabase({ data, url: options.databaseUrl, onLost: options.onLost, log }));
  let core: Core | undefined;
  let demo: RunningOAuthDemo | null = null;
  try {
    const { db } = database;
    const authToken = await prepareToken(db, data === 'memory' ? null : resolve(data), DEVELOPER.id, options.authToken);
    let baseUrl = '';
    const { app, services, start, close } = (core = await createCore(database, bracketed(host), () => `${baseUrl}/`, {
      ...options,
      authToken,
      log,
    }));
    let queue: Promise<void> | undefined;
    // The queue opens after the server is listening. Writes wait for it, since it can’t be opened in a transaction.
    const opened = (): Promise<void> => (queue ??= start(true).catch(log));
    const respond = async (request: Request): Promise<Response> => {
      if (request.method !== 'GET' && request.method !== 'HEAD') await opened();
      return app.fetch(request);
    };
    const server = createHttpServer(respond, log);
    // While stopping, closes each connection after its response. Otherwise, keep-alive would delay the stop.
    server.on('request', (_: IncomingMessage, response: ServerResponse) =>
      response.once('close', () => server.listening || server.closeIdleConnections()),
    );
    await listen(server, port, host);
    baseUrl = `http://${publicName(host)}:${(server.address() as { port: number }).port}`;
    services.oauthDemo = demo = await startDemo(options, services, log);
    const visible = await visibleApps(db);
    const later = setTimeout(() => void opened(), QUEUE_DELAY).unref();
    let closing: Promise<void> | undefined;
    return {
      baseUrl,
      pagesUrl: baseUrl + services.pagesRoot,
      authToken,
      apps: visible,
      oauthDemo: demo && { code: demo.code, implicit: demo.implicit },
      close: () =>
        (closing ??= stop(server).finally(async () => {
          clearTimeout(later);
          await demo?.close();
          await queue;
          await close();
          await database.close();
        })),
    };
  } catch (error) {
    await demo?.close();
    await core?.close();
    await database.close().catch(() => undefined);
    throw startProblem(error, database.folder) ?? error;
  }
}

async function startDemo(
  { port = LOCAL_PORT, oauthDemoPort = port && port + 1 }: PlatformOptions,
  { appOrigins, pagesRoot }: Core['services'],
  log: (error: unknown) => void,
): Promise<RunningOAuthDemo | null> {
  if (oauthDemoPort === null) return null;
  const { own, others } = appOrigins();
  return startOAuthDemo({ port: oauthDemoPort, appOrigins: [...own, ...others], pagesRoot, log });
}

/** Executes runs for platforms that share a Postgres database. Has no HTTP server. */
export async function startWorker(options: CoreOptions & { databaseUrl: string }): Promise<{ close(): Promise<void> }> {
  const log = logFaultsOnce(options.log ?? console.error);
  await checkFunctionsFolder(options.functions);
  const database = await openDatabase({ data: 'memory', url: options.databaseUrl, log });
  try {
    // Its runs’ API requests are handled in this process.
    const core = await createCore(database, DEFAULT_HOST, () => 'http://localhost/', { ...options, log });
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
    throw listenProblem(error as NodeJS.ErrnoException, port, host);
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, port: number, host: string): StartProblem {
  if (code === 'EADDRINUSE')
    return new StartProblem(
      `Port ${port} on ${host} is already in use.`,
      'Stop the program that’s using it, or choose another port with --port (0 picks a free one).',
    );
  if (code === 'EACCES')
    return new StartProblem(
      `You don’t have permission to use port ${port} on ${host}.`,
      'Choose a port above 1023 with --port.',
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartProblem(
      `This machine doesn’t have the IP address ${host}.`,
      'Choose another IP address with --host.',
    );
  return new StartProblem(`Couldn’t listen on ${host}, port ${port}: ${message}.`, 'Check --host and --port.');
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT);
  await closed;
  clearTimeout(cut);
}

async function checkFunctionsFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return;
  await readdir(folder).catch(() => {
    throw new StartProblem(`Couldn’t read the functions folder ${folder}.`, 'Check the --functions path.');
  });
}

/** @throws StartProblem */
function checkOrigin(text: string): void {
  if (URL.canParse(text) && new URL(text).origin === text) return;
  throw new StartProblem(
    `--app-origin must be a scheme and a host, such as https://app.example.com.`,
    `Replace “${text}”.`,
  );
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** The “Local” preset uses `localhost`. The name must be the same here, since a token belongs to one base URL. */
const publicName = (host: string): string =>
  [DEFAULT_HOST, '0.0.0.0', '::'].includes(host) ? 'localhost' : bracketed(host);
