/** Owns the sessions of one app: reading them, and what is derived from them as filters and order change. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { latestVersion, usersOf, type AppUse } from '../../../platform-api/audience.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { usersBehind } from './behind.ts';
import { platformTime } from './platform-time.ts';
import { readSessions } from './read-sessions.ts';
import { chartsOf } from './session-charts.ts';
import { NO_FILTER, choicesOf, searchTexts, matchingRows } from './session-filter.ts';
import { orderOf, withVersionsBehind, sessionRow } from './session-rows.ts';
import type { SessionFilter, SessionRow, SessionSort, Sessions } from './types.ts';

export interface SessionsParts {
  send: Send;
  of: OfApp;
  /** The newest version that is known from elsewhere: the list of apps, own publishes. */
  version: ReadonlySignal<number | null>;
  /** Saves these as a file. */
  save(rows: readonly SessionRow[], format: 'csv' | 'json'): void;
  now(): number;
}

/** What is first looked at the other way round. */
const NEWEST_FIRST: ReadonlySet<SessionSort['by']> = new Set(['version', 'behind', 'lastAccess', 'updated']);

/** With the users among them, by whom an app's audience is counted. */
export interface AppSessions extends Sessions {
  readonly users: ReadonlySignal<ReadonlyMap<string, AppUse>>;
  /** Reads them without a word: what is shown is as new afterwards, and a failure is the caller's to tell. Null once aborted. */
  refreshQuietly(signal: AbortSignal): Promise<Result<ReadonlyMap<string, AppUse>> | null>;
}

export function createSessions({ send, of, version, save, now }: SessionsParts): AppSessions {
  const state = signal<'idle' | 'loading' | 'ready' | 'failed' | 'cancelled'>('idle');
  const error = signal<ErrorValue | null>(null);
  const read = signal(0);
  const readAt = signal<number | null>(null);
  const platformNow = signal(now());
  const found = signal<readonly SessionRow[]>([]);
  const filter = signal<SessionFilter>(NO_FILTER);
  const sort = signal<SessionSort>({ by: 'lastAccess', descending: true });

  const told = computed(() => latestVersion(found.value.map(({ session }) => session)));
  const latest = computed(() =>
    told.value === null || version.value === null ? (told.value ?? version.value) : Math.max(told.value, version.value),
  );
  const all = computed(() => withVersionsBehind(found.value, latest.value));
  const users = signal<ReadonlyMap<string, AppUse>>(new Map());
  const texts = computed(() => searchTexts(all.value));
  const isWanted = computed(() => matchingRows(all.value, filter.value, () => texts.value));
  const order = computed(() => orderOf(all.value, sort.value));
  const filtered = computed(() => all.value.filter((_, index) => isWanted.value[index]));
  const rows = computed(() => {
    const shown: SessionRow[] = [];
    for (const index of order.value) if (isWanted.value[index]) shown.push(all.value[index]!);
    return shown;
  });

  /** What goes on in sight; one that was stopped ends with its next piece. */
  let current: { promise: Promise<void>; stop: AbortController } | null = null;

  async function readAll(
    signal: AbortSignal,
    count: (sessions: number) => void,
  ): Promise<Result<ReadonlyMap<string, AppUse>> | null> {
    const byId = new Map<number, SessionRow>();
    const byUser = new Map<string, AppUse>();
    const asked = platformTime(send, of.environmentId, now, signal);
    const answer = await readSessions(
      (piece) => send('sessions.list', { ...of, ...piece }, signal),
      asked,
      (piece, time) => {
        if (signal.aborted) return false;
        for (const session of piece) byId.set(session.id, sessionRow(session));
        usersOf(piece, time, byUser);
        count(byId.size);
        return true;
      },
    );
    const time = await asked;
    if (signal.aborted || answer === null) return null;
    if (!answer.ok) return answer;
    batch(() => {
      found.value = [...byId.values()];
      users.value = byUser;
      readAt.value = now();
      platformNow.value = time;
    });
    return { ok: true, value: byUser };
  }

  async function readAloud(mine: AbortController): Promise<void> {
    const answer = await readAll(mine.signal, (sessions) => (read.value = sessions));
    if (answer === null) return;
    current = null;
    state.value = answer.ok ? 'ready' : 'failed';
    error.value = answer.ok ? null : answer.error;
  }

  return {
    state,
    error,
    loadedCount: read,
    loadedAt: readAt,
    all,
    rows,
    filter,
    sort,
    latest,
    users,
    now: platformNow,
    choices: computed(() => choicesOf(all.value)),
    charts: computed(() => chartsOf(filtered.value, latest.value, platformNow.value)),
    behind: computed(() => usersBehind(users.value, latest.value, filter.value.behind ?? 1)),
    sortBy(by) {
      const { by: before, descending } = sort.peek();
      sort.value = { by, descending: by === before ? !descending : NEWEST_FIRST.has(by) };
    },
    refresh() {
      if (current) return current.promise;
      batch(() => {
        state.value = 'loading';
        error.value = null;
        read.value = 0;
      });
      const stop = new AbortController();
      const promise = readAloud(stop);
      current = { promise, stop };
      return promise;
    },
    async refreshQuietly(signal) {
      const answer = await readAll(signal, () => {});
      // What failed or was stopped before is there now.
      if (answer?.ok && !current) {
        state.value = 'ready';
        error.value = null;
      }
      return answer;
    },
    cancel() {
      if (!current) return;
      current.stop.abort();
      current = null;
      state.value = 'cancelled';
    },
    exportAs: (format) => save(rows.peek(), format),
  };
}
