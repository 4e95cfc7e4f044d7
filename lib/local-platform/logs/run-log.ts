/** Writes the log record of each run (decisions, "Actions"). */
import { eq, sql } from '../db/drizzle.ts';
import { actions, apps } from '../db/schema.ts';
import type { Clock } from '../jobs/clock.ts';
import type { RunOutcome, RunRequest, WriteRunLog } from '../jobs/types.ts';
import { storeRecording } from '../recordings/store.ts';
import { logIdOf, runDataV3 } from './run-data-v3.ts';
import type { Logs } from './write.ts';

/** Maximum characters of a run’s console in a log record. A list can contain up to 1,000 records. */
const CONSOLE_LIMIT = 10_000;
const OMITTED = 'The rest was omitted.';

export function createWriteRunLog(logs: Logs, clock: Clock): WriteRunLog {
  return async (tx, run, outcome, { console = [], recording } = {}) => {
    const [app] = await tx.select({ organizationId: apps.organizationId }).from(apps).where(eq(apps.id, run.appId));
    const failed = outcome.state === 'failed';
    const duration = Math.max(0, Math.round(outcome.milliseconds));
    const isTask = run.mode === 'scheduled' || run.v3 !== undefined;
    const type = failed ? 'app.task.failed' : isTask ? 'app.task.completed' : 'app.action.completed';
    const { startedAt, endedAt } = timesOf(run, duration, clock);
    await tx
      .update(actions)
      .set({ lastRunAt: sql`greatest(${actions.lastRunAt}, ${startedAt.toISOString()}::timestamptz)` })
      .where(eq(actions.id, run.actionId));
    const { v3 } = run;
    const data = v3
      ? runDataV3({ ...run, v3 }, duration, outcome, bounded(console))
      : runData(run, duration, outcome, bounded(console));
    const [row] = await logs.write(
      tx,
      [{ appId: run.appId, organizationId: app!.organizationId, type, data, createdAt: endedAt }],
      run.depth + 1,
    );
    if (recording) await storeRecording(tx, row!, recording);
  };
}

/**
 * A failed run’s payload is stored so that the run can be repeated. Results of on-demand runs go only to their callers.
 */
function runData(
  run: RunRequest & { runId: string },
  duration: number,
  outcome: RunOutcome,
  console: readonly string[],
): Record<string, unknown> {
  const stored =
    outcome.state === 'failed'
      ? { result: outcome.failure, payload: run.payload }
      : run.mode === 'scheduled' && outcome.result !== undefined
        ? { result: outcome.result }
        : {};
  return {
    mode: run.mode,
    duration,
    actionId: run.actionId,
    runId: run.runId,
    ...(run.dueAt && { dueAt: run.dueAt }),
    ...logIdOf(run.payload),
    ...(run.mocks?.length && { mocks: run.mocks.length }),
    ...stored,
    ...(console.length > 0 && { console }),
  };
}

/**
 * A virtual clock doesn’t advance while an action runs. If someone moved it since the run was fired, the run still ended
 * `duration` after that.
 */
function timesOf({ firedAt }: RunRequest, duration: number, clock: Clock): { startedAt: Date; endedAt: Date } {
  const now = clock.now().getTime();
  if (!clock.virtual || firedAt === undefined) return { startedAt: new Date(now - duration), endedAt: new Date(now) };
  const startedAt = new Date(firedAt);
  return { startedAt, endedAt: new Date(Math.min(now, startedAt.getTime() + duration)) };
}

/** Returns the first lines, up to the limit. */
function bounded(console: readonly string[]): string[] {
  let room = CONSOLE_LIMIT;
  const lines: string[] = [];
  for (const line of console) {
    room -= line.length;
    if (room < 0) return [...lines, OMITTED];
    lines.push(line);
  }
  return lines;
}
