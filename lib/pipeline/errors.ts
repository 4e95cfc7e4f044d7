/** Defines the engine’s errors, and describes values for messages. */
import type { PipelineError, PipelineErrorCode, Problem } from './types.ts';

const HINTS: Record<PipelineErrorCode, string> = {
  PIPELINE_INVALID: 'Update the listed steps, then run the pipeline again.',
  PAYLOAD_INVALID: 'Enter the payload as a JSON object, such as {"since": "2026-11-01"}.',
  STEP_FAILED: 'Check the cause, the step’s settings, and its context.',
  LOOP_ITEMS_INVALID: 'Check that a step before the loop sets an array of that name.',
  CONDITION_FAILED: 'Check the name, or use ?. where a value may be missing.',
  ABORTED: 'Check what the steps have done: the one that was running can still finish.',
};

interface Details {
  path?: string;
  iteration?: readonly number[];
  problems?: readonly Problem[];
  cause?: unknown;
}

class RunFailure extends Error implements PipelineError {
  override readonly name = 'PipelineError';
  readonly code: PipelineErrorCode;
  readonly hint: string;
  declare readonly path?: string;
  declare readonly iteration?: readonly number[];
  declare readonly problems?: readonly Problem[];
  constructor(code: PipelineErrorCode, message: string, details: Details) {
    super(message);
    this.code = code;
    this.hint = HINTS[code];
    Object.assign(this, details);
  }
}

/** Creates the error that a run rejects with. The details become the error’s properties. */
export function pipelineError(code: PipelineErrorCode, message: string, details: Details = {}): PipelineError {
  return new RunFailure(code, message, details);
}

export function isPipelineError(value: unknown): value is PipelineError {
  return value instanceof RunFailure;
}

/** A condition that was refused (`INVALID_CONDITION`) or that failed during evaluation (`CONDITION_FAILED`). */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly code: 'INVALID_CONDITION' | 'CONDITION_FAILED';
  /** The part of the source that is invalid or failed. */
  readonly expression: string;
  /** 1-based position in the source. */
  readonly column: number;
  readonly hint: string;
  constructor(
    code: 'INVALID_CONDITION' | 'CONDITION_FAILED',
    message: string,
    expression: string,
    column: number,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.code = code;
    this.expression = expression;
    this.column = column;
    this.hint = code === 'INVALID_CONDITION' ? 'Check the condition at this column.' : HINTS.CONDITION_FAILED;
  }
}

/** Maximum length of a thrown message when quoted. The full message is in the cause. */
const MAX_QUOTE = 1000;

/** Describes a thrown value. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message : '';
    if (typeof message === 'string' && message) return truncate(message);
    const failure = failureMessage(thrown);
    if (failure !== '') return truncate(failure);
    return thrown instanceof Error
      ? truncate(thrown.name)
      : `threw ${typeof thrown === 'string' ? quote(truncate(thrown)) : describeValue(thrown)}`;
  } catch {
    return 'threw an unreadable value';
  }
}

/** The message of a failed run's result, which code that runs an action can throw as it is. */
function failureMessage(thrown: unknown): string {
  const message = typeof thrown === 'object' && (thrown as { errorMessage?: unknown } | null)?.errorMessage;
  return typeof message === 'string' ? message : '';
}

/** Quotes a string for a single-line message. */
export function quote(text: string): string {
  return `“${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')}”`;
}

function truncate(text: string): string {
  return text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
}

/** Describes a value’s type, such as `a string` or `undefined`. Never throws. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  try {
    return Array.isArray(value) ? 'an array' : 'an object';
  } catch {
    return 'an unreadable object';
  }
}
