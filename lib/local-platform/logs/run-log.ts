/** Writes the one log record of every run (decisions, "Actions"). */
import { eq, sql } from '../db/drizzle.ts';
import { actions, apps } from '../db/schema.ts';
import type { Clock } from '../jobs/clock.ts';
import type { RunRequest, WriteRunLog } from '../jobs/types.ts';
import type { Logs } from './write.ts';

/** How much of a run's console a record keeps, in characters: enough to see what went on, little enough for a list of a thousand records. */
const CONSOLE_LIMIT = 10_000;
const LEFT_OUT = 'What followed was left out.';

export function createWriteRunLog(logs: Logs, clock: Clock): WriteRunLog {
  return async (tx, run, outcome, console = []) => {
    const [app] = await tx.select({ organizationId: apps.organizationId }).from(apps).where(eq(apps.id, run.appId));
    const failed = outcome.state === 'failed';
    const duration = Math.max(0, Math.round(outcome.milliseconds));
    // A failed run keeps its payload, to be run again; results of on-demand runs are not kept: they belong to whoever asked.
    const kept = failed
      ? { result: outcome.failure, payload: run.payload }
      : run.mode === 'scheduled' && outcome.result !== undefined
        ? { result: outcome.result }
        : {};
    const type = failed ? 'app.task.failed' : run.mode === 'scheduled' ? 'app.task.completed' : 'app.action.completed';
    const { startedAt, endedAt } = timesOf(run, duration, clock);
    await tx
      .update(actions)
      .set({ lastRunAt: sql`greatest(${actions.lastRunAt}, ${startedAt.toISOString()}::timestamptz)` })
      .where(eq(actions.id, run.actionId));
    const data = {
      mode: run.mode,
      duration,
      actionId: run.actionId,
      runId: run.runId,
      ...(run.dueAt && { dueAt: run.dueAt }),
      ...kept,
      ...(console.length > 0 && { console: bounded(console) }),
    };
    await logs.write(
      tx,
      [{ appId: run.appId, organizationId: app!.organizationId, type, data, createdAt: endedAt }],
      run.depth + 1,
    );
  };
}

/** A virtual clock stands still while a run takes its time. When it was moved meanwhile, the run ended before that, so many milliseconds after it was fired. */
function timesOf({ firedAt }: RunRequest, duration: number, clock: Clock): { startedAt: Date; endedAt: Date } {
  const now = clock.now().getTime();
  if (!clock.virtual || firedAt === undefined) return { startedAt: new Date(now - duration), endedAt: new Date(now) };
  const startedAt = new Date(firedAt);
  return { startedAt, endedAt: new Date(Math.min(now, startedAt.getTime() + duration)) };
}

/** The first lines, up to the limit. */
function bounded(console: readonly string[]): string[] {
  let room = CONSOLE_LIMIT;
  const kept: string[] = [];
  for (const line of console) {
    room -= line.length;
    if (room < 0) return [...kept, LEFT_OUT];
    kept.push(line);
  }
  return kept;
}
