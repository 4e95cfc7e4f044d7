/** One app's sessions: loads them, and derives what filters, sorting, and charts need. */
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { latestVersion, usersOf, type AppUse } from '../../../platform-api/sessions/audience.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { type Unreadable, unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { platformTime } from '../actions/platform-clock.ts';
import { readSessions } from '../../messaging/read-sessions.ts';
import { chartsOf } from './session-charts.ts';
import { choicesOf, matchingRows, NO_FILTER, searchTexts } from './session-filter.ts';
import { orderOf, sessionRow, withVersionsBehind } from './session-rows.ts';
import type { BehindUser, SessionColumn, SessionFilter, SessionRow, SessionSort } from './types.ts';

export interface SessionsOptions {
  send: Send;
  of: OfApp;
  /** The newest version known from other sources: the app list, and releases published here. */
  version: ReadonlySignal<number | null>;
  save(rows: readonly SessionRow[], format: 'csv' | 'json'): void;
  now(): number;
}

/** Columns whose default sort order is descending. */
const DESCENDING_FIRST: ReadonlySet<SessionColumn> = new Set(['version', 'behind', 'lastAccess', 'updated']);

type Users = ReadonlyMap<string, AppUse>;

/** Loads in pages on the first `refresh`. Previous sessions stay until all new ones are loaded. */
export class Sessions {
  readonly #state = signal<'idle' | 'loading' | 'ready' | 'failed' | 'cancelled'>('idle');
  readonly #error = signal<ErrorValue | null>(null);
  readonly #loadedCount = signal(0);
  readonly #loadedAt = signal<number | null>(null);
  readonly #now: Signal<number>;
  /** How far ahead of `now()` the platform was. */
  #offset = 0;
  /** More sessions that the platform lists, which can't be read. */
  readonly unreadable = signal<readonly Unreadable[]>([]);
  readonly #rows = signal<readonly SessionRow[]>([]);
  readonly #users = signal<Users>(new Map());
  readonly #options: SessionsOptions;
  #loading: { promise: Promise<void>; stop: AbortController } | null = null;

  readonly filter = signal<SessionFilter>(NO_FILTER);
  readonly sort = signal<SessionSort>({ by: 'lastAccess', descending: true });
  readonly state = computed(() => this.#state.value);
  readonly error = computed(() => this.#error.value);
  /** Number of sessions loaded so far, while `loading`. */
  readonly loadedCount = computed(() => this.#loadedCount.value);
  /** In epoch milliseconds. */
  readonly loadedAt = computed(() => this.#loadedAt.value);
  /** The platform's time when the sessions were loaded, in epoch milliseconds. Later times count as future. */
  readonly now = computed(() => this.#now.value);
  /** The users in these sessions, from which the app's audience is computed. */
  readonly users = computed(() => this.#users.value);
  readonly #reportedVersion = computed(() => latestVersion(this.#rows.value.map(({ session }) => session)));
  /** The app's newest known version. */
  readonly latest = computed(() => {
    const known = [this.#reportedVersion.value, this.#options.version.value].filter((version) => version !== null);
    return known.length === 0 ? null : Math.max(...known);
  });
  readonly all = computed((): readonly SessionRow[] => withVersionsBehind(this.#rows.value, this.latest.value));
  readonly #texts = computed(() => searchTexts(this.all.value));
  readonly #matches = computed(() => matchingRows(this.all.value, this.filter.value, () => this.#texts.value));
  readonly #order = computed(() => orderOf(this.all.value, this.sort.value));
  readonly #filtered = computed(() => this.all.value.filter((_, index) => this.#matches.value[index]));
  /** The filtered rows, sorted. */
  readonly rows = computed((): readonly SessionRow[] => {
    const [all, matches] = [this.all.value, this.#matches.value];
    const rows: SessionRow[] = [];
    for (const index of this.#order.value) if (matches[index]) rows.push(all[index]!);
    return rows;
  });
  readonly choices = computed(() => choicesOf(this.all.value));
  /** Charts for the filtered sessions. */
  readonly charts = computed(() => chartsOf(this.#filtered.value, this.latest.value, this.#now.value));
  /** Users at least `filter.behind` versions behind (default: 1), furthest behind first. Ignores all other filters. */
  readonly behind = computed(() => usersBehind(this.#users.value, this.latest.value, this.filter.value.behind ?? 1));

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#now = signal(options.now());
  }

  sortBy = (by: SessionColumn): void => {
    const sort = this.sort.peek();
    this.sort.value = { by, descending: by === sort.by ? !sort.descending : DESCENDING_FIRST.has(by) };
  };

  refresh(): Promise<void> {
    if (this.#loading) return this.#loading.promise;
    batch(() => {
      this.#state.value = 'loading';
      this.#error.value = null;
      this.#loadedCount.value = 0;
    });
    const stop = new AbortController();
    const promise = this.#loadWithProgress(stop.signal);
    this.#loading = { promise, stop };
    return promise;
  }

  /** Loads sessions without showing progress. Callers report failures. Resolves to null if aborted. */
  refreshQuietly = async (signal: AbortSignal): Promise<Result<Users> | null> => {
    const result = await this.#load(signal, () => {});
    if (result?.ok && !this.#loading) {
      this.#state.value = 'ready';
      this.#error.value = null;
    }
    return result;
  };

  cancel = (): void => {
    if (!this.#loading) return;
    this.#loading.stop.abort();
    this.#loading = null;
    this.#state.value = 'cancelled';
  };

  /** Saves the filtered sessions to a file. */
  exportAs(format: 'csv' | 'json'): void {
    this.#options.save(this.rows.peek(), format);
  }

  async #loadWithProgress(signal: AbortSignal): Promise<void> {
    const result = await this.#load(signal, (count) => (this.#loadedCount.value = count));
    if (result === null) return;
    this.#loading = null;
    this.#state.value = result.ok ? 'ready' : 'failed';
    this.#error.value = result.ok ? null : result.error;
  }

  async #load(signal: AbortSignal, onProgress: (count: number) => void): Promise<Result<Users> | null> {
    const { send, of, now } = this.#options;
    const rows = new Map<number, SessionRow>();
    const users = new Map<string, AppUse>();
    const unreadable = new Map<string, Unreadable>();
    let offset = this.#offset;
    const time = platformTime(send, of.environmentId, { now, offset }, signal).then((read) => {
      offset = read - now();
      return read;
    });
    const result = await readSessions(
      (page) => send('sessions.list', { ...of, ...page }, signal),
      time,
      (sessions, platformNow) => {
        if (signal.aborted) return false;
        for (const session of sessions) rows.set(session.id, sessionRow(session));
        for (const one of unreadableOf(sessions)) unreadable.set(one.item, one);
        usersOf(sessions, platformNow, users);
        onProgress(rows.size);
        return true;
      },
    );
    const platformNow = await time;
    if (signal.aborted || result === null) return null;
    if (!result.ok) return result;
    this.#offset = offset;
    batch(() => {
      this.#rows.value = [...rows.values()];
      this.#users.value = users;
      this.unreadable.value = [...unreadable.values()];
      this.#loadedAt.value = now();
      this.#now.value = platformNow;
    });
    return { ok: true, value: users };
  }
}

/** Users who are at least `least` versions behind. The furthest behind come first, then the most recently active. */
export function usersBehind(users: ReadonlyMap<string, AppUse>, latest: number | null, least: number): BehindUser[] {
  if (latest === null) return [];
  const found: BehindUser[] = [];
  for (const { key, email, version, usedAt } of users.values()) {
    if (version !== null && latest - version >= least)
      found.push({ key, email, version, behind: latest - version, lastAccess: usedAt });
  }
  return found.sort((a, b) => b.behind - a.behind || (b.lastAccess ?? -Infinity) - (a.lastAccess ?? -Infinity) || 0);
}
