/** Polls the log for runs triggered by a log record. Each run writes its own record when it ends. */
import { signal } from '@preact/signals';
import type { Result } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { LogList, LogRecord } from '../../../../platform-api/log.ts';
import { isRecord } from '../../../../shared/objects.ts';

/**
 * In milliseconds: time between polls, time until polling stops if no runs are expected, and time until it always
 * stops.
 */
export interface WatchTimes {
  poll: number;
  quiet: number;
  limit: number;
}

export interface WatchOptions {
  /** Lists the newest run records. */
  list: (limit: number) => Promise<Result<LogList>>;
  /** The record that triggered the runs. */
  record: LogRecord;
  /** IDs of all actions with log triggers, and of the actions that are expected to run. */
  listeners: ReadonlySet<number>;
  expected: ReadonlySet<number>;
  times?: WatchTimes;
}

/** In milliseconds. Runs can take 120 seconds; those that end after the limit show up only in the logs. */
const TIMES: WatchTimes = { poll: 500, quiet: 5_000, limit: 30_000 };
const LONGEST_WAIT = 3_000;
const PAGE_SIZE = 50;

export class RunWatch {
  /** Oldest first. */
  readonly logs = signal<readonly LogRecord[]>([]);
  /** `all`: every expected run has ended. `ended`: polling timed out. */
  readonly state = signal<'waiting' | 'all' | 'ended'>('ended');
  /** How long the log has been polled so far, in milliseconds. */
  readonly elapsed = signal(0);
  readonly error = signal<ErrorValue | null>(null);
  readonly #options: WatchOptions;
  readonly #times: WatchTimes;
  readonly #missing: Set<number>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #generation = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
    this.#times = options.times ?? TIMES;
    this.#missing = new Set(options.expected);
    this.restart();
  }

  restart = (): void => {
    this.#generation++;
    clearTimeout(this.#timer);
    this.state.value = 'waiting';
    void this.#poll(this.#generation, performance.now(), this.#times.poll);
  };

  stop(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    if (this.state.peek() === 'waiting') this.state.value = 'ended';
  }

  async #poll(generation: number, since: number, wait: number): Promise<void> {
    const response = await this.#options.list(PAGE_SIZE);
    if (generation !== this.#generation) return;
    this.error.value = response.ok ? null : response.error;
    if (response.ok) this.#add(response.value.logs);
    this.elapsed.value = performance.now() - since;
    const isExpecting = this.#options.expected.size > 0;
    if (isExpecting && this.#missing.size === 0) this.state.value = 'all';
    else if (this.elapsed.value >= (isExpecting ? this.#times.limit : this.#times.quiet)) this.state.value = 'ended';
    else this.#timer = setTimeout(() => void this.#poll(generation, since, Math.min(LONGEST_WAIT, wait * 1.3)), wait);
  }

  #add(newest: readonly LogRecord[]): void {
    const ids = new Set(this.logs.value.map(({ id }) => id));
    const added = newest.filter((log) => !ids.has(log.id) && this.#isFired(log)).toReversed();
    if (added.length === 0) return;
    for (const { data } of added) this.#missing.delete(data['actionId'] as number);
    this.logs.value = [...this.logs.value, ...added];
  }

  /**
   * Whether a record is from a scheduled run of an action with a log trigger. Where the platform names the record that
   * triggered it, or says when its schedule was due, that decides. Otherwise, only a failed run's payload names it.
   */
  #isFired({ id, data }: LogRecord): boolean {
    const { record, listeners } = this.#options;
    if (id <= record.id || !listeners.has(data['actionId'] as number) || data['mode'] !== 'scheduled') return false;
    const { payload, logId, dueAt } = data;
    if (logId !== undefined) return logId === record.id;
    if (dueAt !== undefined) return false;
    return !isRecord(payload) || !isRecord(payload['log']) || payload['log']['id'] === record.id;
  }
}
