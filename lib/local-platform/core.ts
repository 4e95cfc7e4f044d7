/** Owns what a platform is made of in every role: the database, the services, the queue and its runs, the schedules. */
import type { Hono } from 'hono';
import { isLoopback, PAYLOAD_LIMIT, RESULT_LIMIT, RUN_TIME_LIMIT } from '../platform-api/index.ts';
import { watchPageRuns } from './apps/actions/page-runs.ts';
import { DATA_LIMIT, ENTRIES_LIMIT } from './apps/data-usage.ts';
import type { OpenedDatabase } from './db/open.ts';
import { sayingOnce } from './db/outage.ts';
import { createCatalogue } from './functions/catalogue.ts';
import { createAnswers } from './http/answers.ts';
import { createApp } from './http/app.ts';
import { createAuth, IN_PROCESS } from './http/auth.ts';
import { createLimiter } from './http/limiter.ts';
import type { AppOrigins, Limits, Services } from './http/services.ts';
import { createClock } from './jobs/clock.ts';
import { createExecute } from './jobs/execute.ts';
import { createJobs } from './jobs/index.ts';
import { createSchedules } from './jobs/schedules.ts';
import { createWriteRunLog } from './logs/run-log.ts';
import { createLogs } from './logs/write.ts';
import { createMailer } from './mail.ts';
import { createNetwork } from './network.ts';
import { createRunFetch } from './runner/fetch.ts';
import { createRunner } from './runner/index.ts';
import { signingKey } from './tokens.ts';

export interface CoreOptions {
  /** A folder of function packages of one's own. */
  functions?: string;
  /** Such as `smtp://localhost:2525`; without one the outbox alone keeps mail. */
  smtpUrl?: string;
  /** Requests a minute and token; no limit without one. */
  rateLimit?: number;
  /** How long a page may use its token, in milliseconds. Default 30 minutes. */
  pageTokenLifetime?: number;
  /** Lower limits than the specification's and our own. */
  limits?: Partial<Limits>;
  /** How many runs this process does at once; 0 leaves them to workers. Default 4. */
  concurrency?: number;
  /** Hosts (or host:port) that a run may reach though they are private. */
  allowPrivate?: readonly string[];
  /** Origins where apps of this platform run besides its own, such as `https://app.example.com`. */
  appOrigins?: readonly string[];
  /** How long the proxy waits for a whole answer, in milliseconds. Default 30 s. */
  proxyTimeLimit?: number;
  /** Where a virtual clock stands; without one the machine's time is used. */
  clock?: Date;
  /** Told what went wrong inside. Default: standard error. */
  log?: (error: unknown) => void;
}

export interface Core {
  services: Services;
  app: Hono;
  /** Opens the queue and takes up runs and, with `schedules`, what is due. */
  start(schedules: boolean): Promise<void>;
  /** Ends the runs under way, and everything but the database. */
  close(): Promise<void>;
}

const PAGE_TOKEN_LIFETIME = 30 * 60_000;
const PROXY_TIME_LIMIT = 30_000;
const CONCURRENCY = 4;
/** What waits ready beyond the runs under way. */
const SPARE = 2;

/** @param baseUrl the platform's address with a slash at its end, known once it listens */
export async function createCore(
  database: OpenedDatabase,
  host: string,
  baseUrl: () => string,
  options: CoreOptions,
): Promise<Core> {
  const { db, driver } = database;
  const { concurrency = CONCURRENCY } = options;
  const log = sayingOnce(options.log ?? console.error);
  const answers = createAnswers(driver.shared);
  const auth = createAuth(db, answers, await signingKey(db), options.pageTokenLifetime ?? PAGE_TOKEN_LIFETIME);
  const time = createClock(options.clock);
  const clock = (): Date => time.now();
  const limits = {
    payload: PAYLOAD_LIMIT,
    time: RUN_TIME_LIMIT,
    result: RESULT_LIMIT,
    entries: ENTRIES_LIMIT,
    data: DATA_LIMIT,
    ...options.limits,
  };
  const catalogue = createCatalogue(options.functions);
  const mailer = createMailer(options.smtpUrl);
  const logs = createLogs((runs, tx) => jobs.enqueueAll(runs, tx), clock);
  const writeRunLog = createWriteRunLog(logs, time);
  const fetch = createRunFetch({
    api: { origin: () => new URL(baseUrl()).origin, fetch: (request) => app.fetch(request, IN_PROCESS) },
    allowPrivate: options.allowPrivate ?? [],
  });
  const runner = createRunner({ time: limits.time, result: limits.result, spare: Math.min(SPARE, concurrency), fetch });
  const execute = createExecute({ db, runner, catalogue, baseUrl, runToken: auth.runToken, time: limits.time });
  const jobs = createJobs({ db, driver, execute, runner, writeRunLog, concurrency, log });
  const schedules = createSchedules({ db, jobs, clock: time, log });
  const appOrigins = (): AppOrigins => {
    const { origin, port } = new URL(baseUrl());
    return {
      own: [...new Set([origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`])],
      others: options.appOrigins ?? [],
    };
  };
  const allowed = new Set(options.allowPrivate?.map((each) => each.toLowerCase()));
  const isDemo = (place: string): boolean =>
    services.oauthDemo !== null &&
    [services.oauthDemo.code, services.oauthDemo.implicit].some((address) => new URL(address).host === place);
  const proxy = {
    network: createNetwork((place) => allowed.has(place) || isDemo(place)),
    timeLimit: options.proxyTimeLimit ?? PROXY_TIME_LIMIT,
  };
  const services: Services = {
    db,
    auth,
    mailer,
    answers,
    logs,
    jobs,
    limits,
    clock,
    catalogue,
    proxy,
    appOrigins,
    oauthDemo: null,
    time: { clock: time, schedules },
  };
  const app = createApp({ services, loopback: isLoopback(host), limiter: createLimiter(options.rateLimit), log });
  const leavePageRuns = watchPageRuns(services, writeRunLog, log);
  return {
    services,
    app,
    async start(withSchedules) {
      await jobs.start();
      if (withSchedules) schedules.start();
    },
    async close() {
      await schedules.close();
      await jobs.close();
      await leavePageRuns();
      mailer.close();
    },
  };
}
