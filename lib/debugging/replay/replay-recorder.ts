/**
 * Records a replay with changes. What it changes in the context is known, and most values are recorded ones already, so
 * nothing is compared or written again.
 */
import type { StepInfo, StepOutcome } from '../../pipeline/index.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { LateChanges, RecordedEnd, RecordedStep } from '../recording/format.ts';
import { type Budget, lost, writeValue } from '../recording/values.ts';
import { recordError, RECORDING_LIMIT } from '../recording/recorder.ts';
import { RecordedResult } from './recorded-result.ts';

interface OpenStep {
  step: RecordedStep;
  /** The recorded step whose outcome the step has. */
  source: RecordedStep | null;
  /** Whether its function is called, unlike others. */
  isCalled: boolean;
}

export class ReplayRecorder {
  readonly steps: RecordedStep[] = [];
  readonly #budget: Budget = { left: RECORDING_LIMIT, lost: 0 };
  readonly #open: OpenStep[] = [];

  /** Starts a step, and returns its index. */
  start({ kind, path, iteration, name }: StepInfo, at: number): number {
    const step: RecordedStep = {
      kind,
      path,
      ...(iteration.length > 0 && { iteration: [...iteration] }),
      ...(kind === 'function' && { name }),
      at: microseconds(at),
      milliseconds: 0,
      state: 'completed',
    };
    this.#open.push({ step, source: null, isCalled: false });
    return this.steps.push(step) - 1;
  }

  /** The innermost step has its outcome from a recorded one. */
  takeFrom(source: RecordedStep): void {
    const open = this.#open.at(-1)!;
    open.source = source;
    if (source.changes) open.step.changes = source.changes;
    if (source.edited) open.step.edited = source.edited;
  }

  /** The function of the innermost step is called. */
  called(): void {
    this.#open.at(-1)!.isCalled = true;
  }

  /** The innermost step changes the context. */
  changed(changes: readonly RecordedChange[]): void {
    if (changes.length > 0) this.#open.at(-1)!.step.changes = [...changes];
  }

  /** The context changed before the innermost step. */
  late(...late: LateChanges[]): void {
    if (late.length > 0) (this.#open.at(-1)!.step.late ??= []).push(...late);
  }

  /** Notes a value that a condition of the innermost step has read. */
  read(kind: 'now' | 'random', value: number): number {
    (this.#open.at(-1)!.step[kind] ??= []).push(value);
    return value;
  }

  end(outcome: StepOutcome, at: number): void {
    const { step, source, isCalled } = this.#open.pop()!;
    step.state = outcome.state;
    step.milliseconds = microseconds(at - step.at);
    if (outcome.replaced !== undefined) step.replaced = outcome.replaced;
    const branch = outcome.state === 'skipped' ? undefined : outcome.branch;
    if (branch !== undefined) step.branch = branch;
    const isReplaced = outcome.replaced !== undefined && branch === undefined;
    if (outcome.state === 'failed' && (isReplaced || (isCalled && step === this.steps.at(-1))))
      step.error = source?.error ?? recordError(outcome.error.cause, this.#budget);
    if (outcome.state !== 'completed') return;
    const { value, iterations } = outcome;
    if (value instanceof RecordedResult) Object.assign(step, valueOf(value.step));
    else if (value !== undefined) step.value = writeValue(value, this.#budget);
    if (iterations !== undefined) step.iterations = iterations;
  }

  /** How a run ended. */
  endOf(end: { result: unknown } | { error: unknown }): RecordedEnd {
    return 'result' in end
      ? { state: 'completed', result: writeValue(end.result, this.#budget) }
      : { state: 'failed', error: recordError(end.error, this.#budget) };
  }
}

function valueOf({ value, shared, state }: RecordedStep): Partial<RecordedStep> {
  if (state !== 'completed') return { value: lost('unreadable') };
  return { ...(value !== undefined && { value }), ...(shared && { shared }) };
}

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;
