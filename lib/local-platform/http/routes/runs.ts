/** Routes for running actions: queued, awaited, or executed by the calling page (decisions, "Platform endpoints"). */
import type { Context } from 'hono';
import type * as v from 'valibot';
import { V3_PROFILES } from '../../../platform-api/actions-v3/profiles.ts';
import {
  AnalyticsEvent,
  DEPTH_LIMIT,
  type PageRun,
  PageRunOutcome,
  type PublishedAction,
  RunOrder,
  runFailed,
  whereMismatches,
} from '../../../platform-api/index.ts';
import { copyOf, findCopy, manualRun, modeOf, requirePayloadLength, requireTrigger } from '../../apps/actions/fire.ts';
import { applicableMocks } from '../../apps/actions/mocks.ts';
import { beginPageRun, endPageRun } from '../../apps/actions/page-runs.ts';
import type { Reference } from '../../apps/actions/find.ts';
import { pageRunV3 } from './actions-v3/scripts.ts';
import type { Transaction } from '../../db/database.ts';
import { and, asc, eq } from '../../db/drizzle.ts';
import { MENTIONS_ANALYTICS } from '../../db/predicates.ts';
import { actions } from '../../db/schema.ts';
import type { RunOutcome, RunRequest } from '../../jobs/types.ts';
import { until } from '../../jobs/until.ts';
import { createWriteRunLog } from '../../logs/run-log.ts';
import { tooDeep } from '../../logs/write.ts';
import { requireApp, type AppRow } from '../access.ts';
import { once } from '../once.ts';
import { json } from '../response.ts';
import type { Access } from '../auth.ts';
import { conflict, HttpError, notFound } from '../errors.ts';
import { idParam, readJson } from '../request.ts';
import { bind, type Route, type ServiceHandler } from '../router.ts';
import type { Services } from '../services.ts';
import { referenceParam } from './actions.ts';

export const isPage = (access: Access): boolean => access.mode !== null && !access.isRun;

export function runRoutes(services: Services): Route[] {
  const post = (path: string, handler: ServiceHandler): Route => ({
    path,
    auth: 'page',
    methods: { POST: bind(services, handler) },
  });
  return [
    post('/v1/apps/:appId/actions/:action/run', runAction),
    post('/v1/apps/:appId/actions/:action/run-with-result', runActionWithResult),
    { path: '/v1/apps/:appId/runs/:runId', auth: 'page', methods: { GET: bind(services, awaitRun) } },
    post('/v1/apps/:appId/runs/:runId/outcome', storePageRun),
    post('/v1/apps/:appId/analytics/events', fireAnalyticsEvent),
  ];
}

const runAction: ServiceHandler = (services, c, access) => ordered(services, c, access, respondQueued);
const runActionWithResult: ServiceHandler = (services, c, access) => ordered(services, c, access, respondAwaited);

async function ordered(services: Services, c: Context, access: Access, respond: Respond): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const reference = referenceParam(c);
  const order = await readJson(c, RunOrder);
  return respond(services, c, access, app, (tx) => requestedRun(services, tx, access, app.id, reference, order));
}

/** Validates the request and returns its run. `inPage`: the calling page has to execute it. */
export type Requested = (tx: Transaction) => Promise<{ request: RunRequest; inPage: boolean }>;
/** Returns the ID of the queued run. */
type QueueRun = (request: RunRequest, tx: Transaction) => Promise<string>;

type Started = { run: PageRun } | { appId: number; runId: string };

/** Starts the requested run once: in the calling page, or with `queue`, which returns its ID. */
async function startRun(
  services: Services,
  c: Context,
  access: Access,
  app: AppRow,
  requested: Requested,
  queue: QueueRun,
): Promise<Started> {
  const { result } = await once<Started | { tooDeepMessage: string }>(services, c, access, async (tx) => {
    const { request, inPage } = await requested(tx);
    const tooDeepMessage = await requireDepth(services, tx, app, request);
    if (tooDeepMessage !== null) return { tooDeepMessage };
    if (inPage) return { run: await beginPageRun({ ...services, db: tx }, request, 'manual', pageRunV3(services)) };
    return { appId: app.id, runId: await queue(request, tx) };
  });
  if ('tooDeepMessage' in result) throw conflict('DEPTH_LIMIT', result.tooDeepMessage);
  return result;
}

export type Respond = (
  services: Services,
  c: Context,
  access: Access,
  app: AppRow,
  requested: Requested,
) => Promise<Response>;

/** Queues a run, or starts it in the calling page. */
export const respondQueued: Respond = async (services, c, access, app, requested) => {
  const { jobs } = services;
  const queue: QueueRun = async (request, tx) => (await jobs.enqueue(request, tx)).runId;
  const started = await startRun(services, c, access, app, requested, queue);
  return 'run' in started ? json(c, started) : json(c, { runId: started.runId }, 202);
};

/** Awaits a run, or starts it in the calling page. A repeated request awaits the first one’s run. */
export const respondAwaited: Respond = async (services, c, access, app, requested) => {
  const { jobs } = services;
  const started = await startRun(services, c, access, app, requested, (request, tx) => jobs.begin(request, tx));
  if ('run' in started) return json(c, started);
  const { appId, runId } = started;
  const run = await jobs.find(appId, runId);
  // The queue forgets ended runs after an hour.
  if (!run) return json(c, { runId }, 202);
  return outcomeResponse(c, { appId, runId, ...run }, maxWaitOf(c));
};

async function awaitRun(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const runId = runParam(c);
  const run = await services.jobs.find(app.id, runId);
  if (!run) throw notFound(`awaited run ${runId}`);
  return outcomeResponse(c, { appId: app.id, runId, ...run }, maxWaitOf(c) ?? 0);
}

async function storePageRun(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const runId = runParam(c);
  const writeRunLog = createWriteRunLog(services.logs, services.time.clock);
  const outcome = await readJson(c, PageRunOutcome);
  await once(services, c, access, (tx) => endPageRun({ ...services, db: tx }, writeRunLog, app.id, runId, outcome));
  return json(c, { runId }, 201);
}

async function fireAnalyticsEvent(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const event = await readJson(c, AnalyticsEvent);
  if (!isPage(access)) {
    const text = 'Analytics events fire actions in the page where they occur, so only a page can send them.';
    throw conflict('PAGE_ONLY', text);
  }
  const mode = modeOf(access, undefined);
  const { result: runs } = await once(services, c, access, async (tx) => {
    const isOfApp = and(eq(actions.appId, app.id), MENTIONS_ANALYTICS);
    const rows = await tx.select().from(actions).where(isOfApp).orderBy(asc(actions.id));
    const runs: PageRun[] = [];
    for (const row of rows) {
      if (mode === 'live' && !row.published) continue;
      const copy = copyOf(row, mode);
      if (!copy.active || !listensToEvent(copy, event)) continue;
      const payload = copy.actionVersion === 'v3' ? { ...event } : { trigger: 'analytics', event };
      const found = { row, copy, inPage: true };
      const run = manualRun(found, mode, payload, access.depth, services.clock(), services.v3.profile);
      for (const request of await services.admit(tx, [{ ...run, trigger: 'analytics' }]))
        runs.push(await beginPageRun({ ...services, db: tx }, request, 'analytics', pageRunV3(services)));
    }
    return runs;
  });
  return json(c, { runs });
}

const listensToEvent = ({ triggers }: PublishedAction, event: AnalyticsEvent): boolean =>
  triggers.some(({ trigger, where }) => trigger === 'analytics' && whereMismatches(where ?? {}, event).length === 0);

async function requestedRun(
  { limits, clock, v3 }: Services,
  tx: Transaction,
  access: Access,
  appId: number,
  reference: Reference,
  { payload, mode: requestedMode, mocks, record }: v.InferOutput<typeof RunOrder>,
): Promise<{ request: RunRequest; inPage: boolean }> {
  const mode = modeOf(access, requestedMode);
  const { row, copy } = await findCopy(tx, appId, reference, mode);
  requireTrigger(copy, 'manual');
  requirePayloadLength(payload, limits.payload);
  const inPage = copy.environment === 'client';
  if (inPage && !isPage(access)) {
    throw conflict('ACTION_CLIENT_ONLY', `The action ${copy.name} runs only on the client.`);
  }
  const options = { mocks: applicableMocks(mocks, copy, mode), record };
  const request = manualRun({ row, copy, inPage }, mode, payload, access.depth, clock(), v3.profile);
  return { request: { ...request, ...options }, inPage };
}

/**
 * Limits how deeply runs can start other runs through the API. Returns the error message of a run that is too deep,
 * rather than throwing it, because its log record must be committed.
 */
async function requireDepth(
  { logs }: Services,
  tx: Transaction,
  { organizationId }: AppRow,
  request: RunRequest,
): Promise<string | null> {
  const { actionName, depth } = request;
  if (depth <= DEPTH_LIMIT) return null;
  const errorMessage = `Couldn’t run ${actionName}: a chain of runs that start one another is limited to ${DEPTH_LIMIT}.`;
  await logs.write(tx, [tooDeep(request, organizationId, errorMessage)], depth);
  return errorMessage;
}

/** @throws HttpError 404 */
function runParam(c: Context): string {
  const text = (c.req.param('runId') ?? '').toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw notFound(`run ${JSON.stringify(text.slice(0, 40))}`);
  return text;
}

/**
 * How many seconds the caller is willing to wait for the outcome, from `Prefer: respond-async, wait=20` (RFC 7240).
 * Null: no limit. `respond-async` without `wait` means not to wait at all.
 */
function maxWaitOf(c: Context): number | null {
  const preferences = (c.req.header('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  if (!preferences.includes('respond-async')) return null;
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,4})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  return Number(wait ?? 0);
}

interface AwaitedRun {
  appId: number;
  runId: string;
  actionName: string;
  v3?: RunRequest['v3'];
  outcome: Promise<RunOutcome>;
}

/**
 * @param seconds how long the caller waits; null: no limit
 * @throws HttpError 424, 504 for a failed run
 */
async function outcomeResponse(
  c: Context,
  { appId, runId, actionName, outcome: ending, v3 }: AwaitedRun,
  seconds: number | null,
): Promise<Response> {
  const { signal } = c.req.raw;
  const limit = seconds === null ? signal : AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)]);
  const outcome = await until(ending, limit).catch((error: unknown) => {
    // The run continues and is logged.
    if (signal.aborted) throw new HttpError(499, 'CLIENT_GONE', 'The client closed the connection.');
    if (limit.aborted) return null;
    throw error;
  });
  if (outcome === null)
    return json(c, { runId }, 202, { Location: `${c.get('pagesRoot')}/apps/${appId}/runs/${runId}` });
  if (outcome.state === 'completed') {
    const data = outcome.result ?? null;
    return json(c, { result: v3 && V3_PROFILES[v3.profile].hasEnvelope ? { success: true, data } : data });
  }
  const { status, code, message } = runFailed(actionName, outcome.code, outcome.failure);
  const shown = v3 && code === 'ACTION_FAILED' ? 'EXECUTION_FAILED' : code;
  throw new HttpError(status, shown, message, { details: outcome.failure });
}
