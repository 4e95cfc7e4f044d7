/** The conditions of the displayed run's `if` rows with the values that they saw: loaded in the background, and kept. */
import { signal } from '@preact/signals';
import type { Segment } from '../../../../debugging/why/inline-text.ts';
import type { ConditionWhy } from '../../../../debugging/why/why-condition.ts';
import { type StepWhy, whyOf } from '../../../../debugging/why/why-of.ts';
import type { ShownRun } from '../runs.ts';
import type { TraceStep } from '../trace.ts';
import type { RunRecordings } from './run-recordings.ts';
import { recordedIndex } from './step-why.ts';

export type { Segment };

/** Maximum number of steps that are explained in one replay. */
const BATCH = 500;
/** Maximum number of lines that are kept. */
const KEPT = 20_000;

/** The deciding condition of a row; null if there's none, or if it isn't known. */
export type WhyLine = readonly Segment[] | null;

export class RunWhy {
  /** Incremented when lines were loaded. */
  readonly version = signal(0);
  readonly #recordings: RunRecordings;
  #lines = new Map<number, WhyLine>();
  #asked = new Map<number, TraceStep>();
  #run: ShownRun | null = null;
  #isLoading = false;

  constructor(recordings: RunRecordings) {
    this.#recordings = recordings;
  }

  /** Null until it's loaded, and if the run has no recording. Reads `version`. */
  lineOf(run: ShownRun, step: TraceStep): WhyLine {
    void this.version.value;
    if (!run.record.recording || step.kind !== 'if' || step.end === null) return null;
    if (run !== this.#run) this.#begin(run);
    const known = this.#lines.get(step.id);
    if (known !== undefined) return known;
    this.#asked.set(step.id, step);
    if (!this.#isLoading) void this.#load(run);
    return null;
  }

  #begin(run: ShownRun): void {
    this.#run = run;
    this.#lines = new Map();
    this.#asked = new Map();
  }

  async #load(run: ShownRun): Promise<void> {
    this.#isLoading = true;
    try {
      // All rows that are rendered now are explained in one replay.
      const recording = await this.#recordings.of(run.record);
      while (this.#run === run && this.#asked.size > 0) {
        const steps = this.#nextBatch(run);
        const byIndex = new Map(
          recording ? steps.map((step) => [recordedIndex(recording, step) ?? -1, step] as const) : [],
        );
        const found = recording ? await whyOf(recording, byIndex.keys(), { keep: () => undefined }) : NOTHING;
        if (this.#run !== run) break;
        for (const { id } of steps) this.#lines.set(id, null);
        for (const [index, why] of found) this.#lines.set(byIndex.get(index)?.id ?? -1, lineOf(why));
        this.version.value++;
      }
    } finally {
      this.#isLoading = false;
      // Another run was shown in the meantime.
      if (this.#run && this.#run !== run && this.#asked.size > 0) void this.#load(this.#run);
    }
  }

  /** What was asked for, and the steps that follow, so that scrolling doesn't replay the run for each row. */
  #nextBatch({ trace }: ShownRun): TraceStep[] {
    if (this.#lines.size > KEPT) this.#lines = new Map();
    const batch = new Map(this.#asked);
    const last = trace.order.findLastIndex(({ id }) => this.#asked.has(id));
    this.#asked = new Map();
    for (let index = last + 1; index > 0 && index < trace.order.length && batch.size < BATCH; index++) {
      const step = trace.order[index] as TraceStep;
      if (step.kind === 'if' && !this.#lines.has(step.id)) batch.set(step.id, step);
    }
    return [...batch.values()];
  }
}

const NOTHING: ReadonlyMap<number, StepWhy> = new Map();

function lineOf(why: StepWhy): WhyLine {
  if (why.state !== 'evaluated') return null;
  // With several conditions of which none was true, no single one decided.
  const deciding = why.conditions.length === 1 || isDeciding(why.conditions.at(-1)) ? why.conditions.at(-1) : undefined;
  return deciding && 'segments' in deciding ? deciding.segments : null;
}

const isDeciding = (why: ConditionWhy | undefined): boolean => why?.state === 'true' || why?.state === 'failed';
