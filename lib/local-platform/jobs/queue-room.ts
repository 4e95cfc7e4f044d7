/** Limits how many runs of an app can wait in the queue, so that one app can’t fill the database. */
import { randomUUID } from 'node:crypto';
import { HttpError } from '../http/errors.ts';
import type { Db, RunRequest, WriteRunLog } from './types.ts';

/** How long a count is used, in milliseconds. */
const COUNT_LIFETIME = 1_000;
/** Until the next count, a process queues at most this many runs, and at most a tenth of those that still fit. */
const ALLOWANCE = 100;
/** Then a waiting client tries again, in seconds. */
const RETRY_AFTER = 5;
/** More apps than this aren’t remembered. */
const MAX_APPS = 1_000;

/** What the last count has shown. */
interface Counted {
  /** How many runs can be queued without another count. */
  left: number;
  isFull: boolean;
  until: number;
}

export interface QueueRoomOptions {
  /** How many runs of an app can wait. */
  limit: number;
  /** Counts the app’s waiting runs, up to `limit`. Takes milliseconds when many wait. */
  count: (appId: number, limit: number, tx: Db) => Promise<number>;
  writeRunLog: WriteRunLog;
  now?: () => number;
}

export class QueueRoom {
  readonly #options: QueueRoomOptions;
  readonly #counted = new Map<number, Counted>();

  constructor(options: QueueRoomOptions) {
    this.#options = options;
  }

  /** For a run that a person or a page requests. @throws HttpError 429 `QUEUE_FULL` with `Retry-After` in seconds */
  async require({ appId }: RunRequest, tx: Db): Promise<void> {
    if ((await this.#take(appId, 1, tx)) === 1) return;
    throw new HttpError(429, 'QUEUE_FULL', this.#message, {
      hint: `Try again in ${RETRY_AFTER} s, when some of them have started.`,
      headers: { 'Retry-After': String(RETRY_AFTER) },
    });
  }

  /** For runs that schedules and log records fire. Those that don’t fit end as failed, each with a log record. */
  async admit(requests: readonly RunRequest[], tx: Db): Promise<RunRequest[]> {
    const admitted: RunRequest[] = [];
    for (const [appId, group] of Map.groupBy(requests, (request) => request.appId)) {
      const room = await this.#take(appId, group.length, tx);
      admitted.push(...group.slice(0, room));
      for (const refused of group.slice(room)) await this.#refuse(refused, tx);
    }
    return admitted;
  }

  async #refuse(request: RunRequest, tx: Db): Promise<void> {
    const failure = { errorType: 'QUEUE_FULL', errorMessage: this.#message, trace: [] };
    const outcome = { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds: 0 } as const;
    await this.#options.writeRunLog(tx, { ...request, runId: randomUUID() }, outcome);
  }

  get #message(): string {
    const limit = this.#options.limit.toLocaleString('en');
    return `Couldn’t queue the run: an app is limited to ${limit} waiting runs.`;
  }

  /**
   * Resolves with how many of `wanted` runs of the app can be queued. What other processes and open transactions are
   * queueing isn’t counted, so each process can exceed the limit by `ALLOWANCE` runs, or by its open transactions.
   */
  async #take(appId: number, wanted: number, tx: Db): Promise<number> {
    const { limit, count, now = () => performance.now() } = this.#options;
    const last = this.#counted.get(appId);
    if (last && now() < last.until) {
      // So that repeated requests don’t count a full queue each time.
      if (last.isFull) return 0;
      if (last.left >= wanted) {
        last.left -= wanted;
        return wanted;
      }
    }
    const room = Math.max(0, limit - (await count(appId, limit, tx)));
    const taken = Math.min(room, wanted);
    const left = Math.min(ALLOWANCE, Math.floor((room - taken) / 10));
    if (this.#counted.size >= MAX_APPS) this.#counted.clear();
    this.#counted.set(appId, { left, isFull: room === 0, until: now() + COUNT_LIFETIME });
    return taken;
  }
}
