/** Compares the displayed run with another run. Stores which run was chosen, the result, and which rows are visible. */
import { batch, computed, signal } from '@preact/signals';
import type { Recording } from '../../../../debugging/recording/format.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import { IDLE, loaded, type Loadable } from '../../shared/loadable.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';
import { restoreTrace } from '../history/stored-run.ts';
import { createPauses } from '../../shared/pauses.ts';
import { runOfRecording } from '../recordings/run-of-recording.ts';
import type { ShownRun } from '../runs.ts';
import { ancestorsOf, initiallyCollapsed, visibleRows } from './compare-rows.ts';
import { comparedRun, compareInPauses, type ComparedRow, type ComparedRun, type Comparison } from './compare-runs.ts';
import type { VolatileDocument } from './volatile/volatile-paths.ts';
import { Volatility } from './volatile/volatility.ts';
import { type WholeDetails, wholeDetails } from './whole/whole-details.ts';
import { type Recordings, withWholeValues } from './whole/whole-rows.ts';

const NO_ROWS: readonly ComparedRow[] = [];

/** Whether a run is the earlier one. Earlier versions gave a run that was made from another one that one's time. */
function isBefore(one: RunRecord, other: RunRecord): boolean {
  if (one.madeFrom === other.id || other.madeFrom === one.id) return other.madeFrom === one.id;
  return one.startedAt <= other.startedAt;
}

export interface CompareOptions {
  store: Pick<RunStore, 'list' | 'events'>;
  /** Null if the run has none. */
  recordingOf: (run: Pick<ShownRun, 'record' | 'local'>) => Promise<Recording | null>;
  /** Which paths of the action are ignored. */
  volatile: VolatileDocument;
}

/** How whole values are compared. `none`: one of the runs has no recording. */
export type Wholeness = 'loading' | 'whole' | 'none';

export class Compare {
  /** Runs that can be chosen. */
  readonly choices = signal<readonly RunRecord[]>([]);
  /** The chosen run; null if none. */
  readonly other = signal<RunRecord | null>(null);
  /** Idle if there's no run to compare with. */
  readonly comparison = signal<Loadable<Comparison>>({ state: 'loading', value: null, error: null });
  readonly wholeness = signal<Wholeness>('loading');
  readonly selected = signal<number | null>(null);
  readonly collapsed = signal<ReadonlySet<number>>(new Set());
  readonly onlyDifferences = signal(true);
  /** By row: what the recordings have of the rows that were selected. */
  readonly details = signal<ReadonlyMap<number, WholeDetails>>(new Map());
  readonly rows = computed(() => {
    const { value } = this.comparison.value;
    return value ? visibleRows(value, this.onlyDifferences.value, this.collapsed.value) : NO_ROWS;
  });
  readonly #options: CompareOptions;
  readonly #shown: ShownRun;
  #sides: { before: ComparedRun; now: ComparedRun } | null = null;
  #recordings: Recordings | null = null;
  /** Identifies the latest request, so that an older one that finishes late is dropped. */
  #request = 0;

  constructor(options: CompareOptions, shown: ShownRun) {
    this.#options = options;
    this.#shown = shown;
  }

  /** The paths that are ignored. */
  get volatile(): VolatileDocument {
    return this.#options.volatile;
  }

  /** Compares with the run with this ID, or with the suggested run if the ID is unknown. */
  async compareWith(id: string): Promise<void> {
    const request = ++this.#request;
    const isCurrent = (): boolean => request === this.#request;
    this.comparison.value = { state: 'loading', value: this.comparison.peek().value, error: null };
    try {
      const [records] = await Promise.all([this.#options.store.list(), this.volatile.load()]);
      if (!isCurrent()) return;
      this.choices.value = otherRuns(records, this.#shown.record);
      const record = this.choices.value.find((choice) => choice.id === id) ?? suggestedRun(records, this.#shown.record);
      this.other.value = record;
      if (!record) return void (this.comparison.value = IDLE);
      await this.#compareWith(record, isCurrent);
    } catch (thrown) {
      const error = toErrorValue(thrown);
      if (isCurrent()) this.comparison.value = loaded({ ok: false, error }, this.comparison.peek().value);
    }
  }

  async #compareWith(record: RunRecord, isCurrent: () => boolean): Promise<void> {
    const events = await this.#options.store.events(record.id);
    if (!isCurrent()) return;
    const other = comparedRun(record, await restoreTrace(record, events));
    if (!isCurrent()) return;
    const shown = comparedRun(this.#shown.record, this.#shown.trace);
    this.#setSides(other, shown);
    this.#recordings = null;
    // What is stored in part is compared once it's known from the recording.
    const isStored = !other.isPartial && !shown.isPartial;
    if (isStored && !(await this.#showCompared(isCurrent))) return;
    const [one, two] = await Promise.all([this.#recordingOf({ record }), this.#recordingOf(this.#shown)]);
    if (!isCurrent()) return;
    if (!isStored) {
      const sides = await Promise.all([recordedSide(other, one), recordedSide(shown, two)]);
      if (!isCurrent()) return;
      this.#setSides(...sides);
      if (!(await this.#showCompared(isCurrent))) return;
    }
    const isEarlier = this.#sides?.before.record === record;
    if (one && two) this.#recordings = isEarlier ? { before: one, now: two } : { before: two, now: one };
    await this.#settle(isCurrent);
  }

  async #recordingOf(run: Parameters<CompareOptions['recordingOf']>[0]): Promise<Recording | null> {
    this.wholeness.value = 'loading';
    return this.#options.recordingOf(run);
  }

  /** Puts the earlier run first, no matter which one is shown. */
  #setSides(other: ComparedRun, shown: ComparedRun): void {
    const isOtherFirst = isBefore(other.record, shown.record);
    this.#sides = isOtherFirst ? { before: other, now: shown } : { before: shown, now: other };
  }

  #compared(): Promise<Comparison> {
    const { before, now } = this.#sides!;
    return compareInPauses(before, now, new Volatility(this.volatile.value.peek()), createPauses());
  }

  /** Resolves to false if the comparison isn't wanted anymore. */
  async #showCompared(isCurrent: () => boolean): Promise<boolean> {
    const comparison = await this.#compared();
    if (isCurrent()) this.#show(comparison);
    return isCurrent();
  }

  #show(comparison: Comparison): void {
    batch(() => {
      this.#set(comparison);
      this.collapsed.value = initiallyCollapsed(comparison.rows);
      this.onlyDifferences.value = true;
      this.selected.value = null;
      if (comparison.firsts[0] !== undefined) this.select(comparison.firsts[0]);
    });
  }

  #set(comparison: Comparison): void {
    this.comparison.value = loaded({ ok: true, value: comparison }, null);
    this.details.value = new Map();
  }

  /** Settles with the recordings what the traces don't have whole. */
  async #settle(isCurrent: () => boolean): Promise<void> {
    const { value } = this.comparison.peek();
    if (!value || !this.#recordings) return void (this.wholeness.value = 'none');
    const { pauseIfDue } = createPauses();
    const whole = await withWholeValues(value, this.#recordings, pauseIfDue);
    if (!isCurrent()) return;
    batch(() => {
      this.wholeness.value = 'whole';
      this.#replace(whole);
    });
  }

  /** Shows a comparison of the same runs, with the same selection. */
  #replace(comparison: Comparison): void {
    const before = this.comparison.peek().value;
    const isSame = before?.rows.length === comparison.rows.length;
    const selected = this.selected.peek();
    const wasFirst = selected === null || selected === before?.firsts[0];
    if (!isSame) return this.#show(comparison);
    this.#set(comparison);
    const [first] = comparison.firsts;
    const isShown = selected !== null && (comparison.rows[selected]?.kinds.length ?? 0) > 0;
    if (first !== undefined && (wasFirst || !isShown)) this.select(first);
  }

  /** Ignores differences at a path from now on, or no longer. */
  async setIgnored(pattern: string, isIgnored: boolean): Promise<void> {
    await this.volatile.change((paths) =>
      isIgnored ? [...paths.filter((path) => path !== pattern), pattern] : paths.filter((path) => path !== pattern),
    );
    await this.compareAgain();
  }

  /** Compares the same runs, with what is ignored now. */
  async compareAgain(): Promise<void> {
    if (!this.#sides) return;
    const request = ++this.#request;
    const isCurrent = (): boolean => request === this.#request;
    this.wholeness.value = 'loading';
    const comparison = await this.#compared();
    if (!isCurrent()) return;
    this.#replace(comparison);
    await this.#settle(isCurrent);
  }

  /** Loads what the recordings have of a row. */
  async loadDetails(row: ComparedRow): Promise<void> {
    const { value } = this.comparison.peek();
    if (!value || !this.#recordings || row.what === 'payload' || this.details.peek().has(row.id)) return;
    const found = await wholeDetails(value, this.#recordings, row);
    if (found && this.comparison.peek().value === value)
      this.details.value = new Map(this.details.peek()).set(row.id, found);
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
 * The run that it was made from. Otherwise, the last earlier run of the same action with the opposite outcome, or else
 * the previous run, or else the next one.
 */
export function suggestedRun(records: readonly RunRecord[], shown: RunRecord): RunRecord | null {
  const others = records
    .filter(({ id, subject, state }) => id !== shown.id && subject === shown.subject && state !== 'running')
    .sort((a, b) => b.startedAt - a.startedAt);
  const earlier = others.filter(({ startedAt }) => startedAt <= shown.startedAt);
  const later = others.filter(({ startedAt }) => startedAt > shown.startedAt).toReversed();
  const isOpposite = ({ state }: RunRecord): boolean =>
    shown.state === 'completed' ? state === 'failed' : state === 'completed';
  const original = others.find(({ id }) => id === shown.madeFrom);
  return original ?? earlier.find(isOpposite) ?? earlier[0] ?? later.find(isOpposite) ?? later[0] ?? null;
}

/** All other runs. Those of the same action come first, newest first. */
export function otherRuns(records: readonly RunRecord[], shown: RunRecord): RunRecord[] {
  const rank = ({ subject }: RunRecord): number => (subject === shown.subject ? 0 : 1);
  return records
    .filter(({ id, state }) => id !== shown.id && state !== 'running')
    .sort((a, b) => rank(a) - rank(b) || b.startedAt - a.startedAt);
}

/** A run that is stored in part, as its recording has it. */
async function recordedSide(run: ComparedRun, recording: Recording | null): Promise<ComparedRun> {
  if (!run.isPartial || !recording || recording.end.state === 'interrupted') return run;
  const { trace } = await runOfRecording(recording, { id: run.record.id, origin: undefined });
  return { ...comparedRun({ ...run.record, cut: false, thinned: false }, trace), record: run.record };
}
