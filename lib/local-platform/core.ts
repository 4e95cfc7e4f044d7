/** Assembles a platform from its parts, whatever its role: database, services, queue, runner, and schedules. */
import type { Hono } from 'hono';
import { isLoopback, PAYLOAD_LIMIT, RESULT_LIMIT, RUN_TIME_LIMIT } from '../platform-api/index.ts';
import { V3_PROFILES } from '../platform-api/actions-v3/profiles.ts';
import { watchPageRuns } from './apps/actions/page-runs.ts';
import { admit as admitRuns } from './apps/actions-v3/rate.ts';
import { DATA_LIMIT, ENTRIES_LIMIT, LOG_DATA_LIMIT, LOG_RECORDS_LIMIT, QUEUE_LIMIT } from '../platform-api/limits.ts';
import type { OpenedDatabase } from './db/open.ts';
import { createCatalogue, type ReadSources } from './functions/catalogue.ts';
import { ResponseCache } from './http/response-cache.ts';
import { createApp } from './http/app.ts';
import { createAuth, IN_PROCESS } from './http/auth.ts';
import { PAGES_ROOT } from './http/routes/specified.ts';
import { createLimiter } from './http/limiter.ts';
import { watchKeys } from './http/once.ts';
import type { AppOrigins, Services } from './http/services.ts';
import { createClock } from './jobs/clock.ts';
import { createExecute } from './jobs/execute.ts';
import { RunJobs } from './jobs/index.ts';
import { Schedules } from './jobs/schedules.ts';
import type { Db, RunRequest, WriteRunLog } from './jobs/types.ts';
import { createWriteRunLog } from './logs/run-log.ts';
import { GrownLogs, watchLogs } from './logs/retention.ts';
import { createLogs } from './logs/write.ts';
import { createMailer } from './mail.ts';
import { createNetwork } from './network.ts';
import type { CoreOptions, Limits, OAuthDemo } from './options.ts';
import { watchRecordings } from './recordings/store.ts';
import type { StartChild } from './runner/child.ts';
import { createRunFetch, type RunFetch } from './runner/fetch.ts';
import { createRunner } from './runner/index.ts';
import { signingKey } from './tokens.ts';

export interface Core {
  services: Services;
  app: Hono;
  /** Opens the queue and starts executing runs. With `schedules`, also fires schedules that are due. */
  start(schedules: boolean): Promise<void>;
  /** Ends runs that are pending after `timeout` milliseconds, default 5 s, and closes everything except the database. */
  close(timeout?: number): Promise<void>;
}

/** Options that the package doesn’t offer. */
export interface InternalOptions {
  /** Starts what a run is executed in. Default: a process. */
  startChild?: StartChild;
  /** Function packages that are in no folder, read before each run. */
  sources?: ReadSources;
}

const LIMITS: Limits = {
  payload: PAYLOAD_LIMIT,
  time: RUN_TIME_LIMIT,
  result: RESULT_LIMIT,
  entries: ENTRIES_LIMIT,
  data: DATA_LIMIT,
  queue: QUEUE_LIMIT,
  logs: LOG_RECORDS_LIMIT,
  logData: LOG_DATA_LIMIT,
};
const PAGE_TOKEN_LIFETIME = 30 * 60_000;
const PROXY_TIME_LIMIT = 30_000;
const CONCURRENCY = 4;
/** Warm processes kept in addition to the runs in progress. */
const SPARE = 2;

/** @param baseUrl the platform’s URL with a trailing slash, known once the server listens */
export async function createCore(
  database: OpenedDatabase,
  host: string,
  baseUrl: () => string,
  options: CoreOptions & InternalOptions & Required<Pick<CoreOptions, 'log'>>,
): Promise<Core> {
  const { db, driver } = database;
  const { concurrency = CONCURRENCY, specOnly = false, log, startChild } = options;
  const cache = new ResponseCache(driver.shared);
  const auth = createAuth(db, cache, await signingKey(db), options.pageTokenLifetime ?? PAGE_TOKEN_LIFETIME);
  const time = createClock(options.clock);
  const clock = (): Date => time.now();
  const limits = { ...LIMITS, ...options.limits };
  const catalogue = createCatalogue(options.functions, options.sources);
  const mailer = createMailer(options.smtpUrl);
  const profile = options.v3Profile ?? 'plain';
  const rate = { limit: options.v3RunLimit ?? V3_PROFILES[profile].runsPerMinute, clock };
  const admit = (tx: Db, runs: readonly RunRequest[]): Promise<RunRequest[]> => admitRuns(tx, rate, writeRunLog, runs);
  const enqueueAll = async (runs: RunRequest[], tx: Db): Promise<void> => jobs.enqueueAll(await admit(tx, runs), tx);
  const grown = new GrownLogs();
  const logs = createLogs(enqueueAll, clock, profile, grown);
  const writeRunLog = createWriteRunLog(logs, time);
  const fetch = createFetch(baseUrl, options, () => runApi);
  const spare = Math.min(SPARE, concurrency);
  const runner = createRunner({ time: limits.time, result: limits.result, spare, fetch, startChild });
  const recordings = { records: !specOnly, secrets: options.authToken === undefined ? [] : [options.authToken] };
  const times = { time: limits.time, isVirtual: time.virtual, seed: options.seed };
  const execute = createExecute({ db, runner, catalogue, baseUrl, runToken: auth.runToken, ...times, ...recordings });
  const jobs = new RunJobs({ db, driver, execute, runner, writeRunLog, concurrency, queueLimit: limits.queue, log });
  const schedules = new Schedules({ db, jobs: { enqueueAll }, clock: time, profile, log });
  const services: Services = {
    db,
    auth,
    mailer,
    cache,
    logs,
    jobs,
    limits,
    clock,
    v3: { profile, rate, root: specOnly ? `${PAGES_ROOT}/v3` : '/v3' },
    admit,
    catalogue,
    proxy: createProxy(options, () => services.oauthDemo),
    appOrigins: () => appOriginsOf(baseUrl(), options.appOrigins),
    onEffect: options.onEffect ?? (() => {}),
    hasRecordings: !specOnly,
    pagesRoot: specOnly ? PAGES_ROOT : '/v1',
    oauthDemo: null,
    time: { clock: time, schedules },
  };
  const common = { services, loopback: isLoopback(host), limiter: createLimiter(options.rateLimit), log };
  const app = createApp({ ...common, specOnly });
  // Server runs have the whole API, whatever the network has.
  const runApi = specOnly ? createApp({ ...common, specOnly: false }) : app;
  const stopWatching = [watchLogs(services, grown, log), ...watch(services, writeRunLog, log)];
  return { services, app, ...lifecycle({ schedules, jobs, mailer, stopWatching }) };
}

const lifecycle = (
  parts: { schedules: Schedules; jobs: RunJobs; stopWatching: (() => Promise<void>)[] } & Pick<Services, 'mailer'>,
): Pick<Core, 'start' | 'close'> => ({
  async start(withSchedules) {
    await parts.jobs.start();
    if (withSchedules) parts.schedules.start();
  },
  async close(timeout) {
    await parts.schedules.close();
    await parts.jobs.close(timeout);
    await Promise.all(parts.stopWatching.map((stop) => stop()));
    parts.mailer.close();
  },
});

/** @param app handles requests to the platform’s own API */
const createFetch = (baseUrl: () => string, { allowPrivate = [], network }: CoreOptions, app: () => Hono): RunFetch =>
  createRunFetch({
    api: { origin: () => new URL(baseUrl()).origin, fetch: (request) => app().fetch(request, IN_PROCESS) },
    allowPrivate,
    network,
  });

/** Starts what happens periodically. Returns functions that stop it. */
const watch = (
  services: Services,
  writeRunLog: WriteRunLog,
  log: (error: unknown) => void,
): (() => Promise<void>)[] => [
  watchPageRuns(services, writeRunLog, log),
  watchKeys(services.db, log),
  watchRecordings(services.db, services.time.clock, log),
];

function appOriginsOf(baseUrl: string, others: readonly string[] = []): AppOrigins {
  const { origin, port } = new URL(baseUrl);
  return { own: [...new Set([origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`])], others };
}

/** Hosts that the proxy can reach: public ones, those in `allowPrivate`, and the OAuth2 demo services. */
function createProxy(
  { allowPrivate = [], proxyTimeLimit = PROXY_TIME_LIMIT }: CoreOptions,
  oauthDemo: () => OAuthDemo | null,
): Services['proxy'] {
  const allowed = new Set(allowPrivate.map((host) => host.toLowerCase()));
  const isDemo = (host: string): boolean => {
    const demo = oauthDemo();
    return demo !== null && [demo.code, demo.implicit].some((url) => new URL(url).host === host);
  };
  return { network: createNetwork((host) => allowed.has(host) || isDemo(host)), timeLimit: proxyTimeLimit };
}
