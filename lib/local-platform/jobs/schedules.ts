/** Fires schedules: a due action is queued once, however many times were missed while the platform was down. */
import { nextRun } from '../../platform-api/cron-times.ts';
import type { PipelineStep } from '../../platform-api/index.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
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
  /** Queues what is due now. Returns how many runs. */
  fire(): Promise<number>;
  /** Moves a virtual clock to `time`, through every scheduled time on the way. Returns how many runs were queued. */
  advance(time: Date): Promise<number>;
  close(): Promise<void>;
}

/** Schedules per transaction. */
const BATCH = 500;
/** Milliseconds between checks for due schedules. */
const CHECK_EVERY = 1_000;

export function createSchedules({ db, jobs, clock, log }: SchedulesOptions): Schedules {
  let timer: NodeJS.Timeout | undefined;
  const queue = new SerialQueue();
  let closed = false;

  async function fireDue(): Promise<number> {
    let fired = 0;
    for (;;) {
      const count = await db.transaction(async (tx) => {
        const now = clock.now();
        // Another platform on the same database skips these.
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

  /** A virtual clock may be behind the times that another clock has set. Then schedules are due earlier. */
  async function alignWithClock(): Promise<void> {
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
      const check = (): void => {
        void queue
          .run(fireDue)
          .catch(log)
          .finally(() => {
            if (!closed) timer = setTimeout(check, CHECK_EVERY).unref();
          });
      };
      // With a virtual clock, schedules become due only when it is moved.
      if (clock.virtual)
        void queue
          .run(alignWithClock)
          .then(() => queue.run(fireDue))
          .catch(log);
      else check();
    },
    fire: () => queue.run(fireDue),
    advance: (time) =>
      queue.run(async () => {
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
      await queue.idle();
    },
  };
}
