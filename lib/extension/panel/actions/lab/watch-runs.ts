/** Owns looking for the runs that a log record fired: each ends in one record of its own, which comes when it comes. */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Result } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { LogList, LogRecord } from '../../../../platform-api/log.ts';
import { isFields } from '../edit/pointer.ts';

export interface WatchOptions {
  /** The newest records of runs. */
  list: (limit: number) => Promise<Result<LogList>>;
  /** What was fired. */
  record: LogRecord;
  /** Ids of the actions that have log triggers at all, and of those that should hear this record. */
  listeners: ReadonlySet<number>;
  expected: ReadonlySet<number>;
  /** Milliseconds: between two looks, until it ends when nothing is expected, and in any case. */
  times?: { look: number; quiet: number; most: number };
}

export interface WatchedRuns {
  /** Oldest first. */
  readonly logs: ReadonlySignal<readonly LogRecord[]>;
  readonly state: ReadonlySignal<'looking' | 'all' | 'ended'>;
  /** Milliseconds that were looked for so far. */
  readonly elapsed: ReadonlySignal<number>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** Looks again for as long. */
  restart(): void;
  stop(): void;
}

/** Runs may take 120 seconds; who waits longer for them finds them in the logs. */
const TIMES = { look: 500, quiet: 5_000, most: 30_000 };
const SLOWEST = 3_000;
const LIMIT = 50;

export function watchRuns({ list, record, listeners, expected, times = TIMES }: WatchOptions): WatchedRuns {
  const logs = signal<readonly LogRecord[]>([]);
  const state = signal<'looking' | 'all' | 'ended'>('ended');
  const looked = signal(0);
  const error = signal<ErrorValue | null>(null);
  const missing = new Set(expected);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;

  async function look(mine: number, since: number, wait: number): Promise<void> {
    const answer = await list(LIMIT);
    if (mine !== turn) return;
    error.value = answer.ok ? null : answer.error;
    if (answer.ok) take(answer.value.logs);
    looked.value = Date.now() - since;
    if (expected.size > 0 && missing.size === 0) state.value = 'all';
    else if (looked.value >= (expected.size > 0 ? times.most : times.quiet)) state.value = 'ended';
    else timer = setTimeout(() => void look(mine, since, Math.min(SLOWEST, wait * 1.3)), wait);
  }
  function take(newest: readonly LogRecord[]): void {
    const known = new Set(logs.value.map(({ id }) => id));
    const fresh = newest.filter((log) => log.id > record.id && !known.has(log.id) && isOfRecord(log)).toReversed();
    if (fresh.length === 0) return;
    for (const { data } of fresh) missing.delete(data['actionId'] as number);
    logs.value = [...logs.value, ...fresh];
  }
  /** A run of an action with a log trigger, that no person fired; a failed one tells by which record it was fired. */
  function isOfRecord({ data }: LogRecord): boolean {
    if (!listeners.has(data['actionId'] as number) || data['mode'] !== 'scheduled') return false;
    const { payload } = data;
    return !isFields(payload) || !isFields(payload['log']) || payload['log']['id'] === record.id;
  }
  function again(): void {
    turn++;
    clearTimeout(timer);
    state.value = 'looking';
    void look(turn, Date.now(), times.look);
  }
  again();
  return {
    logs,
    state,
    elapsed: looked,
    error,
    restart: again,
    stop() {
      turn++;
      clearTimeout(timer);
      if (state.peek() === 'looking') state.value = 'ended';
    },
  };
}
