/** Owns runs on the server from queued to ended: each is claimed by one process, run once at most, and ends in one log record. */
import { randomUUID } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Driver } from '../db/driver.ts';
import { INTERRUPTED, type Runner, type RunReport } from '../runner/index.ts';
import { findAwaitedRun } from './find-run.ts';
import { openQueue, type Queue, type QueuedRun } from './queue.ts';
import { until } from './until.ts';
import type { Jobs, RunOutcome, RunRequest, WriteRunLog } from './types.ts';

export interface JobsOptions {
  db: Database;
  driver: Driver;
  /** Runs a claimed run; never rejects. */
  execute: (run: RunRequest & { runId: string }, signal: AbortSignal) => Promise<RunReport>;
  runner: Pick<Runner, 'warm' | 'close'>;
  writeRunLog: WriteRunLog;
  /** How many runs at once; 0 leaves them to other processes. */
  concurrency: number;
  log: (error: unknown) => void;
}
export interface StartedJobs extends Jobs {
  /** Opens the queue, ends what a process left that is gone, and takes up work; anything queued waits for it by itself. */
  start(): Promise<void>;
  /** As `enqueue`, for many. */
  enqueueAll(runs: RunRequest[], tx?: Parameters<Jobs['enqueue']>[1]): Promise<void>;
  /** How many runs wait or run, in all processes. */
  count(): Promise<number>;
}

/** Runs under way get this long at the end, in milliseconds; then they end as interrupted. */
const CLOSE_WITHIN = 5_000;
const RECOVER_EVERY = 2_000;
const POLL_EVERY = 2_000;
const END_TRIES = 6;

export function createJobs({ db, driver, execute, runner, writeRunLog, concurrency, log }: JobsOptions): StartedJobs {
  const me = randomUUID();
  /** From claimed to recorded. */
  const active = new Map<string, Promise<void>>();
  /** How many of them hold a place: one whose work is done leaves it to the next before its end is recorded. */
  let running = 0;
  const waiting = new Map<string, PromiseWithResolvers<RunOutcome>>();
  const stop = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let queue: Promise<Queue> | undefined;
  let closing = false;
  /** From here on nothing is queued; while it closes, the ends of runs still fire others, for the next start. */
  let closed = false;
  let pumping = false;
  let again = false;

  const opened = (): Promise<Queue> => {
    if (closed || (closing && !queue)) return Promise.reject(new Error('The platform is stopping.'));
    queue ??= open();
    return queue;
  };

  async function open(): Promise<Queue> {
    try {
      const made = await openQueue({ db, driver, onQueued: pump, onEnded: (runId) => void collect(runId), log });
      queue = Promise.resolve(made);
      await recover(made).catch(log);
      repeat(RECOVER_EVERY, () => recover(made));
      repeat(POLL_EVERY, async () => {
        pump();
        for (const runId of waiting.keys()) await collect(runId);
      });
      pump();
      return made;
    } catch (error) {
      queue = undefined;
      throw error;
    }
  }

  function repeat(every: number, work: () => Promise<void>): void {
    // Nobody else can leave or end a run of a database that is this process's alone.
    if (!driver.shared) return;
    let busy = false;
    const tick = async (): Promise<void> => {
      if (busy || closing) return;
      busy = true;
      await work().catch(log);
      busy = false;
    };
    timers.push(setInterval(() => void tick(), every).unref());
  }

  /** Claims as many runs as there is room for. */
  function pump(): void {
    again = true;
    if (pumping || closing || concurrency === 0) return;
    pumping = true;
    void claimAll()
      .catch(log)
      .finally(() => {
        pumping = false;
        if (again && running < concurrency) pump();
      });
  }

  async function claimAll(): Promise<void> {
    while (again && running < concurrency) {
      if (closing) return;
      again = false;
      const room = concurrency - running;
      const runs = await (await opened()).claim(room);
      for (const run of runs) take(run);
      if (runs.length === room) again = true;
    }
  }

  function take(run: QueuedRun): void {
    const { runId, request } = run;
    running += 1;
    const done = execute({ ...request, runId }, stop.signal)
      .finally(() => {
        running -= 1;
        // Whatever was queued meanwhile has said so.
        if (again) pump();
      })
      .then(({ outcome, console }) => end(run, outcome, console))
      .catch(log)
      .finally(() => active.delete(runId));
    active.set(runId, done);
  }

  /** One transaction holds the end of the run and its log record, so that neither is without the other. */
  async function end(run: QueuedRun, outcome: RunOutcome, console: readonly string[] = []): Promise<void> {
    const made = await queue!;
    for (let tries = 1; ; tries += 1) {
      try {
        await db.transaction(async (tx) => {
          if (await made.end(run, outcome, tx))
            await writeRunLog(tx, { ...run.request, runId: run.runId }, outcome, console);
        });
        break;
      } catch (error) {
        if (tries === END_TRIES) {
          tell(run.runId, outcome);
          throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** tries));
      }
    }
    made.release(run);
    tell(run.runId, outcome);
  }

  function tell(runId: string, outcome: RunOutcome): void {
    waiting.get(runId)?.resolve(outcome);
    waiting.delete(runId);
  }

  /** A run that was begun may have done a part of its work: it is not begun again, but ended as failed. */
  async function recover(made: Queue): Promise<void> {
    for (const orphan of await made.orphans(active)) {
      await end(orphan, {
        state: 'failed',
        code: 'ACTION_FAILED',
        failure: INTERRUPTED,
        milliseconds: Math.max(0, Math.round(orphan.since)),
      });
    }
  }

  /** The outcome of a run that another process ended. */
  async function collect(runId: string): Promise<void> {
    const found = waiting.get(runId);
    if (!found || active.has(runId)) return;
    const outcome = await (await opened()).outcome(runId).catch(() => undefined);
    if (outcome && waiting.delete(runId)) found.resolve(outcome);
  }

  async function begin(request: RunRequest): Promise<{ runId: string; outcome: Promise<RunOutcome> }> {
    const runId = randomUUID();
    const made = await opened();
    const outcome = awaited(runId);
    try {
      await made.send([{ runId, request, waiter: me }]);
    } catch (error) {
      waiting.delete(runId);
      throw error;
    }
    return { runId, outcome };
  }

  /** Told when the run ends; all who wait for it share one promise. */
  function awaited(runId: string): Promise<RunOutcome> {
    const known = waiting.get(runId);
    if (known) return known.promise;
    const made = Promise.withResolvers<RunOutcome>();
    waiting.set(runId, made);
    return made.promise;
  }

  return {
    async start() {
      await opened();
      if (concurrency > 0) void runner.warm();
    },
    async enqueue(request, tx) {
      const runId = randomUUID();
      await (await opened()).send([{ runId, request, waiter: null }], tx);
      return { runId };
    },
    async enqueueAll(requests, tx) {
      await (
        await opened()
      ).send(
        requests.map((request) => ({ runId: randomUUID(), request, waiter: null })),
        tx,
      );
    },
    begin,
    async find(appId, runId) {
      await opened();
      const request = await findAwaitedRun(db, runId);
      if (request?.appId !== appId) return undefined;
      const outcome = awaited(runId);
      // It may have ended before, or elsewhere.
      await collect(runId);
      return { actionName: request.actionName, outcome };
    },
    async runAndWait(request, signal) {
      await opened();
      signal?.throwIfAborted();
      const { outcome } = await begin(request);
      return until(outcome, signal);
    },
    count: async () => (await opened()).count(),
    async close() {
      if (closing) return;
      closing = true;
      for (const timer of timers) clearInterval(timer);
      const late = setTimeout(() => stop.abort(), CLOSE_WITHIN);
      await Promise.all(active.values());
      closed = true;
      clearTimeout(late);
      await runner.close();
      await queue?.then((made) => made.close()).catch(log);
    },
  };
}
