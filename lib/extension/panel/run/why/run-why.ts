/** The conditions of the displayed run's `if` rows with the values that they saw: loaded in the background, and kept. */
import { signal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import { lateModule } from '../../shared/late-module.ts';
import type { Recording } from '../../../../debugging/recording/format.ts';
import { CONDITION_MARKS } from '../../../../debugging/why/condition-mark.ts';
import type { Segment } from '../../../../debugging/why/inline-text.ts';
import type { StepWhy, whyOf } from '../../../../debugging/why/why-of.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import type { ShownRun } from '../runs.ts';
import type { TraceStep } from '../trace.ts';
import type { RunRecordings } from './run-recordings.ts';
import { recordedIndex } from './recorded-index.ts';
import type { ShownWhy } from './step-why.ts';

export type { Segment };

/** Maximum number of steps that are explained in one replay. */
const BATCH = 2_000;
/** Maximum number of lines that are kept. */
const KEPT = 20_000;

/** The conditions of a row; null if there are none, or if they aren't known. */
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
    if (!(run.local || run.record.recording) || step.kind !== 'if' || step.end === null) return null;
    if (run !== this.#run) this.#begin(run);
    const known = this.#lines.get(step.id);
    if (known !== undefined) return known;
    this.#asked.set(step.id, step);
    if (!this.#isLoading) void this.#load(run);
    return null;
  }

  /** @param node the step in the page's pipeline, if the run is of the page's action */
  async ofStep(run: ShownRun, step: TraceStep, node: PipelineNode | undefined): Promise<ShownWhy> {
    try {
      const { whyOfStep } = await lateModule(import('./step-why.ts'));
      return await whyOfStep(await this.#recordingOf(run), run.trace, step, node);
    } catch (thrown) {
      const why: StepWhy = { state: 'unknown', why: toErrorValue(thrown).message };
      return { why, from: 'trace', sources: [], hasElse: false };
    }
  }

  async #recordingOf({ record, local }: ShownRun): Promise<Recording | null> {
    return local?.recording ?? this.#recordings.of(record);
  }

  #begin(run: ShownRun): void {
    this.#run = run;
    this.#lines = new Map();
    this.#asked = new Map();
  }

  async #load(run: ShownRun): Promise<void> {
    this.#isLoading = true;
    try {
      const [recording, explain] = await Promise.all([this.#recordingOf(run), loadExplain()]);
      // All rows that are rendered now are explained in one replay.
      while (this.#run === run && this.#asked.size > 0) {
        const steps = this.#nextBatch(run);
        const byIndex = new Map(
          recording ? steps.map((step) => [recordedIndex(recording, step) ?? -1, step] as const) : [],
        );
        const found = recording && (await explain(recording, byIndex.keys(), { keep: () => undefined }));
        if (this.#run !== run) break;
        for (const { id } of steps) this.#lines.set(id, null);
        for (const [index, why] of found ?? []) this.#lines.set(byIndex.get(index)?.id ?? -1, lineOf(why));
        this.version.value++;
      }
    } finally {
      this.#isLoading = false;
      // Another run was shown in the meantime.
      if (this.#run && this.#run !== run && this.#asked.size > 0) void this.#load(this.#run);
    }
  }

  /** What was asked for, and the steps around it, so that scrolling doesn't replay the run for each row. */
  #nextBatch({ trace: { order } }: ShownRun): TraceStep[] {
    if (this.#lines.size > KEPT) this.#lines = new Map();
    const batch = new Map(this.#asked);
    let before = order.findIndex(({ id }) => this.#asked.has(id)) - 1;
    let after = order.findLastIndex(({ id }) => this.#asked.has(id)) + 1;
    this.#asked = new Map();
    const add = (step: TraceStep | undefined): void => {
      if (step?.kind === 'if' && step.end !== null && !this.#lines.has(step.id)) batch.set(step.id, step);
    };
    while (batch.size < BATCH && (before >= 0 || after < order.length)) {
      add(order[before--]);
      add(order[after++]);
    }
    return [...batch.values()];
  }
}

/** Needs the engine, which the panel doesn’t load at start. After an update of the extension, there’s nothing to load. */
async function loadExplain(): Promise<typeof whyOf> {
  try {
    return (await import('../../../../debugging/why/why-of.ts')).whyOf;
  } catch {
    return async () => new Map();
  }
}

/** All conditions that were evaluated, each with its mark, the deciding one last. */
function lineOf(why: StepWhy): WhyLine {
  if (why.state !== 'evaluated') return null;
  const { conditions } = why;
  if (!conditions.every((one) => 'segments' in one)) return null;
  return conditions.flatMap(({ state, segments }, index): Segment[] => {
    const mark: Segment = { text: `${CONDITION_MARKS[state]} `, state: 'source' };
    return index === 0 ? [mark, ...segments] : [OR_WHEN, mark, ...segments];
  });
}

const OR_WHEN: Segment = { text: ' or when ', state: 'source' };
