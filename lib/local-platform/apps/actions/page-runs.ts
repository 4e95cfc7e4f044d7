/** Owns runs that a page does itself: begun here, so that each ends in exactly one log record, told by the page or missed. */
import type { PageRun, PageRunOutcome, Trigger } from '../../../platform-api/index.ts';
import { and, eq, lt, sql } from '../../db/drizzle.ts';
import { runs } from '../../db/schema.ts';
import { conflict, HttpError, notFound } from '../../http/errors.ts';
import type { Services } from '../../http/services.ts';
import type { RunOutcome, RunRequest, WriteRunLog } from '../../jobs/types.ts';

type Stored = Pick<Services, 'db' | 'limits' | 'clock'>;

/** How much longer than the time limit a page may be silent before its run counts as lost, in milliseconds. */
const GRACE = 30_000;

export async function beginPageRun(
  { db, limits, clock }: Stored,
  request: RunRequest,
  trigger: Trigger['trigger'],
): Promise<PageRun> {
  const now = clock();
  const [run] = await db
    .insert(runs)
    .values({
      appId: request.appId,
      actionId: request.actionId,
      place: 'page',
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
    limits: { time: limits.time, result: limits.result },
  };
}

/** @throws HttpError 404; 409 `RUN_ENDED` */
export async function endPageRun(
  { db, clock }: Stored,
  writeRunLog: WriteRunLog,
  appId: number,
  runId: string,
  told: PageRunOutcome,
): Promise<void> {
  const outcome: RunOutcome = told.state === 'completed' ? { ...told, result: undefined } : told;
  await db.transaction(async (tx) => {
    const here = and(eq(runs.id, runId), eq(runs.appId, appId), eq(runs.place, 'page'));
    const [run] = await tx
      .update(runs)
      .set({ state: outcome.state, outcome, endedAt: clock() })
      .where(and(here, eq(runs.state, 'running')))
      .returning();
    if (run) return writeRunLog(tx, { ...run.request, runId }, outcome);
    const [known] = await tx.select({ id: runs.id }).from(runs).where(here);
    throw known
      ? conflict('RUN_ENDED', `The run ${runId} has ended already.`)
      : notFound(`run ${runId} in app ${appId}`);
  });
}

/** Ends the runs of pages that were closed in the middle: they fail at the time limit, as any other run does. */
export async function endLostPageRuns({ db, limits, clock }: Stored, writeRunLog: WriteRunLog): Promise<void> {
  const before = new Date(clock().getTime() - limits.time - GRACE);
  const lost = await db
    .select({ id: runs.id, appId: runs.appId })
    .from(runs)
    .where(and(eq(runs.place, 'page'), sql`${runs.state} in ('queued', 'running')`, lt(runs.queuedAt, before)));
  for (const { id, appId } of lost) {
    const failure = {
      errorType: 'TIMEOUT',
      errorMessage: `The page that ran it did not say within ${limits.time} ms how it ended; it was probably closed.`,
      trace: [],
    };
    // A page that tells its outcome at this very moment is right.
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

/** Looks for lost runs from time to time; answers how to stop. */
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
