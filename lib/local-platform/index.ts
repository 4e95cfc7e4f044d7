/** Starts and stops a platform in this process: database, HTTP server, and queue. No request is lost. */
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
import { closeAll, isLocalhost, listen, ListenError, type Listening } from './listen.ts';
import { homeFolder } from './installation.ts';
import { createHttpServer } from './http/server.ts';
import { checkMailUrl } from './mail.ts';
import { startOAuthDemo, type RunningOAuthDemo } from './oauth-demo/index.ts';
import type { CoreOptions, Platform, PlatformOptions } from './options.ts';
import { StartProblem } from './problem.ts';
import { prepareToken, revokeForeignTokens } from './tokens.ts';

export { OAUTH2_SCREEN } from './db/seed/screens.ts';
export { StartProblem } from './problem.ts';
export type { Platform, PlatformOptions } from './options.ts';

const DEFAULT_HOST = '127.0.0.1';
/** The queue opens this many milliseconds after startup, or on the first request that might need it. */
const QUEUE_DELAY = 250;
/** Requests that are still pending after this many milliseconds are aborted. */
const CLOSE_TIMEOUT = 5_000;

type StartOptions = PlatformOptions &
  InternalOptions & {
    /** A database that is already open. It’s closed with the platform. */
    database?: OpenedDatabase;
    /** Default: the user’s configuration folder. */
    home?: string;
  };

/**
 * @throws StartProblem if the port is taken, the data folder is in use or damaged, or there is no functions folder; and
 *   the reason of the signal
 */
export async function startPlatform(options: StartOptions = {}): Promise<Platform> {
  const { port = LOCAL_PORT, host = DEFAULT_HOST, data = 'memory', databaseUrl: url, signal } = options;
  let report = logFaultsOnce(options.log ?? console.error);
  const log = (error: unknown): void => report(error);
  await checkOptions(options);
  let servers: Server[] = [];
  let stop = async (_timeout: number): Promise<void> => {};
  const onLost = (problem: StartProblem): void => {
    // Nothing more is confirmed.
    for (const server of servers) server.closeAllConnections();
    stop(0).catch(log);
    (options.onLost ?? log)(problem);
    // That is why everything else fails now.
    report = () => {};
  };
  const database = options.database ?? (await openDatabase({ ...options, data, url, onLost, log }));
  let core: Core | undefined;
  let demo: RunningOAuthDemo | null = null;
  try {
    const { db } = database;
    const authToken = await ownToken(database, options);
    let baseUrl = '';
    core = await createCore(database, bracketed(host), () => `${baseUrl}/`, { ...options, authToken, log });
    const { app, services, start, close } = core;
    let queue: Promise<void> | undefined;
    // The queue opens after the server is listening. Writes wait for it, since it can’t be opened in a transaction.
    const opened = (): Promise<void> => (queue ??= start(true).catch(log));
    const respond = createRespond(app.fetch, opened, database);
    const listening = await openPort(() => createHttpServer(respond, log), port, host);
    servers = listening.servers;
    baseUrl = `http://${publicName(host)}:${listening.port}`;
    services.oauthDemo = demo = await startDemo(options, services, log);
    const visible = await visibleApps(db);
    signal?.throwIfAborted();
    const later = setTimeout(() => void opened(), QUEUE_DELAY).unref();
    let closing: Promise<void> | undefined;
    stop = (timeout) =>
      (closing ??= closeAll(servers, timeout).finally(async () => {
        clearTimeout(later);
        await demo?.close();
        await queue;
        await close(timeout);
        await database.close();
      }));
    return {
      baseUrl,
      pagesUrl: baseUrl + services.pagesRoot,
      authToken,
      apps: visible,
      oauthDemo: demo && { code: demo.code, implicit: demo.implicit },
      close: async () => {
        // If not, this has stopped it.
        database.isOurs();
        await stop(CLOSE_TIMEOUT);
      },
    };
  } catch (error) {
    await closeAll(servers);
    await demo?.close();
    await core?.close();
    await database.close().catch(() => undefined);
    throw startProblem(error, database.folder) ?? error;
  }
}

/** The user’s token. Tokens that came with the data folder of someone else are replaced. */
async function ownToken({ db, folder }: OpenedDatabase, options: StartOptions): Promise<string> {
  const { data = 'memory', home = homeFolder(process.env), authToken: wanted, onReplaced } = options;
  let isReplaced = false;
  const place = { folder: data === 'memory' ? null : resolve(data), home, onReplaced: () => void (isReplaced = true) };
  if (folder !== null) await revokeForeignTokens(db, place, wanted);
  const token = await prepareToken(db, place, DEVELOPER.id, wanted);
  const outcome =
    wanted === undefined
      ? 'Its token was replaced: enter the new one where you used the old one.'
      : 'Its other tokens were revoked.';
  if (isReplaced) onReplaced?.(`Couldn’t confirm that you made the data folder ${data} here. ${outcome}`);
  return token;
}

const createRespond =
  (respond: Core['app']['fetch'], opened: () => Promise<void>, { isOurs }: OpenedDatabase) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') await opened();
    const response = await respond(request);
    // If not, this has closed the connection.
    isOurs();
    return response;
  };

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
  const { signal } = options;
  const database = await openDatabase({ data: 'memory', url: options.databaseUrl, signal, log });
  try {
    // Its runs’ API requests are handled in this process.
    const core = await createCore(database, DEFAULT_HOST, () => 'http://localhost/', { ...options, log });
    await core.start(false);
    signal?.throwIfAborted();
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

async function openPort(create: () => Server, port: number, host: string): Promise<Listening> {
  const closing = (): Server => {
    const server = create();
    // While stopping, closes each connection after its response. Otherwise, keep-alive would delay the stop.
    return server.on('request', (_: IncomingMessage, response: ServerResponse) =>
      response.once('close', () => server.listening || server.closeIdleConnections()),
    );
  };
  return listen(closing, port, host).catch((error: unknown) => {
    throw error instanceof ListenError ? listenProblem(error, port) : error;
  });
}

function listenProblem({ code, message, host }: ListenError, port: number): StartProblem {
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

async function checkOptions({ appOrigins = [], smtpUrl, functions }: PlatformOptions): Promise<void> {
  for (const origin of appOrigins) checkOrigin(origin);
  checkMailUrl(smtpUrl);
  await checkFunctionsFolder(functions);
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
const publicName = (host: string): string => (isLocalhost(host) ? 'localhost' : bracketed(host));
