/** Owns the log as it is looked at: filters, pages of older records, and new ones as they come. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { LogQueryInput, LogRecord } from '../../../platform-api/log.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { listLogs, listRuns } from './list-logs.ts';

/** `type` empty: the results of runs; `*`: everything. `where` is JSON as it is typed, `words` are looked for in what was read. */
export interface LogFilters {
  actionId: number | null;
  type: string;
  where: string;
  query: string;
}

export interface Logs {
  readonly filters: ReadonlySignal<LogFilters>;
  /** Newest first, those that have the words. */
  readonly records: ReadonlySignal<readonly LogRecord[]>;
  /** How many match on the platform; null before the first answer. */
  readonly count: ReadonlySignal<number | null>;
  /** How many were read. */
  readonly loadedCount: ReadonlySignal<number>;
  /** When the newest were read, in epoch milliseconds. */
  readonly loadedAt: ReadonlySignal<number | null>;
  readonly state: ReadonlySignal<'idle' | 'loading' | 'older' | 'ready'>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** Why the text of `where` cannot be one; null when it can. */
  readonly whereProblem: ReadonlySignal<string | null>;
  readonly live: ReadonlySignal<boolean>;
  readonly selectedId: ReadonlySignal<number | null>;
  /** The record that stands out because it came while looking. */
  readonly newAfterId: ReadonlySignal<number | null>;
  setFilters(change: Partial<LogFilters>): void;
  select(id: number | null): void;
  refresh(): Promise<void>;
  /** The page after the oldest record that was read. */
  loadOlder(): Promise<void>;
  setLive(live: boolean): void;
  /** Nothing is asked while nobody looks. */
  setVisible(visible: boolean): void;
  reset(): void;
}

const PAGE = 100;
const LIVE_EVERY = 2_000;
/** After errors the platform is asked less and less often. */
const LIVE_AT_LEAST_EVERY = 60_000;
const BLANK: LogFilters = { actionId: null, type: '', where: '', query: '' };

export function createLogs(send: Send, app: () => OfApp | null, liveEvery = LIVE_EVERY): Logs {
  const filters = signal(BLANK);
  const all = signal<readonly LogRecord[]>([]);
  const count = signal<number | null>(null);
  const readAt = signal<number | null>(null);
  const state = signal<'idle' | 'loading' | 'older' | 'ready'>('idle');
  const error = signal<ErrorValue | null>(null);
  const live = signal(false);
  const selectedId = signal<number | null>(null);
  const freshFrom = signal<number | null>(null);
  const where = computed(() => readWhere(filters.value.where));
  let visible = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** How many records are asked for: fewer where they are large. */
  let pageSize = PAGE;
  /** What an answer must still be wanted for. */
  let asked = 0;

  /** How the records before one are asked for; null while that is not known. */
  function query(before: number | null): { list: typeof listLogs; wanted: LogQueryInput } | null {
    const { actionId, type } = filters.peek();
    const { value, problem } = where.peek();
    if (problem !== null) return null;
    // The platform takes no where and no type for the results of runs, a where without a type for everything.
    const wanted = {
      id: actionId,
      ...(type && type !== '*' && { type }),
      ...((value || type === '*') && { where: value ?? {} }),
      before,
    };
    return { list: value && type === '' ? listRuns : listLogs, wanted };
  }

  async function load(kind: 'loading' | 'older' | 'live'): Promise<void> {
    const of = app();
    const before = kind === 'older' ? (all.peek().at(-1)?.id ?? null) : null;
    const asking = query(before);
    if (!of || !asking) return;
    const mine = kind === 'live' ? asked : ++asked;
    if (kind !== 'live') state.value = kind;
    if (kind === 'loading') pageSize = PAGE;
    const { answer, asked: room } = await asking.list(send, of, asking.wanted, pageSize);
    if (mine !== asked) return;
    pageSize = room;
    batch(() => {
      if (kind !== 'live') state.value = 'ready';
      error.value = answer.ok ? null : answer.error;
      failures = answer.ok ? 0 : failures + 1;
      if (!answer.ok) return;
      count.value = answer.value.count;
      if (kind !== 'older') readAt.value = Date.now();
      if (kind === 'loading') all.value = answer.value.logs;
      else if (kind === 'older') all.value = [...all.peek(), ...answer.value.logs];
      else all.value = merged(answer.value.logs, room);
    });
  }

  /** New records before those that were read; when a whole page is new, what lies between is not known, and the page stands alone. */
  function merged(page: readonly LogRecord[], room: number): readonly LogRecord[] {
    const known = all.peek();
    const oldest = known.at(-1)?.id ?? 0;
    const read = new Set(known.map(({ id }) => id));
    const added = page.filter(({ id }) => id > oldest && !read.has(id));
    if (added.length === 0) return known;
    freshFrom.value = known[0]?.id ?? 0;
    if (added.length === room) return page;
    // Types are read one beside the other: of two records, the older may be seen later.
    return [...added, ...known].sort((a, b) => b.id - a.id);
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!live.peek() || !visible) return;
    const wait = Math.min(LIVE_AT_LEAST_EVERY, liveEvery * 2 ** failures);
    timer = setTimeout(() => void load('live').then(schedule), wait);
  }

  return {
    filters,
    count,
    loadedAt: readAt,
    state,
    error,
    live,
    selectedId,
    newAfterId: freshFrom,
    loadedCount: computed(() => all.value.length),
    whereProblem: computed(() => where.value.problem),
    records: computed(() => {
      const words = filters.value.query.toLowerCase().split(/\s+/).filter(Boolean);
      return words.length === 0
        ? all.value
        : all.value.filter((record) => words.every((word) => textOf(record).includes(word)));
    }),
    setFilters(change) {
      const old = filters.peek();
      filters.value = { ...old, ...change };
      const isOther = (['actionId', 'type', 'where'] as const).some(
        (name) => change[name] !== undefined && change[name] !== old[name],
      );
      if (isOther) void load('loading').then(schedule);
    },
    select: (id) => void (selectedId.value = id),
    async refresh() {
      freshFrom.value = null;
      await load('loading');
      schedule();
    },
    loadOlder: async () => {
      if (state.peek() === 'ready' && all.peek().length < (count.peek() ?? 0)) await load('older');
    },
    setLive(on) {
      live.value = on;
      failures = 0;
      if (on && visible) void load('live').then(schedule);
      else schedule();
    },
    setVisible(now) {
      if (visible === now) return;
      visible = now;
      const before = state.peek();
      // What came while nobody looked is put before what was read.
      if (visible && before !== 'loading') void load(before === 'idle' ? 'loading' : 'live').then(schedule);
      else schedule();
    },
    reset() {
      asked++;
      clearTimeout(timer);
      batch(() => {
        all.value = [];
        count.value = null;
        readAt.value = null;
        state.value = 'idle';
        error.value = null;
        selectedId.value = null;
        freshFrom.value = null;
        filters.value = BLANK;
      });
      if (visible) void load('loading').then(schedule);
    },
  };
}

function readWhere(text: string): { value: Record<string, unknown> | null; problem: string | null } {
  if (text.trim() === '') return { value: null, problem: null };
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Record<string, unknown>, problem: null };
  } catch {
    // Said below.
  }
  return {
    value: null,
    problem: 'where is a JSON object of fields and values, such as {"data": {"mode": "scheduled"}}.',
  };
}

const texts = new WeakMap<LogRecord, string>();
function textOf(record: LogRecord): string {
  let text = texts.get(record);
  if (text === undefined) texts.set(record, (text = JSON.stringify(record).toLowerCase()));
  return text;
}

/** The action that a record of a run is about. */
export function actionIdOf({ data }: LogRecord): number | null {
  return typeof data.actionId === 'number' ? data.actionId : null;
}

/** The payload with which a failed run can be run again; null when the record keeps none. */
export function payloadOf({ type, data }: LogRecord): string | null {
  return type === 'app.task.failed' && typeof data.payload === 'object' && data.payload !== null
    ? JSON.stringify(data.payload, null, 2)
    : null;
}

/** Why a run failed, as its record tells it; null when it did not. */
export function failureOf({ type, data }: LogRecord): { message: string; trace: unknown } | null {
  const result = data.result as { errorType?: unknown; errorMessage?: unknown; trace?: unknown } | null | undefined;
  if (type !== 'app.task.failed' || typeof result !== 'object' || result === null) return null;
  return {
    message: `${String(result.errorType ?? 'Error')}: ${String(result.errorMessage ?? '')}`,
    trace: result.trace,
  };
}

const summaries = new WeakMap<LogRecord, string>();

/** A record in one line: why a run failed, or the fields that were logged; made once, as a record may have a megabyte. */
export function summaryOf(record: LogRecord): string {
  let summary = summaries.get(record);
  if (summary === undefined) summaries.set(record, (summary = summarize(record)));
  return summary;
}

function summarize(record: LogRecord): string {
  const failure = failureOf(record);
  if (failure) return failure.message;
  const {
    mode: _mode,
    duration: _duration,
    actionId: _actionId,
    runId: _runId,
    dueAt: _dueAt,
    payload: _payload,
    ...rest
  } = record.data;
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest).slice(0, 300);
}
