/** Owns the platform's life in a process: database, HTTP server, and stopping both without losing a request. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createAdaptorServer } from '@hono/node-server';
import { watchPageRuns } from './apps/actions/page-runs.ts';
import { asc, eq } from './db/drizzle.ts';
import { isLoopback, PAYLOAD_LIMIT, RESULT_LIMIT, RUN_TIME_LIMIT } from '../contract/index.ts';
import { openDatabase } from './db/open.ts';
import { actions, apps, appUsers } from './db/schema.ts';
import { DEVELOPER } from './db/seed/index.ts';
import { createCatalogue } from './functions/catalogue.ts';
import { createAnswers } from './http/answers.ts';
import { createApp } from './http/app.ts';
import { createAuth } from './http/auth.ts';
import { createLimiter } from './http/limiter.ts';
import { HttpError } from './http/errors.ts';
import type { RunLimits } from './http/services.ts';
import type { Jobs } from './jobs/types.ts';
import { createWriteRunLog } from './logs/run-log.ts';
import { createLogs } from './logs/write.ts';
import { createMailer } from './mail.ts';
import { StartProblem } from './problem.ts';
import { prepareToken, signingKey } from './tokens.ts';

export { StartProblem } from './problem.ts';

export interface PlatformOptions {
  /** Default 4400; 0 takes a free one. */
  port?: number;
  /** Default 127.0.0.1: this machine alone. */
  host?: string;
  /** A folder, or `memory`. Default `memory`. */
  data?: string;
  /** A folder of function packages of one's own. */
  functions?: string;
  /** Such as `smtp://localhost:2525`; without one the outbox alone keeps mail. */
  smtpUrl?: string;
  /** The token to accept; without one the data folder's, or a new one. */
  authToken?: string;
  /** Requests a minute and token; no limit without one. */
  rateLimit?: number;
  /** How long a debug page may use its token, in milliseconds. Default 30 minutes. */
  pageTokenLifetime?: number;
  /** Lower limits than the specification's. */
  limits?: Partial<RunLimits>;
  /** Told what went wrong inside. Default: standard error. */
  log?: (error: unknown) => void;
  /** Told when the platform can no longer go on by itself. */
  onLost?: (error: Error) => void;
}

export interface Platform {
  baseUrl: string;
  authToken: string;
  /** What the token sees. */
  apps: { id: number; name: string; actions: { id: number; name: string }[] }[];
  /** Finishes the requests under way, closes the database and gives the data folder back. */
  close(): Promise<void>;
}

export const DEFAULT_PORT = 4400;
const DEFAULT_HOST = '127.0.0.1';
const PAGE_TOKEN_LIFETIME = 30 * 60_000;
/** Requests still under way after this long are cut. */
const CLOSE_WITHIN = 5_000;

/** @throws StartProblem: port taken, data folder in use or damaged, no such functions folder */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, data = 'memory', log = console.error } = options;
  await checkFunctionsFolder(options.functions);
  const mailer = createMailer(options.smtpUrl);
  const database = await openDatabase({ data, onLost: options.onLost });
  try {
    const { db } = database;
    const authToken = await prepareToken(database, DEVELOPER.id, options.authToken);
    const answers = createAnswers();
    const auth = createAuth(db, answers, await signingKey(db), options.pageTokenLifetime ?? PAGE_TOKEN_LIFETIME);
    const clock = (): Date => new Date();
    const refuse = (): Promise<never> => Promise.reject(new HttpError(503, 'NO_QUEUE', 'This platform runs no queue; try again later.'));
    const jobs: Jobs = { enqueue: refuse, runAndWait: refuse, close: () => Promise.resolve() };
    const logs = createLogs((run, tx) => jobs.enqueue(run, tx), clock);
    const limits = { payload: PAYLOAD_LIMIT, time: RUN_TIME_LIMIT, result: RESULT_LIMIT, ...options.limits };
    const services = { db, auth, mailer, answers, logs, jobs, limits, clock, catalogue: createCatalogue(options.functions) };
    const app = createApp({ services, loopback: isLoopback(bracketed(host)), limiter: createLimiter(options.rateLimit), log });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    await listen(server, port, host);
    const leavePageRuns = watchPageRuns(services, createWriteRunLog(logs, clock), log);
    const visible = await visibleApps(db);
    let closing: Promise<void> | undefined;
    return {
      baseUrl: `http://${publicName(host)}:${(server.address() as { port: number }).port}`,
      authToken,
      apps: visible,
      close: () =>
        (closing ??= stop(server).finally(async () => {
          await leavePageRuns();
          mailer.close();
          await database.close();
        })),
    };
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

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** `localhost` is what the preset "Local" says; it must be the same name, since a token belongs to one address. */
const publicName = (host: string): string => ([DEFAULT_HOST, '0.0.0.0', '::'].includes(host) ? 'localhost' : bracketed(host));

