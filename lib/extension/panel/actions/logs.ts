/** An app's log: filters, pages of older records, and live updates. */
import { batch, computed, signal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { LOG_LIMIT } from '../../../platform-api/limits.ts';
import { type LogOutcome, type LogQueryInput, type LogRecord, typesWithOutcome } from '../../../platform-api/log.ts';
import type { Unreadable } from '../../../platform-api/lists/unreadable.ts';
import { isRecord } from '../../../shared/objects.ts';
import type { ActionsBackend } from './backend/types.ts';
import { same } from './edit/draft-value.ts';
import { listLogs, listRuns } from './list-logs.ts';
import { searchTextOf } from './log-records.ts';
import { ANY_TIME, isWithin, type TimeLimits, timeLimits, timeProblem, type TimeRange } from './time-range.ts';

/**
 * An empty `type` means run results, `*` means everything. `where` is JSON text. `query` searches the loaded records, and
 * everything else is asked of the platform.
 */
export interface LogFilters {
  actionId: number | null;
  type: string;
  outcome: LogOutcome | '';
  time: TimeRange;
  where: string;
  query: string;
}

type LoadKind = 'loading' | 'older' | 'live';

export const NO_LOG_FILTERS: LogFilters = {
  actionId: null,
  type: '',
  outcome: '',
  time: ANY_TIME,
  where: '',
  query: '',
};
const PAGE_SIZE = 100;
const LIVE_INTERVAL = 2_000;
/** Polling slows down after errors, to at most this interval. */
const LIVE_INTERVAL_LIMIT = 60_000;

export interface LogsOptions {
  liveInterval?: number;
  now?: () => number;
}

export class Logs {
  readonly #filters = signal(NO_LOG_FILTERS);
  readonly #all = signal<readonly LogRecord[]>([]);
  readonly #count = signal<number | null>(null);
  readonly #unreadable = signal<readonly Unreadable[]>([]);
  readonly #loadedAt = signal<number | null>(null);
  readonly #state = signal<'idle' | 'loading' | 'older' | 'ready'>('idle');
  readonly #error = signal<ErrorValue | null>(null);
  readonly #live = signal(false);
  readonly #selectedId = signal<number | null>(null);
  readonly #newAfterId = signal<number | null>(null);
  readonly #where = computed(() => parseWhere(this.#filters.value.where));
  #visible = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  /** Reduced when records are large. */
  #pageSize = PAGE_SIZE;
  /** Identifies the latest request, so that outdated responses can be ignored. */
  #generation = 0;
  readonly #backend: () => ActionsBackend | null;
  readonly #liveInterval: number;
  readonly #now: () => number;
  /** The time range's limits when its first page was loaded. Later pages use the same. */
  readonly #limits = signal<TimeLimits>({});

  readonly filters = computed(() => this.#filters.value);
  /** How many records match on the platform; null until the first response. */
  readonly count = computed(() => this.#count.value);
  readonly loadedCount = computed(() => this.#all.value.length);
  /** When the newest records were loaded, in epoch milliseconds. */
  readonly loadedAt = computed(() => this.#loadedAt.value);
  readonly state = computed(() => this.#state.value);
  readonly error = computed(() => this.#error.value);
  readonly live = computed(() => this.#live.value);
  readonly selectedId = computed(() => this.#selectedId.value);
  /** Records with larger IDs are new: they arrived while the log was visible. */
  readonly newAfterId = computed(() => this.#newAfterId.value);
  /** How many of the records that the platform returned last can't be read. */
  readonly unreadable = computed(() => this.#unreadable.value);
  /** What's wrong with the `where` filter; null if it's valid. */
  readonly whereProblem = computed(() => this.#where.value.problem);
  /** Why no older records can be loaded, although there are more; null otherwise. */
  readonly endReason = computed(() => {
    const loaded = this.#all.value.length;
    if (loaded < LOG_LIMIT || loaded >= (this.#count.value ?? 0)) return null;
    return this.#backend()?.cannot.allLogs ?? null;
  });
  /** Whether a filter other than the search is set. */
  readonly isFiltered = computed(() => !isSameQuery(this.#filters.value, NO_LOG_FILTERS));
  readonly isTimeLimited = computed(() => Object.keys(this.#limits.value).length > 0);
  /** What's wrong with the time range; null if it's valid. */
  readonly timeProblem = computed(() => timeProblem(this.#filters.value.time));
  /** The loaded records that contain every term of the query, newest first. */
  readonly records = computed(() => {
    const { query, outcome } = this.#filters.value;
    const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
    const limits = this.#limits.value;
    // Not every platform filters by outcome and time.
    const isFiltered = outcome !== '' || limits.from !== undefined || limits.to !== undefined;
    if (terms.length === 0 && !isFiltered) return this.#all.value;
    return this.#all.value.filter(
      (record) =>
        (outcome === '' || typesWithOutcome(outcome).includes(record.type)) &&
        isWithin(record.createdAt, limits) &&
        terms.every((term) => searchTextOf(record).includes(term)),
    );
  });

  /** @param now the platform's time, in epoch milliseconds */
  constructor(
    backend: () => ActionsBackend | null,
    { liveInterval = LIVE_INTERVAL, now = Date.now }: LogsOptions = {},
  ) {
    this.#backend = backend;
    this.#liveInterval = liveInterval;
    this.#now = now;
  }

  setFilters(change: Partial<LogFilters>): void {
    const old = this.#filters.peek();
    const next = { ...old, ...change };
    this.#filters.value = next;
    if (!isSameQuery(old, next)) void this.#loadAndSchedule('loading');
  }

  select(id: number | null): void {
    this.#selectedId.value = id;
  }

  async refresh(): Promise<void> {
    this.#newAfterId.value = null;
    await this.#loadAndSchedule('loading');
  }

  /** Loads the page of records before the oldest loaded one. */
  async loadOlder(): Promise<void> {
    if (
      this.endReason.peek() === null &&
      this.#state.peek() === 'ready' &&
      this.#all.peek().length < (this.#count.peek() ?? 0)
    )
      await this.#load('older');
  }

  setLive(live: boolean): void {
    this.#live.value = live;
    this.#failures = 0;
    if (live && this.#visible) void this.#loadAndSchedule('live');
    else this.#schedule();
  }

  /** Polls only while the log is visible. */
  setVisible(visible: boolean): void {
    if (this.#visible === visible) return;
    this.#visible = visible;
    const state = this.#state.peek();
    // Load records that arrived while the log was hidden.
    if (visible && state !== 'loading') void this.#loadAndSchedule(state === 'idle' ? 'loading' : 'live');
    else this.#schedule();
  }

  reset(): void {
    this.#generation++;
    clearTimeout(this.#timer);
    batch(() => {
      this.#all.value = [];
      this.#count.value = null;
      this.#loadedAt.value = null;
      this.#state.value = 'idle';
      this.#error.value = null;
      this.#selectedId.value = null;
      this.#unreadable.value = [];
      this.#newAfterId.value = null;
      this.#filters.value = NO_LOG_FILTERS;
      this.#limits.value = {};
    });
    if (this.#visible) void this.#loadAndSchedule('loading');
  }

  async #loadAndSchedule(kind: LoadKind): Promise<void> {
    await this.#load(kind);
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#live.peek() || !this.#visible) return;
    const wait = Math.min(LIVE_INTERVAL_LIMIT, this.#liveInterval * 2 ** this.#failures);
    this.#timer = setTimeout(() => void this.#loadAndSchedule('live'), wait);
  }

  async #load(kind: LoadKind): Promise<void> {
    const backend = this.#backend();
    if (kind === 'loading') this.#limits.value = timeLimits(this.#filters.peek().time, this.#now());
    const request = this.#request(backend, kind === 'older' ? (this.#all.peek().at(-1)?.id ?? null) : null);
    if (!backend || !request) return;
    const generation = kind === 'live' ? this.#generation : ++this.#generation;
    if (kind !== 'live') this.#state.value = kind;
    if (kind === 'loading') this.#pageSize = PAGE_SIZE;
    const loaded = kind === 'older' ? this.#all.peek().length : 0;
    const { response, limit } = await request.list(backend, { query: request.query, maxLimit: this.#pageSize, loaded });
    if (generation !== this.#generation) return;
    this.#pageSize = limit;
    batch(() => {
      if (kind !== 'live') this.#state.value = 'ready';
      this.#error.value = response.ok ? null : response.error;
      this.#failures = response.ok ? 0 : this.#failures + 1;
      if (!response.ok) return;
      const { count, logs, unreadable = [] } = response.value;
      this.#count.value = count;
      this.#unreadable.value = unreadable;
      if (kind !== 'older') this.#loadedAt.value = Date.now();
      if (kind === 'loading') this.#all.value = logs;
      else if (kind === 'older') this.#all.value = [...this.#all.peek(), ...logs];
      else this.#merge(logs, limit);
    });
  }

  /** Null if a filter is invalid. */
  #request(
    backend: ActionsBackend | null,
    before: number | null,
  ): { list: typeof listLogs; query: LogQueryInput } | null {
    const { actionId, type, outcome } = this.#filters.peek();
    const { value, problem } = this.#where.peek();
    if (problem !== null || this.timeProblem.peek() !== null) return null;
    const isFiltering = backend?.cannot.logFilters === null;
    // Without `where` and `type`, the platform returns run results. With `where` but no `type`, it returns everything.
    const query = {
      id: actionId,
      ...(type && type !== '*' && { type }),
      ...((value || type === '*') && { where: value ?? {} }),
      ...(isFiltering && { ...(outcome && { outcome }), ...this.#limits.peek() }),
      before,
    };
    return { list: value && type === '' ? listRuns : listLogs, query };
  }

  /**
   * Adds new records. If the whole page is new, records between the page and the list might be missing, so the page
   * replaces the list.
   */
  #merge(page: readonly LogRecord[], limit: number): void {
    const old = this.#all.peek();
    const oldestId = old.at(-1)?.id ?? 0;
    const ids = new Set(old.map(({ id }) => id));
    const added = page.filter(({ id }) => id > oldestId && !ids.has(id));
    if (added.length === 0) return;
    this.#newAfterId.value = old[0]?.id ?? 0;
    // Record types are listed in parallel, so older records can arrive late.
    this.#all.value = added.length === limit ? page : [...added, ...old].sort((a, b) => b.id - a.id);
  }
}

const isSameQuery = (a: LogFilters, b: LogFilters): boolean => same({ ...a, query: '' }, { ...b, query: '' });

function parseWhere(text: string): { value: Record<string, unknown> | null; problem: string | null } {
  if (text.trim() === '') return { value: null, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { value, problem: null };
  } catch {
    // Handled below, like other invalid values.
  }
  return { value: null, problem: 'The where filter must be a JSON object, such as {"data": {"mode": "scheduled"}}.' };
}
