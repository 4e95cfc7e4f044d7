/** Explains why a run failed: what was thrown, and what to do. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { truncate } from '../../../../shared/format.ts';
import type { RemoteError } from '../../../inspector/contract.ts';
import { iterationText } from '../timeline/rows.ts';
import type { StepTexts } from '../timeline/step-texts.ts';
import type { Trace, TraceStep } from '../trace.ts';

const HINTS = new Map([
  ['PIPELINE_INVALID', 'Fix the pipeline at this path.'],
  ['PAYLOAD_INVALID', 'Fix the payload.'],
  ['LOOP_ITEMS_INVALID', 'Check the context before the marked step: the loop’s items must be an array.'],
  ['CONDITION_FAILED', 'Open Why to see which part of the condition failed.'],
  ['RUN_LOST', 'Check what the action did before you run it again.'],
]);

/** Where a run failed, for the sentence that its error starts with. */
export interface FailurePlace {
  /** The failed step. */
  step: TraceStep;
  /** The name of the step. */
  label: string;
  /** For example, ` failed in iteration 12 (Ada Lovelace): `. */
  after: string;
}

/** Null if it’s unknown which step failed. */
export function failurePlace(trace: Trace, texts: StepTexts): FailurePlace | null {
  const step = trace.steps.get(trace.failedStep ?? -1);
  if (!step || !trace.error) return null;
  const iteration = iterationText(step.iteration);
  const item = iteration ? texts.itemOf(iterationStart(trace, step)) : '';
  const where = iteration ? ` in ${iteration}${item ? ` (${item})` : ''}` : '';
  return { step, label: texts.of(step).label, after: ` failed${where}: ` };
}

/** The first step of the innermost iteration that contains the step. */
function iterationStart(trace: Trace, step: TraceStep): TraceStep {
  let at = step;
  for (let parent = trace.steps.get(at.parent ?? -1); parent && parent.kind !== 'loop';) {
    at = parent;
    parent = trace.steps.get(at.parent ?? -1);
  }
  return at;
}

/** Text from the page is truncated and never interpreted. */
export function runErrorValue({ code: thrownCode, errorType, errorMessage, path }: RemoteError): ErrorValue {
  const code = thrownCode ?? 'RUN_FAILED';
  const hasType = errorType && errorType !== 'Error' && code !== 'RUN_LOST';
  const type = hasType ? `${truncate(errorType, 80)}: ` : '';
  const defaultHint =
    errorType === 'MockError'
      ? 'Correct the mock, or turn it off.'
      : path === null
        ? 'Check the trace and the console.'
        : 'Check the marked step’s context and settings.';
  return {
    code: truncate(code, 60),
    message: truncate(`${type}${errorMessage || 'The run failed without an error message.'}`, 2000),
    hint: HINTS.get(code) ?? defaultHint,
  };
}
