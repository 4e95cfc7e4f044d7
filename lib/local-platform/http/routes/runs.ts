/** Routes for running actions: queued, awaited, or handed to the page that asks (decisions, "Platform endpoints"). */
import type { Context } from 'hono';
import {
  AnalyticsEvent,
  DEPTH_LIMIT,
  PageRunOutcome,
  RunOrder,
  runFailed,
  whereMismatches,
} from '../../../platform-api/index.ts';
import { copyOf, findCopy, manualRun, modeOf, requireShort, requireTrigger } from '../../apps/actions/fire.ts';
import { beginPageRun, endPageRun } from '../../apps/actions/page-runs.ts';
import { asc, eq } from '../../db/drizzle.ts';
import { actions } from '../../db/schema.ts';
import type { RunOutcome, RunRequest } from '../../jobs/types.ts';
import { until } from '../../jobs/until.ts';
import { createWriteRunLog } from '../../logs/run-log.ts';
import { tooDeep } from '../../logs/write.ts';
import { requireApp, type AppRow } from '../access.ts';
import { json } from '../answer.ts';
import type { Access } from '../auth.ts';
import { conflict, HttpError, notFound } from '../errors.ts';
import { patience } from '../prefer.ts';
import { idParam, readJson } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';
import { referenceParam } from './actions.ts';

const isPage = (access: Access): boolean => access.mode !== null && !access.isRun;

export function runRoutes(services: Services): Route[] {
  const { db, jobs, limits, logs, clock } = services;
  const writeRunLog = createWriteRunLog(logs, services.time.clock);

  /** The run that a request asks for, after all checks. `inPage`: the calling page has to run it. */
  async function order(c: Context, access: Access): Promise<{ request: RunRequest; inPage: boolean }> {
    const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
    const reference = referenceParam(c);
    const { payload, mode: asked } = await readJson(c, RunOrder);
    const mode = modeOf(access, asked);
    const { row, copy } = await findCopy(db, app.id, reference, mode);
    requireTrigger(copy, 'manual');
    requireShort(payload, limits.payload);
    const inPage = copy.environment === 'client';
    if (inPage && !isPage(access)) {
      throw conflict('ACTION_CLIENT_ONLY', `The action ${copy.name} runs only on the client.`);
    }
    const request = manualRun(row, copy, mode, payload, access.depth, clock());
    await requireShallow(app, request);
    return { request, inPage };
  }

  /** Limits the depth of runs that start runs through the API. @throws HttpError 409, with a log record */
  async function requireShallow(
    { id: appId, organizationId }: AppRow,
    { actionId, actionName, mode, depth }: RunRequest,
  ): Promise<void> {
    if (depth <= DEPTH_LIMIT) return;
    const errorMessage = `Couldn’t run ${actionName}: ${DEPTH_LIMIT} runs already started one another.`;
    await db.transaction((tx) =>
      logs.write(tx, [tooDeep({ appId, organizationId, actionId, mode, errorMessage })], depth),
    );
    throw conflict('DEPTH_LIMIT', errorMessage);
  }

  return [
    {
      path: '/v1/apps/:appId/actions/:action/run',
      auth: 'page',
      methods: {
        POST: async (c, access) => {
          const { request, inPage } = await order(c, access);
          if (inPage) return json(c, { run: await beginPageRun(services, request, 'manual') });
          const { runId } = await jobs.enqueue(request);
          return json(c, { runId }, 202);
        },
      },
    },
    {
      path: '/v1/apps/:appId/actions/:action/run-with-result',
      auth: 'page',
      methods: {
        POST: async (c, access) => {
          const { request, inPage } = await order(c, access);
          if (inPage) return json(c, { run: await beginPageRun(services, request, 'manual') });
          const { runId, outcome } = await jobs.begin(request);
          return outcomeResponse(
            c,
            { appId: request.appId, runId, actionName: request.actionName, outcome },
            patience(c),
          );
        },
      },
    },
    {
      path: '/v1/apps/:appId/runs/:runId',
      auth: 'page',
      methods: {
        GET: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const runId = runParam(c);
          const run = await jobs.find(app.id, runId);
          if (!run) throw notFound(`awaited run ${runId}`);
          return outcomeResponse(c, { appId: app.id, runId, ...run }, patience(c) ?? 0);
        },
      },
    },
    {
      path: '/v1/apps/:appId/runs/:runId/outcome',
      auth: 'page',
      methods: {
        POST: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const runId = runParam(c);
          await endPageRun(services, writeRunLog, app.id, runId, await readJson(c, PageRunOutcome));
          return json(c, { runId }, 201);
        },
      },
    },
    {
      path: '/v1/apps/:appId/analytics/events',
      auth: 'page',
      methods: {
        POST: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const event = await readJson(c, AnalyticsEvent);
          if (!isPage(access))
            throw conflict(
              'PAGE_ONLY',
              'Analytics events fire actions in the page where they occur, so only a page can send them.',
            );
          const mode = modeOf(access, undefined);
          const rows = await db.select().from(actions).where(eq(actions.appId, app.id)).orderBy(asc(actions.id));
          const fired = rows.flatMap((row) => {
            if (mode === 'live' && !row.published) return [];
            const copy = copyOf(row, mode);
            const listens =
              copy.active &&
              copy.triggers.some(
                ({ trigger, where }) => trigger === 'analytics' && whereMismatches(where ?? {}, event).length === 0,
              );
            return listens
              ? [
                  {
                    ...manualRun(row, copy, mode, { trigger: 'analytics', event }, access.depth, clock()),
                    trigger: 'analytics' as const,
                  },
                ]
              : [];
          });
          return json(c, {
            runs: await Promise.all(fired.map((request) => beginPageRun(services, request, 'analytics'))),
          });
        },
      },
    },
  ];
}

/** @throws HttpError 404 */
function runParam(c: Context): string {
  const text = (c.req.param('runId') ?? '').toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text))
    throw notFound(`run ${JSON.stringify(text.slice(0, 40))}`);
  return text;
}

interface AwaitedRun {
  appId: number;
  runId: string;
  actionName: string;
  outcome: Promise<RunOutcome>;
}

/** @param seconds how long the caller waits; null: as long as it takes. @throws HttpError 424, 504 for a failed run */
async function outcomeResponse(
  c: Context,
  { appId, runId, actionName, outcome: ending }: AwaitedRun,
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
  if (outcome === null) return json(c, { runId }, 202, { Location: `/v1/apps/${appId}/runs/${runId}` });
  if (outcome.state === 'completed') return json(c, { result: outcome.result ?? null });
  const { status, code, message } = runFailed(actionName, outcome.code, outcome.failure);
  throw new HttpError(status, code, message, { details: outcome.failure });
}
