/** Reads an app’s log records, and follows new ones by their IDs. */
import { setTimeout as wait } from 'node:timers/promises';
import {
  CodedError,
  type ErrorValue,
  LOG_LIMIT,
  type LogList,
  type LogQueryInput,
  type LogRecord,
} from '../../platform-api/index.ts';
import { type Connection, listLogs } from '../../rest/index.ts';

export interface LogsArgs {
  connection: Connection;
  appId: number;
  /** Without `limit` and `before`. */
  query: LogQueryInput;
  /** How many records to start with. */
  limit: number;
}

export interface FollowOptions {
  signal: AbortSignal;
  /** Between two requests, in milliseconds. */
  interval: number;
  /** Called once when the platform can’t be read at the moment, and then with null when it can again. */
  onOutage: (error: ErrorValue | null) => void;
}

/** Oldest first. `count` is the total number of matches. */
export async function readLogs(
  { connection, appId, query, limit }: LogsArgs,
  { signal }: { signal: AbortSignal },
): Promise<{ logs: LogRecord[]; count: number }> {
  const logs: LogRecord[] = [];
  for (;;) {
    const before = logs.at(-1)?.id;
    const size = Math.min(limit - logs.length, LOG_LIMIT);
    const page = await listLogs(connection, { appId, query: { ...query, limit: size, before } }, { signal });
    logs.push(...page.logs);
    const isLast = page.logs.length === 0 || returned(page) < size;
    if (isLast || logs.length >= limit)
      return { logs: logs.reverse(), count: before === undefined ? page.count : Math.max(page.count, logs.length) };
  }
}

/**
 * How long records are expected whose ID is lower than one that was read already: the platform gives IDs when a record is
 * added, but shows the record when its transaction ends.
 */
const LATE = 10_000;
const PAGE = 200;
const LONGEST_WAIT = 60_000;

/**
 * The last records, and then new ones as they come, each exactly once. Ends when the signal is aborted. Waits while the
 * platform is unreachable, overloaded, or failing.
 * @throws CodedError if the first request fails, or the platform refuses a later one
 */
export async function* followLogs(args: LogsArgs, options: FollowOptions): AsyncGenerator<LogRecord[]> {
  const { signal, interval, onOutage } = options;
  const { logs } = await readLogs({ ...args, limit: Math.max(args.limit, 1) }, options);
  if (args.limit > 0 && logs.length > 0) yield logs;
  const watermark = new Watermark(logs);
  for (let failures = 0; ;) {
    await pause(interval * 2 ** Math.min(failures, 10), signal);
    if (signal.aborted) return;
    try {
      const fresh = watermark.fresh(await readAfter(args, watermark.after(Date.now()), signal), Date.now());
      if (failures > 0) onOutage(null);
      failures = 0;
      if (fresh.length > 0) yield fresh;
    } catch (error) {
      if (signal.aborted) return;
      if (!isTemporary(error)) throw error;
      if (failures === 0) onOutage(error.value);
      failures += 1;
    }
  }
}

/** Knows which records were read, and where to read on. */
class Watermark {
  readonly #seen: Set<number>;
  /** What was the newest ID, and when. */
  readonly #newest: { at: number; id: number }[];

  constructor(logs: readonly LogRecord[]) {
    this.#seen = new Set(logs.map(({ id }) => id));
    this.#newest = [{ at: Date.now(), id: logs[0]?.id ?? 0 }];
  }

  /** All records up to this ID have been read, also the late ones. */
  after(now: number): number {
    while (this.#newest[1] && this.#newest[1].at <= now - LATE) this.#newest.shift();
    const { id: last } = this.#newest[0]!;
    for (const id of this.#seen) if (id < last) this.#seen.delete(id);
    return last;
  }

  fresh(logs: readonly LogRecord[], at: number): LogRecord[] {
    this.#newest.push({ at, id: Math.max(this.#newest.at(-1)!.id, logs.at(-1)?.id ?? 0) });
    const fresh = logs.filter(({ id }) => !this.#seen.has(id));
    for (const { id } of fresh) this.#seen.add(id);
    return fresh;
  }
}

/** Records of a page, with those that couldn’t be read. */
const returned = ({ logs, unreadable = [] }: LogList): number => logs.length + unreadable.length;

/** All records with a higher ID, oldest first, however many they are. */
async function readAfter(
  { connection, appId, query }: LogsArgs,
  lastId: number,
  signal: AbortSignal,
): Promise<LogRecord[]> {
  const found: LogRecord[] = [];
  for (;;) {
    const before = found.at(-1)?.id;
    const page = await listLogs(connection, { appId, query: { ...query, limit: PAGE, before } }, { signal });
    found.push(...page.logs.filter(({ id }) => id > lastId));
    const last = page.logs.at(-1);
    if (!last || returned(page) < PAGE || last.id <= lastId) return found.reverse();
  }
}

const TEMPORARY = new Set([
  'RATE_LIMITED',
  'PLATFORM_UNAVAILABLE',
  'PLATFORM_UNREACHABLE',
  'PLATFORM_SLOW',
  'PLATFORM_FAILED',
  'ANSWER_CUT_OFF',
  'ANSWER_EMPTY',
]);

const isTemporary = (error: unknown): error is CodedError => error instanceof CodedError && TEMPORARY.has(error.code);

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  wait(Math.min(milliseconds, LONGEST_WAIT), undefined, { signal }).catch(() => undefined);
