/** Tracks runs that a page executes. Each ends in exactly one log record, even if the page is closed. */
import type { PageRun, PageRunOutcome, Trigger } from '../../../platform-api/index.ts';
import { and, eq, lt, sql } from '../../db/drizzle.ts';
import { runs } from '../../db/schema.ts';
import { conflict, HttpError, notFound } from '../../http/errors.ts';
import type { Services } from '../../http/services.ts';
import type { Db, RunOutcome, RunRequest, WriteRunLog } from '../../jobs/types.ts';

type Stored = Pick<Services, 'clock'> & { db: Db; limits: Pick<Services['limits'], 'time' | 'result'> };

/** What the page needs for V3 code: the path of the run’s script, and its limits. */
type PageRunV3 = Pick<PageRun, 'limits'> & { scriptOf: (runId: string) => string };

/** A run is lost if its page hasn’t reported its end this long after the time limit, in milliseconds. */
const GRACE = 30_000;

export async function beginPageRun(
  { db, limits, clock }: Stored,
  request: RunRequest,
  trigger: Trigger['trigger'],
  v3?: PageRunV3,
): Promise<PageRun> {
  const now = clock();
  const [run] = await db
    .insert(runs)
    .values({
      appId: request.appId,
      actionId: request.actionId,
      runsOn: 'page',
      request,
      state: 'running',
      attempts: 1,
      queuedAt: now,
      startedAt: now,
    })
    .returning({ id: runs.id });
  const { actionId, actionName: name, pipeline: functions, pageId, payload } = request;
  return {
    runId: run!.id,
    actionId,
    name,
    trigger,
    functions,
    pageId,
    payload,
    ...(request.v3 && v3
      ? { script: v3.scriptOf(run!.id), limits: v3.limits }
      : { limits: { time: limits.time, result: limits.result } }),
  };
}

/** @throws HttpError 404; 409 `RUN_ENDED` */
export async function endPageRun(
  { db, clock }: Stored,
  writeRunLog: WriteRunLog,
  appId: number,
  runId: string,
  reported: PageRunOutcome,
): Promise<void> {
  await db.transaction(async (tx) => {
    const here = and(eq(runs.id, runId), eq(runs.appId, appId), eq(runs.runsOn, 'page'));
    const [run] = await tx
      .update(runs)
      .set({ state: reported.state, outcome: withoutResult(reported), endedAt: clock() })
      .where(and(here, eq(runs.state, 'running')))
      .returning();
    if (run)
      return writeRunLog(
        tx,
        { ...run.request, runId },
        run.request.v3 ? withResult(reported) : withoutResult(reported),
      );
    const [known] = await tx.select({ id: runs.id }).from(runs).where(here);
    throw known
      ? conflict('RUN_ENDED', `The run ${runId} has already ended.`)
      : notFound(`run ${runId} in app ${appId}`);
  });
}

const withoutResult = (reported: PageRunOutcome): RunOutcome => withResult({ ...reported, result: undefined });
const withResult = (reported: PageRunOutcome & { result?: unknown }): RunOutcome =>
  reported.state === 'completed' ? { ...reported, result: reported.result } : reported;

/** Fails runs whose pages were closed before they ended, as if they had reached the time limit. */
export async function endLostPageRuns({ db, limits, clock }: Stored, writeRunLog: WriteRunLog): Promise<void> {
  const before = new Date(clock().getTime() - limits.time - GRACE);
  const lost = await db
    .select({ id: runs.id, appId: runs.appId })
    .from(runs)
    .where(and(eq(runs.runsOn, 'page'), sql`${runs.state} in ('queued', 'running')`, lt(runs.queuedAt, before)));
  for (const { id, appId } of lost) {
    const failure = {
      errorType: 'TIMEOUT',
      errorMessage: `The page that ran the action didn’t report an outcome within ${limits.time} ms. The page was probably closed.`,
      trace: [],
    };
    // If the page reports an outcome at the same moment, the page’s outcome wins.
    await endPageRun({ db, limits, clock }, writeRunLog, appId, id, {
      state: 'failed',
      code: 'TIMEOUT',
      failure,
      milliseconds: limits.time,
    }).catch((error: unknown) => {
      if (!(error instanceof HttpError)) throw error;
    });
  }
}

/** Periodically checks for lost runs. Returns a function that stops the checks. */
export function watchPageRuns(
  stored: Stored,
  writeRunLog: WriteRunLog,
  log: (error: unknown) => void,
): () => Promise<void> {
  let sweep: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweep = endLostPageRuns(stored, writeRunLog).catch(log);
  }, GRACE).unref();
  return () => {
    clearInterval(timer);
    return sweep;
  };
}
