/** Executes queued runs. One process claims each run, executes it at most once, and writes one log record. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import type { Driver } from '../db/driver.ts';
import { faultOf } from '../db/outage.ts';
import { INTERRUPTED, type Runner } from '../runner/index.ts';
import { MISSING } from '../runner/recording.ts';
import { notStored } from './not-stored.ts';
import { QueueRoom } from './queue-room.ts';
import { openQueue, type Queue, type QueuedRun } from './queue.ts';
import type { Db, Jobs, RunOutcome, RunRequest, RunTraces, WriteRunLog } from './types.ts';
import { PendingWork, until } from './until.ts';

export type ExecutedRun = { outcome: RunOutcome } & RunTraces;

export interface JobsOptions {
  db: Database;
  driver: Driver;
  /** Executes a claimed run. Never rejects. */
  execute: (run: RunRequest & { runId: string }, signal: AbortSignal) => Promise<ExecutedRun>;
  runner: Pick<Runner, 'warm' | 'close'>;
  writeRunLog: WriteRunLog;
  /** Concurrent runs in this process. 0 leaves runs to other processes. */
  concurrency: number;
  /** How many runs of an app can wait. Default: no limit. */
  queueLimit?: number;
  log: (error: unknown) => void;
}
export interface StartedJobs extends Jobs {
  /**
   * Opens the queue, fails runs that a crashed process left behind, and starts processing. Other methods also open the
   * queue if needed.
   */
  start(): Promise<void>;
  /** Runs beyond the limit of their app’s queue end as failed, each with a log record. */
  enqueueAll(runs: RunRequest[], tx?: Db): Promise<void>;
  /** How many runs are queued or running, in all processes. */
  count(): Promise<number>;
}

/** How long runs have to finish when the platform closes, in milliseconds. Then they end as interrupted. */
const CLOSE_TIMEOUT = 5_000;
const RECOVER_INTERVAL = 2_000;
const POLL_INTERVAL = 2_000;
const END_ATTEMPTS = 6;
/** Between two attempts, in milliseconds. */
const MAX_DELAY = 3_200;
/** In milliseconds. */
const CLAIM_RETRY = 1_000;
/** Then the run ends as failed, without its outcome. */
const OUTCOME_ATTEMPTS = 3;

export class RunJobs implements StartedJobs {
  readonly #options: JobsOptions;
  readonly #room: QueueRoom | undefined;
  readonly #processId = randomUUID();
  /** Claimed runs whose end isn’t recorded yet. */
  readonly #active = new Map<string, Promise<void>>();
  /** Slots in use, and by which apps. A finished run frees its slot before its end is recorded. */
  #running = 0;
  readonly #runningOf = new Map<number, number>();
  readonly #awaited = new Map<string, PromiseWithResolvers<RunOutcome>>();
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  /** What closing waits for: a claim, and periodic work. */
  readonly #pending = new PendingWork();
  #queue: Promise<Queue> | undefined;
  #closing = false;
  /**
   * While the platform is closing, runs that end still enqueue the runs they fire, for the next start. Once it has
   * closed, nothing is enqueued.
   */
  #closed = false;
  #claiming = false;
  #claimAgain = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(options: JobsOptions) {
    this.#options = options;
    const { queueLimit: limit, writeRunLog } = options;
    const count: Queue['waiting'] = async (...which) => (await this.#opened()).waiting(...which);
    if (limit !== undefined) this.#room = new QueueRoom({ limit, count, writeRunLog });
  }

  async start(): Promise<void> {
    await this.#opened();
    if (this.#options.concurrency > 0) void this.#options.runner.warm();
  }

  async enqueue(request: RunRequest, tx?: Db): Promise<{ runId: string }> {
    return { runId: await this.#send(request, null, tx) };
  }

  async enqueueAll(requests: RunRequest[], tx?: Db): Promise<void> {
    const queue = await this.#opened();
    const admitted = (await this.#room?.admit(requests, tx ?? this.#options.db)) ?? requests;
    const runs = admitted.map((request) => ({ runId: randomUUID(), request, waiter: null }));
    await queue.send(runs, tx);
  }

  async ready(): Promise<void> {
    await this.#opened();
  }

  begin(request: RunRequest, tx?: Db): Promise<string> {
    return this.#send(request, this.#processId, tx);
  }

  async #send(request: RunRequest, waiter: string | null, tx: Db | undefined): Promise<string> {
    const queue = await this.#opened();
    await this.#room?.require(request, tx ?? this.#options.db);
    const runId = randomUUID();
    await queue.send([{ runId, request, waiter }], tx);
    return runId;
  }

  async find(appId: number, runId: string): ReturnType<Jobs['find']> {
    const request = await (await this.#opened()).awaitedRun(runId);
    if (request?.appId !== appId) return undefined;
    const outcome = this.#outcomeOf(runId);
    // The run might have ended already, or in another process.
    await this.#collect(runId);
    const { actionName, v3 } = request;
    return { actionName, outcome, ...(v3 && { v3 }) };
  }

  async runAndWait(request: RunRequest, signal?: AbortSignal): Promise<RunOutcome> {
    await this.#opened();
    signal?.throwIfAborted();
    const runId = await this.begin(request);
    return until((await this.find(request.appId, runId))!.outcome, signal);
  }

  async count(): Promise<number> {
    return (await this.#opened()).count();
  }

  async close(timeout = CLOSE_TIMEOUT): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    for (const timer of this.#timers) clearInterval(timer);
    const timer = setTimeout(() => this.#stop.abort(), timeout);
    // A claim might still start runs.
    await this.#pending.settled(this.#stop.signal);
    await Promise.all(this.#active.values());
    this.#closed = true;
    clearTimeout(timer);
    await this.#options.runner.close();
    await this.#queue?.then((queue) => queue.close()).catch(this.#options.log);
  }

  #opened(): Promise<Queue> {
    if (this.#closed || (this.#closing && !this.#queue)) return Promise.reject(new Error('The platform is stopping.'));
    return (this.#queue ??= this.#open());
  }

  async #open(): Promise<Queue> {
    const { db, driver, log } = this.#options;
    try {
      const onEnded = (runId: string): void => void this.#collect(runId);
      const queue = await openQueue({ db, driver, onQueued: () => this.#claim(), onEnded, log });
      this.#queue = Promise.resolve(queue);
      await this.#recover(queue).catch(log);
      this.#repeat(RECOVER_INTERVAL, () => this.#recover(queue));
      this.#repeat(POLL_INTERVAL, async () => {
        this.#claim();
        for (const runId of this.#awaited.keys()) await this.#collect(runId);
      });
      this.#claim();
      return queue;
    } catch (error) {
      this.#queue = undefined;
      throw error;
    }
  }

  #repeat(interval: number, work: () => Promise<void>): void {
    // If no other process uses the database, no other process can abandon or end a run.
    if (!this.#options.driver.shared) return;
    let isBusy = false;
    const tick = async (): Promise<void> => {
      if (isBusy || this.#closing) return;
      isBusy = true;
      await this.#pending.track(work().catch(this.#options.log));
      isBusy = false;
    };
    this.#timers.push(setInterval(() => void tick(), interval).unref());
  }

  /** Claims as many runs as there are free slots. */
  #claim(): void {
    const { concurrency, log } = this.#options;
    this.#claimAgain = true;
    if (this.#claiming || this.#closing || concurrency === 0) return;
    this.#claiming = true;
    const claimed = this.#claimAll().catch((error: unknown) => {
      log(error);
      // Such as a full disk, which ends unnoticed.
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#claim(), CLAIM_RETRY).unref();
    });
    void this.#pending.track(claimed).finally(() => {
      this.#claiming = false;
      if (this.#claimAgain && this.#running < concurrency) this.#claim();
    });
  }

  async #claimAll(): Promise<void> {
    const { concurrency } = this.#options;
    while (this.#claimAgain && this.#running < concurrency) {
      if (this.#closing) return;
      this.#claimAgain = false;
      const slots = concurrency - this.#running;
      const runs = await (await this.#opened()).claim(slots, this.#runningOf);
      for (const run of runs) this.#execute(run);
      if (runs.length === slots) this.#claimAgain = true;
    }
  }

  #execute(run: QueuedRun): void {
    const { runId, request } = run;
    const { execute, log } = this.#options;
    this.#occupy(request.appId, 1);
    const done = execute({ ...request, runId }, this.#stop.signal)
      .finally(() => {
        this.#occupy(request.appId, -1);
        // The flag is set if runs were queued in the meantime.
        if (this.#claimAgain) this.#claim();
      })
      .then(({ outcome, ...traces }) => this.#end(run, outcome, traces))
      .catch(log)
      .finally(() => this.#active.delete(runId));
    this.#active.set(runId, done);
  }

  #occupy(app: number, slots: 1 | -1): void {
    this.#running += slots;
    const count = (this.#runningOf.get(app) ?? 0) + slots;
    if (count > 0) this.#runningOf.set(app, count);
    else this.#runningOf.delete(app);
  }

  /** Stores the run’s end and its log record in one transaction, so that neither exists without the other. */
  async #end(run: QueuedRun, outcome: RunOutcome, traces: RunTraces): Promise<void> {
    const queue = await this.#queue!;
    let stored = outcome;
    let kept = traces;
    for (let attempt = 1; ; attempt += 1) {
      try {
        // While this process was suspended or cut off, another one can have ended the run.
        if (!(await this.#store(queue, run, stored, stored === outcome ? kept : {})))
          stored = (await queue.outcome(run.runId)) ?? stored;
        break;
      } catch (error) {
        const fault = faultOf(error);
        // Callers don’t wait for an outage or a full disk to end.
        if (attempt === END_ATTEMPTS) this.#resolve(run.runId, stored);
        if (attempt >= END_ATTEMPTS && (fault === null || this.#closing)) throw error;
        // Perhaps the recording can’t be stored. The record is more important.
        if (fault === null) kept = { console: traces.console };
        // Perhaps the outcome itself can’t be stored. No run must end without a record.
        if (attempt >= OUTCOME_ATTEMPTS && fault === null) stored = notStored(outcome, error);
        await delay(Math.min(50 * 2 ** attempt, MAX_DELAY));
      }
    }
    queue.release(run);
    // From now on, its outcome is in the queue, for callers that begin to wait.
    this.#active.delete(run.runId);
    this.#resolve(run.runId, stored);
  }

  /** Resolves with false if the run has already ended. */
  #store(queue: Queue, run: QueuedRun, outcome: RunOutcome, traces: RunTraces): Promise<boolean> {
    const { db, writeRunLog } = this.#options;
    const { request, runId } = run;
    return db.transaction(async (tx) => {
      const isEnded = await queue.end(run, outcome, tx);
      if (isEnded) await writeRunLog(tx, { ...request, runId }, outcome, traces);
      return isEnded;
    });
  }

  /** Fails the runs of a crashed process. They aren’t repeated, because they might have done part of their work. */
  async #recover(queue: Queue): Promise<void> {
    for (const orphan of await queue.orphans(this.#active)) {
      const milliseconds = Math.max(0, Math.round(orphan.since));
      // A run whose end can’t be stored doesn’t keep the others from ending.
      const outcome = { state: 'failed', code: 'ACTION_FAILED', failure: INTERRUPTED, milliseconds } as const;
      await this.#end(orphan, outcome, { recording: { missing: MISSING.ended } }).catch(this.#options.log);
    }
  }

  /** Returns one promise per run, shared by all callers that await the run. */
  #outcomeOf(runId: string): Promise<RunOutcome> {
    const awaited = this.#awaited.get(runId) ?? Promise.withResolvers<RunOutcome>();
    this.#awaited.set(runId, awaited);
    return awaited.promise;
  }

  #resolve(runId: string, outcome: RunOutcome): void {
    this.#awaited.get(runId)?.resolve(outcome);
    this.#awaited.delete(runId);
  }

  /** Resolves an awaited run if another process has ended it. */
  async #collect(runId: string): Promise<void> {
    if (!this.#awaited.has(runId) || this.#active.has(runId)) return;
    const outcome = await (await this.#opened()).outcome(runId).catch(() => undefined);
    if (outcome) this.#resolve(runId, outcome);
  }
}
