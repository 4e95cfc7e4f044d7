/** Owns the state of comparing the shown run with another: which one, what came out, and what of it is looked at. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { AgentEvent } from '../../../inspector/contract.ts';
import { defaultOther, otherRuns } from './compare-choice.ts';
import { payloadsOf } from './compare-details.ts';
import { around, foldedAtFirst, shownRows } from './compare-rows.ts';
import { comparedRun, compareRuns, type ComparedRow, type ComparedRun, type Comparison } from './compare-runs.ts';
import { sameness } from './compare-values.ts';
import { IDLE, loaded, type Loadable } from '../../shared/loadable.ts';
import { addEvents, endTrace } from '../build-trace.ts';
import { createTrace } from '../trace.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';
import type { ShownRun } from '../runs.ts';

export interface Compare {
  /** Runs to choose from, those of the same action first. */
  readonly choices: ReadonlySignal<readonly RunRecord[]>;
  /** The chosen one; null while none is, or when there is none. */
  readonly other: ReadonlySignal<RunRecord | null>;
  /** Idle when there is no run to compare with. */
  readonly comparison: ReadonlySignal<Loadable<Comparison>>;
  readonly rows: ReadonlySignal<readonly ComparedRow[]>;
  readonly selected: ReadonlySignal<number | null>;
  readonly folded: ReadonlySignal<ReadonlySet<number>>;
  readonly isOnlyDifferences: ReadonlySignal<boolean>;
  /** With the run of this id, or with the one that suggests itself. */
  compareWith(id: string): Promise<void>;
  select(row: number): void;
  fold(row: number, folded: boolean): void;
  filter(isOnlyDifferences: boolean): void;
}

const NO_ROWS: readonly ComparedRow[] = [];

export function createCompare(store: Pick<RunStore, 'list' | 'events'>, shown: ShownRun): Compare {
  const choices = signal<readonly RunRecord[]>([]);
  const other = signal<RunRecord | null>(null);
  const comparison = signal<Loadable<Comparison>>({ state: 'loading', value: null, error: null });
  const selected = signal<number | null>(null);
  const folded = signal<ReadonlySet<number>>(new Set());
  const isOnlyDifferences = signal(true);
  const rows = computed(() =>
    comparison.value.value ? shownRows(comparison.value.value, isOnlyDifferences.value, folded.value) : NO_ROWS,
  );
  let turn = 0;

  async function compareWith(id: string): Promise<void> {
    const mine = ++turn;
    comparison.value = { state: 'loading', value: comparison.peek().value, error: null };
    try {
      const all = await store.list();
      if (mine !== turn) return;
      choices.value = otherRuns(all, shown.record);
      const record = choices.value.find((one) => one.id === id) ?? defaultOther(all, shown.record);
      other.value = record;
      const events = record ? await store.events(record.id) : [];
      if (mine !== turn) return;
      if (record) show(compareRuns(...inOrder(readRun(record, events), comparedRun(shown.record, shown.trace))));
      else comparison.value = IDLE;
    } catch (thrown) {
      if (mine === turn) fail(thrown);
    }
  }

  function fail(thrown: unknown): void {
    comparison.value = loaded({ ok: false, error: toErrorValue(thrown) }, comparison.peek().value);
  }

  function show(found: Comparison): void {
    batch(() => {
      comparison.value = loaded({ ok: true, value: found }, null);
      folded.value = foldedAtFirst(found.rows);
      isOnlyDifferences.value = true;
      selected.value = null;
      if (found.firsts[0] !== undefined) select(found.firsts[0]);
    });
  }

  /** Unfolds what the row is in, so that it can be seen. */
  function select(row: number): void {
    const within = around(comparison.peek().value?.rows ?? NO_ROWS, row);
    batch(() => {
      selected.value = row;
      if (within.some((id) => folded.peek().has(id)))
        folded.value = new Set([...folded.peek()].filter((id) => !within.includes(id)));
    });
  }

  return {
    choices,
    other,
    comparison,
    rows,
    selected,
    folded,
    isOnlyDifferences,
    compareWith,
    select,
    fold(row, isFolded) {
      const next = new Set(folded.peek());
      if (isFolded) next.add(row);
      else next.delete(row);
      folded.value = next;
    },
    filter(only) {
      isOnlyDifferences.value = only;
    },
  };
}

function readRun(record: RunRecord, events: AgentEvent[]): ComparedRun {
  const trace = addEvents(createTrace(record.id, record.startedAt), events);
  if (trace.state === 'running') endTrace(trace, record.state === 'running' ? 'interrupted' : record.state);
  return comparedRun(record, trace, events);
}

/** The earlier one first, whichever of them is shown. */
function inOrder(other: ComparedRun, shown: ComparedRun): Parameters<typeof compareRuns> {
  const [before, now] = other.record.startedAt <= shown.record.startedAt ? [other, shown] : [shown, other];
  return [before, now, sameness(...payloadsOf(before, now))];
}
