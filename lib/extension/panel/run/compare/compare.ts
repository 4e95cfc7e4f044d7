/** Compares the displayed run with another run. Stores which run was chosen, the result, and which rows are visible. */
import { batch, computed, signal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import { IDLE, loaded, type Loadable } from '../../shared/loadable.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';
import { restoreTrace } from '../history/stored-run.ts';
import type { ShownRun } from '../runs.ts';
import { payloadsOf } from './compare-details.ts';
import { ancestorsOf, initiallyCollapsed, visibleRows } from './compare-rows.ts';
import { comparedRun, compareRuns, type ComparedRow, type ComparedRun, type Comparison } from './compare-runs.ts';
import { sameness } from './compare-values.ts';

const NO_ROWS: readonly ComparedRow[] = [];

export class Compare {
  /** Runs that can be chosen. */
  readonly choices = signal<readonly RunRecord[]>([]);
  /** The chosen run; null if none. */
  readonly other = signal<RunRecord | null>(null);
  /** Idle if there's no run to compare with. */
  readonly comparison = signal<Loadable<Comparison>>({ state: 'loading', value: null, error: null });
  readonly selected = signal<number | null>(null);
  readonly collapsed = signal<ReadonlySet<number>>(new Set());
  readonly onlyDifferences = signal(true);
  readonly rows = computed(() => {
    const { value } = this.comparison.value;
    return value ? visibleRows(value, this.onlyDifferences.value, this.collapsed.value) : NO_ROWS;
  });
  readonly #store: Pick<RunStore, 'list' | 'events'>;
  readonly #shown: ShownRun;
  /** Identifies the latest request, so that an older one that finishes late is dropped. */
  #request = 0;

  constructor(store: Pick<RunStore, 'list' | 'events'>, shown: ShownRun) {
    this.#store = store;
    this.#shown = shown;
  }

  /** Compares with the run with this ID, or with the suggested run if the ID is unknown. */
  async compareWith(id: string): Promise<void> {
    const request = ++this.#request;
    const isCurrent = (): boolean => request === this.#request;
    this.comparison.value = { state: 'loading', value: this.comparison.peek().value, error: null };
    try {
      const records = await this.#store.list();
      if (!isCurrent()) return;
      this.choices.value = otherRuns(records, this.#shown.record);
      const record = this.choices.value.find((choice) => choice.id === id) ?? suggestedRun(records, this.#shown.record);
      this.other.value = record;
      const events = record ? await this.#store.events(record.id) : [];
      if (!isCurrent()) return;
      if (record) this.#show(comparedRun(record, restoreTrace(record, events), events));
      else this.comparison.value = IDLE;
    } catch (thrown) {
      const error = toErrorValue(thrown);
      if (isCurrent()) this.comparison.value = loaded({ ok: false, error }, this.comparison.peek().value);
    }
  }

  /** Puts the earlier run first, no matter which one is shown. */
  #show(other: ComparedRun): void {
    const shown = comparedRun(this.#shown.record, this.#shown.trace);
    const isOtherEarlier = other.record.startedAt <= shown.record.startedAt;
    const [before, now] = isOtherEarlier ? [other, shown] : [shown, other];
    const comparison = compareRuns(before, now, sameness(...payloadsOf(before, now)));
    batch(() => {
      this.comparison.value = loaded({ ok: true, value: comparison }, null);
      this.collapsed.value = initiallyCollapsed(comparison.rows);
      this.onlyDifferences.value = true;
      this.selected.value = null;
      if (comparison.firsts[0] !== undefined) this.select(comparison.firsts[0]);
    });
  }

  /** Selects a row and expands its ancestors. */
  select(row: number): void {
    const ancestors = ancestorsOf(this.comparison.peek().value?.rows ?? NO_ROWS, row);
    const collapsed = this.collapsed.peek();
    batch(() => {
      this.selected.value = row;
      if (ancestors.some((id) => collapsed.has(id)))
        this.collapsed.value = new Set([...collapsed].filter((id) => !ancestors.includes(id)));
    });
  }

  setCollapsed(row: number, isCollapsed: boolean): void {
    const next = new Set(this.collapsed.peek());
    if (isCollapsed) next.add(row);
    else next.delete(row);
    this.collapsed.value = next;
  }

  setOnlyDifferences(onlyDifferences: boolean): void {
    this.onlyDifferences.value = onlyDifferences;
  }
}

/**
 * The last earlier run of the same action with the opposite outcome, or else the previous run, or else the next one.
 */
export function suggestedRun(records: readonly RunRecord[], shown: RunRecord): RunRecord | null {
  const others = records
    .filter(({ id, subject, state }) => id !== shown.id && subject === shown.subject && state !== 'running')
    .sort((a, b) => b.startedAt - a.startedAt);
  const earlier = others.filter(({ startedAt }) => startedAt <= shown.startedAt);
  const later = others.filter(({ startedAt }) => startedAt > shown.startedAt).toReversed();
  const isOpposite = ({ state }: RunRecord): boolean =>
    shown.state === 'completed' ? state === 'failed' : state === 'completed';
  return earlier.find(isOpposite) ?? earlier[0] ?? later.find(isOpposite) ?? later[0] ?? null;
}

/** All other runs. Those of the same action come first, newest first. */
export function otherRuns(records: readonly RunRecord[], shown: RunRecord): RunRecord[] {
  const rank = ({ subject }: RunRecord): number => (subject === shown.subject ? 0 : 1);
  return records
    .filter(({ id, state }) => id !== shown.id && state !== 'running')
    .sort((a, b) => rank(a) - rank(b) || b.startedAt - a.startedAt);
}
