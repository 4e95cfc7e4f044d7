/** Owns schedules: what is due is queued once, whatever was missed while the platform was down, and its next time is set. */
import { nextRun } from '../../platform-api/cron-times.ts';
import type { PipelineStep } from '../../platform-api/index.ts';
import type { Database } from '../db/database.ts';
import { and, asc, eq, gt, isNotNull, lte, sql } from '../db/drizzle.ts';
import { actions, apps } from '../db/schema.ts';
import type { Clock } from './clock.ts';
import type { StartedJobs } from './index.ts';
import type { RunRequest } from './types.ts';

export interface SchedulesOptions {
  db: Database;
  jobs: Pick<StartedJobs, 'enqueueAll'>;
  clock: Clock;
  log: (error: unknown) => void;
}
export interface Schedules {
  start(): void;
  /** Queues what is due now; answers how many. */
  fire(): Promise<number>;
  /** Moves a virtual clock to `time`, through every scheduled time on the way, in order; answers how many runs were queued. */
  advance(time: Date): Promise<number>;
  close(): Promise<void>;
}

/** So many are queued and set in one transaction. */
const BATCH = 500;
/** A schedule that was published a moment ago is seen after this long at the latest, in milliseconds. */
const LOOK_EVERY = 1_000;

export function createSchedules({ db, jobs, clock, log }: SchedulesOptions): Schedules {
  let timer: NodeJS.Timeout | undefined;
  let work: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** One after another, so that closing waits for what is under way. */
  function alone<T>(task: () => Promise<T>): Promise<T> {
    const next = work.then(task);
    work = next.catch(() => {});
    return next;
  }

  async function fireDue(): Promise<number> {
    let fired = 0;
    for (;;) {
      const count = await db.transaction(async (tx) => {
        const now = clock.now();
        // Another platform on the same database takes others.
        const due = await tx
          .select({ id: actions.id, appId: actions.appId, published: actions.published, nextRunAt: actions.nextRunAt })
          .from(actions)
          .where(and(isNotNull(actions.nextRunAt), lte(actions.nextRunAt, now)))
          .orderBy(asc(actions.nextRunAt), asc(actions.id))
          .limit(BATCH)
          .for('update', { skipLocked: true });
        if (due.length === 0) return 0;
        const runs: RunRequest[] = [];
        const times: { id: number; next: string | null }[] = [];
        for (const { id, appId, published, nextRunAt } of due) {
          const scheduled = published?.active === true && published.frequency ? published : null;
          const next = scheduled ? nextRun(scheduled.frequency!, scheduled.timezone ?? 'UTC', now) : null;
          times.push({ id, next: next?.toISOString() ?? null });
          if (!scheduled) continue;
          runs.push({
            appId,
            actionId: id,
            actionName: scheduled.name,
            trigger: 'schedule',
            mode: 'scheduled',
            copy: 'published',
            pipeline: scheduled.functions as PipelineStep[],
            pageId: scheduled.pageId ?? null,
            payload: { trigger: 'schedule' },
            depth: 0,
            firedAt: now.toISOString(),
            dueAt: nextRunAt!.toISOString(),
          });
        }
        await tx.execute(
          sql`update ${actions} set next_run_at = (each.value ->> 'next')::timestamptz from json_array_elements(${JSON.stringify(times)}::json) as each where ${actions.id} = (each.value ->> 'id')::integer`,
        );
        await jobs.enqueueAll(runs, tx);
        return due.length;
      });
      fired += count;
      if (count < BATCH) return fired;
    }
  }

  /** A virtual clock may stand before times that were set by another: by it, those schedules are due earlier. */
  async function keepToClock(): Promise<void> {
    const now = clock.now();
    const ahead = await db
      .select({ id: actions.id, published: actions.published, nextRunAt: actions.nextRunAt })
      .from(actions)
      .where(gt(actions.nextRunAt, now));
    for (const { id, published, nextRunAt } of ahead) {
      const next = published?.frequency ? nextRun(published.frequency, published.timezone ?? 'UTC', now) : null;
      if (next && nextRunAt && next < nextRunAt)
        await db.update(actions).set({ nextRunAt: next }).where(eq(actions.id, id));
    }
  }

  async function nextDue(): Promise<Date | null> {
    const [row] = await db
      .select({ at: actions.nextRunAt })
      .from(actions)
      .innerJoin(apps, eq(apps.id, actions.appId))
      .where(isNotNull(actions.nextRunAt))
      .orderBy(asc(actions.nextRunAt))
      .limit(1);
    return row?.at ?? null;
  }

  return {
    start() {
      const look = (): void => {
        void alone(fireDue)
          .catch(log)
          .finally(() => {
            if (!closed) timer = setTimeout(look, LOOK_EVERY).unref();
          });
      };
      // A virtual clock stands still: only moving it makes anything due.
      if (clock.virtual)
        void alone(keepToClock)
          .then(() => alone(fireDue))
          .catch(log);
      else look();
    },
    fire: () => alone(fireDue),
    advance: (time) =>
      alone(async () => {
        let fired = await fireDue();
        for (;;) {
          const due = await nextDue();
          if (!due || due > time) break;
          clock.moveTo(due);
          fired += await fireDue();
        }
        clock.moveTo(time);
        return fired;
      }),
    async close() {
      closed = true;
      clearTimeout(timer);
      await work;
    },
  };
}
