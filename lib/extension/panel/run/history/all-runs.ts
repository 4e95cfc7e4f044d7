/** The list of all runs, of every action and environment: search, filters, sorting, and import. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import { plural } from '../../../../shared/format.ts';
import { stateText } from '../describe-badges.ts';
import type { Runs } from '../runs.ts';
import { sortBy } from '../../shared/sort-by.ts';
import type { Imported } from './run-history.ts';
import type { RunRecord } from './run-store.ts';

export interface RunFilter {
  /** Searches action, app, base URL, state, payload, and result or error. All words must match. */
  query: string;
  state: ReturnType<typeof stateText> | null;
  which: 'pinned' | 'imported' | null;
  /** The origin of the environment's base URL. */
  origin: string | null;
}
export const NO_RUN_FILTER: RunFilter = { query: '', state: null, which: null, origin: null };

export type RunColumn = 'startedAt' | 'title' | 'origin' | 'number' | 'state' | 'milliseconds' | 'outcome';

const SORT_VALUES: Record<RunColumn, (record: RunRecord) => string | number | null> = {
  startedAt: ({ startedAt }) => startedAt,
  title: ({ title }) => title.toLowerCase(),
  origin: (record) => originOf(record),
  number: ({ number }) => number,
  state: stateText,
  milliseconds: ({ state, milliseconds }) => (state === 'running' ? null : milliseconds),
  outcome: (record) => outcomeTextOf(record),
};

/** The origin of the platform on which the run's page was open. A subject starts with it. */
export const originOf = ({ subject }: Pick<RunRecord, 'subject'>): string =>
  /^[a-z][a-z\d+.-]*:\/\/[^/]+/.exec(subject)?.[0] ?? subject;

/** The run's error or the start of its result. */
export const outcomeTextOf = ({ error, result }: RunRecord): string => error ?? result ?? '';

const searchText = (record: RunRecord): string =>
  [record.title, record.subject, stateText(record), record.payload, outcomeTextOf(record)].join('\n').toLowerCase();

export class AllRuns {
  readonly isOpen = signal(false);
  /** Null until they're loaded. */
  readonly all = signal<readonly RunRecord[] | null>(null);
  readonly filter = signal(NO_RUN_FILTER);
  readonly sort = signal<{ by: RunColumn; descending: boolean }>({ by: 'startedAt', descending: true });
  /** ID of the selected run. */
  readonly selectedId = signal<string | null>(null);
  readonly selected = computed(() => this.all.value?.find(({ id }) => id === this.selectedId.value) ?? null);
  readonly origins = computed(() => [...new Set((this.all.value ?? []).map(originOf))].sort());
  readonly rows = computed(() => {
    const { by, descending } = this.sort.value;
    return sortBy(this.#matching.value, SORT_VALUES[by], descending);
  });
  /** What the last import added, and where. */
  readonly importText = signal('');
  readonly dispose: () => void;
  readonly #runs: Runs;
  /** Computed once per list, because joining and lowercasing 100,000 texts is slow. */
  readonly #texts = computed(() => (this.all.value ?? []).map(searchText));
  readonly #matching = computed(() => this.#match());

  constructor(runs: Runs) {
    this.#runs = runs;
    const stopLoading = effect(() => {
      void runs.storedVersion.value;
      if (this.isOpen.value) untracked(() => void this.#load());
    });
    const stopWatching = effect(() => {
      if (runs.live.value) this.isOpen.value = false;
    });
    this.dispose = () => {
      stopLoading();
      stopWatching();
    };
  }

  async #load(): Promise<void> {
    const records = await this.#runs.listAll();
    if (records) this.all.value = records;
  }

  #match(): readonly RunRecord[] {
    const all = this.all.value ?? [];
    const { query, state, which, origin } = this.filter.value;
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const texts = words.length > 0 ? this.#texts.value : [];
    return all.filter(
      (record, index) =>
        (state === null || stateText(record) === state) &&
        (which !== 'pinned' || record.pinned) &&
        (which !== 'imported' || record.importedAt !== undefined) &&
        (origin === null || originOf(record) === origin) &&
        words.every((word) => texts[index]?.includes(word)),
    );
  }

  readonly setFilter = (change: Partial<RunFilter>): void => {
    this.filter.value = { ...this.filter.peek(), ...change };
  };

  readonly sortBy = (by: RunColumn): void => {
    const current = this.sort.peek();
    this.sort.value = { by, descending: current.by === by ? !current.descending : by === 'startedAt' };
  };

  readonly open = (): void => {
    batch(() => {
      this.isOpen.value = true;
      this.selectedId.value = null;
    });
  };

  /** Another action's run can only be shown here. */
  readonly close = (): void => {
    const shown = this.#runs.shown.peek();
    batch(() => {
      this.isOpen.value = false;
      if (shown && !this.#runs.isOfPage(shown.record)) this.#runs.close();
    });
  };

  /** Selects a run and shows its timeline and details, without its page. */
  readonly select = (id: string): void => {
    this.selectedId.value = id;
    void this.#runs.open(id);
  };

  readonly deselect = (): void => {
    this.selectedId.value = null;
  };

  async remove(id: string): Promise<void> {
    this.selectedId.value = null;
    await this.#runs.remove(id);
  }

  /** Adds the runs in an exported file. Opens the list if any of them belongs to another action than the page's. */
  async importRuns(text: string): Promise<void> {
    const imported = await this.#runs.importRuns(text);
    if (!imported) return;
    const isElsewhere = imported.added.some((record) => !this.#runs.isOfPage(record));
    batch(() => {
      this.importText.value = importText(imported);
      if (!isElsewhere) return;
      this.filter.value = { ...NO_RUN_FILTER, which: 'imported' };
      this.isOpen.value = true;
    });
    const [first] = imported.added;
    if (isElsewhere && first) this.select(first.id);
  }
}

/** Maximum number of actions that an import's text names. */
const NAMED_ACTIONS = 2;

/** What an import added, and where. */
export function importText({ added, known }: Imported): string {
  const groups = [...Map.groupBy(added, ({ title, subject }) => `${title} at ${originOf({ subject })}`)];
  const named = groups.slice(0, NAMED_ACTIONS).map(([name, runs]) => `${plural(runs.length, 'run')} of ${name}`);
  const others = groups.slice(NAMED_ACTIONS).flatMap(([, runs]) => runs);
  if (others.length > 0) named.push(`${plural(others.length, 'run')} of other actions`);
  const alreadyStored = known > 0 ? `${plural(known, 'run was', 'runs were')} already stored` : '';
  if (named.length === 0) return alreadyStored || 'The file has no runs';
  return [`Added ${named.join(', ')}`, alreadyStored].filter(Boolean).join('. ');
}
