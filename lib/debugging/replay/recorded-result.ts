/** A reference to a step’s recorded value in a replay. Values only matter for the result of the run, so few are ever read. */
import type { Context, StepInfo, StepOutcome } from '../../pipeline/index.ts';
import type { RecordedStep } from '../recording/format.ts';
import { outcomeValue } from './recorded-steps.ts';

export class RecordedResult {
  readonly step: RecordedStep;
  #value: { of: unknown } | null = null;

  constructor(step: RecordedStep) {
    this.step = step;
  }

  /**
   * The value, or a `LostOutcome`.
   * @param context the one at the end of the step, when its objects can be part of the value
   */
  read(context?: Context): unknown {
    return (this.#value ??= { of: outcomeValue(this.step, context) }).of;
  }
}

/** What a step’s outcome is replaced with, so that it has its recorded value. */
export const resultOf = (step: RecordedStep): RecordedResult | undefined =>
  step.state === 'completed' && step.value === undefined ? undefined : new RecordedResult(step);

/** A value that a run ended with. */
export const readResult = (result: unknown): unknown => (result instanceof RecordedResult ? result.read() : result);

/** An outcome as observers see it. */
export function withValue(outcome: StepOutcome, { context }: StepInfo): StepOutcome {
  if (outcome.state !== 'completed' || !(outcome.value instanceof RecordedResult)) return outcome;
  return { ...outcome, value: outcome.value.read(context) };
}

/** Call it at the end of a step, while its context has the objects of its value. */
export function readShared(outcome: StepOutcome, { context }: StepInfo): void {
  const value = outcome.state === 'completed' ? outcome.value : undefined;
  if (value instanceof RecordedResult && value.step.shared) value.read(context);
}
