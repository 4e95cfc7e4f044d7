/**
 * Fires schedules. A due action is queued once, no matter how many scheduled times passed while the platform was down.
 */
import { nextRun } from '../../platform-api/cron/times.ts';
import type { ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import { programOf } from '../apps/actions-v3/program.ts';
import type { Database } from '../db/database.ts';
import { and, asc, eq, gt, isNotNull, lte, sql } from '../db/drizzle.ts';
import { actions, apps, type PublishedCopy } from '../db/schema.ts';
import type { Clock } from './clock.ts';
import type { Db, RunRequest } from './types.ts';

export interface SchedulesOptions {
  db: Database;
  jobs: { enqueueAll(runs: RunRequest[], tx: Db): Promise<void> };
  clock: Clock;
  /** Of V3 runs. Default `plain`. */
  profile?: ProfileName;
  log: (error: unknown) => void;
}
/** Maximum number of schedules per transaction. */
const BATCH = 500;
/** Milliseconds between checks for due schedules. */
const CHECK_INTERVAL = 1_000;

type DueAction = Pick<typeof actions.$inferSelect, 'id' | 'appId' | 'published' | 'nextRunAt'>;

export class Schedules {
  readonly #options: SchedulesOptions;
  readonly #queue = new SerialQueue();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    if (!clock.virtual) return this.#check();
    // With a virtual clock, schedules become due only when the clock is moved.
    void this.#queue
      .run(() => this.#alignWithClock())
      .then(() => this.fire())
      .catch(log);
  }

  /** Queues the runs that are due. Returns how many there were. */
  fire(): Promise<number> {
    return this.#queue.run(() => this.#fireDue());
  }

  /**
   * Moves a virtual clock to `time`, stopping at every scheduled time on the way. Returns how many runs were queued.
   */
  advance(time: Date): Promise<number> {
    const { clock } = this.#options;
    return this.#queue.run(async () => {
      let fired = await this.#fireDue();
      for (;;) {
        const due = await this.#nextDue();
        if (!due || due > time) break;
        clock.moveTo(due);
        fired += await this.#fireDue();
      }
      clock.moveTo(time);
      return fired;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#queue.idle();
  }

  #check(): void {
    void this.fire()
      .catch(this.#options.log)
      .finally(() => {
        if (!this.#closed) this.#timer = setTimeout(() => this.#check(), CHECK_INTERVAL).unref();
      });
  }

  async #fireDue(): Promise<number> {
    let fired = 0;
    for (;;) {
      const count = await this.#fireBatch();
      fired += count;
      if (count < BATCH) return fired;
    }
  }

  #fireBatch(): Promise<number> {
    const { db, jobs, clock, profile = 'plain' } = this.#options;
    return db.transaction(async (tx) => {
      const now = clock.now();
      // Locks the rows, so that other platforms on the same database skip them.
      const due = await tx
        .select({ id: actions.id, appId: actions.appId, published: actions.published, nextRunAt: actions.nextRunAt })
        .from(actions)
        .where(and(isNotNull(actions.nextRunAt), lte(actions.nextRunAt, now)))
        .orderBy(asc(actions.nextRunAt), asc(actions.id))
        .limit(BATCH)
        .for('update', { skipLocked: true });
      if (due.length === 0) return 0;
      const times = due.map((action) => ({ id: action.id, next: nextTime(action, now)?.toISOString() ?? null }));
      await tx.execute(sql`
        update ${actions} set next_run_at = (each.value ->> 'next')::timestamptz
        from json_array_elements(${JSON.stringify(times)}::json) as each
        where ${actions.id} = (each.value ->> 'id')::integer`);
      const runs = due.flatMap((action) => scheduledRun(action, now, profile) ?? []);
      await jobs.enqueueAll(runs, tx);
      return due.length;
    });
  }

  /**
   * A virtual clock can be behind scheduled times that were computed with another clock. If so, moves them to earlier
   * times.
   */
  async #alignWithClock(): Promise<void> {
    const { db, clock } = this.#options;
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

  async #nextDue(): Promise<Date | null> {
    const [row] = await this.#options.db
      .select({ at: actions.nextRunAt })
      .from(actions)
      .innerJoin(apps, eq(apps.id, actions.appId))
      .where(isNotNull(actions.nextRunAt))
      .orderBy(asc(actions.nextRunAt))
      .limit(1);
    return row?.at ?? null;
  }
}

/** Returns the action’s published copy if it is active and has a schedule. */
const scheduledCopy = ({ published }: DueAction): PublishedCopy | null =>
  published?.active === true && published.frequency ? published : null;

function nextTime(action: DueAction, now: Date): Date | null {
  const copy = scheduledCopy(action);
  return copy && nextRun(copy.frequency!, copy.timezone ?? 'UTC', now);
}

function scheduledRun(action: DueAction, now: Date, profile: ProfileName): RunRequest | null {
  const copy = scheduledCopy(action);
  return (
    copy && {
      appId: action.appId,
      actionId: action.id,
      actionName: copy.name,
      trigger: 'schedule',
      mode: 'scheduled',
      copy: 'published',
      ...programOf(copy, profile),
      payload: copy.actionVersion === 'v3' ? {} : { trigger: 'schedule' },
      depth: 0,
      firedAt: now.toISOString(),
      dueAt: action.nextRunAt!.toISOString(),
    }
  );
}
