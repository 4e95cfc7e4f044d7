/** Reads the log records that a switch-over compares: events, and runs of both versions. */
import type { ErrorValue, Result } from '../../../../../platform-api/errors.ts';
import { LOG_LIMIT } from '../../../../../platform-api/limits.ts';
import type { LogList, LogQueryInput, LogRecord } from '../../../../../platform-api/log.ts';
import { plural } from '../../../../../shared/format.ts';
import type { LogsPort } from '../../../../../migrate/switch-over/index.ts';
import type { ActionsBackend } from '../../../actions/backend/types.ts';

export interface LogsWayOptions {
  backend: () => Pick<ActionsBackend, 'logs' | 'way'>;
  /** What the log triggers listen to. */
  filters: readonly Record<string, unknown>[];
  /** The platform’s time, in milliseconds since 1970. */
  now: () => Promise<Result<number>>;
  /** Reads records of V3 runs from a page, whose V2 function might not return them. */
  logsV3: (id: number, offset: number) => Promise<Result<LogList>>;
}

export class LogsWay implements LogsPort {
  readonly #options: LogsWayOptions;
  readonly now: () => Promise<Result<number>>;

  constructor(options: LogsWayOptions) {
    this.#options = options;
    this.now = options.now;
  }

  get namesEvents(): boolean {
    return this.#options.backend().way === 'rest';
  }

  async newestId(): Promise<Result<number>> {
    const queries: LogQueryInput[] = [{ limit: 1 }, ...this.#options.filters.map((where) => ({ where, limit: 1 }))];
    let newest = 0;
    for (const query of queries) {
      const list = await this.#options.backend().logs(query);
      if (!list.ok) return list;
      newest = Math.max(newest, ...list.value.logs.map(({ id }) => id));
    }
    return { ok: true, value: newest };
  }

  matching(where: Record<string, unknown>, after: number): Promise<Result<LogRecord[]>> {
    return this.#all({ where }, after);
  }

  runsOf({ id, version }: { id: number; version: 'v2' | 'v3' }, after: number): Promise<Result<LogRecord[]>> {
    if (version === 'v2' || this.namesEvents) return this.#all({ id }, after);
    return collect(after, (found) => this.#options.logsV3(id, found.length));
  }

  #all(query: LogQueryInput, after: number): Promise<Result<LogRecord[]>> {
    return collect(after, (found) => {
      const before = found.at(-1)?.id;
      const page = { ...query, limit: LOG_LIMIT, ...(before !== undefined && { before }) };
      return this.#options.backend().logs(page, found.length);
    });
  }
}

/** Reads pages, newest first, until a record is old enough. Fails rather than leave records out. */
async function collect(
  after: number,
  read: (found: readonly LogRecord[]) => Promise<Result<LogList>>,
): Promise<Result<LogRecord[]>> {
  const found: LogRecord[] = [];
  for (;;) {
    const page = await read(found);
    if (!page.ok) return page;
    const { logs, count, unreadable = [] } = page.value;
    // It can be an event, or the run that handled one.
    const unknown = unreadable.filter(({ id }) => id === null || id > after);
    if (unknown.length > 0)
      return incomplete(
        `${plural(unknown.length, 'log record')} couldn’t be read: ${unknown[0]!.item} (${unknown[0]!.why}).`,
      );
    found.push(...logs);
    const isOldEnough = [...logs, ...unreadable].some(({ id }) => id !== null && id <= after);
    if (isOldEnough || found.length >= count) break;
    if (logs.length === 0) return incomplete('not all log records since the switch-over are returned.');
  }
  return { ok: true, value: found.filter(({ id }) => id > after) };
}

const incomplete = (cause: string): { ok: false; error: ErrorValue } => ({
  ok: false,
  error: {
    code: 'LOG_INCOMPLETE',
    message: `Couldn’t check for missed events: ${cause}`,
    hint: 'Compare the events and their effects by hand.',
  },
});
