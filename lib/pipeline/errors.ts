/** Owns the engine's errors: how a failed run and a failed condition are told. */
import type { PipelineError, PipelineErrorCode, Problem } from './types.ts';

const HINTS: Record<PipelineErrorCode, string> = {
  PIPELINE_INVALID: 'Mend the places that the problems name, then run it again.',
  PAYLOAD_INVALID: 'Give the payload as a JSON object, such as {"since": "2026-11-01"}.',
  STEP_FAILED: 'Look at the cause, and at the settings and the context that the step was given.',
  LOOP_ITEMS_INVALID: 'Set an array under that name before the loop, or correct the name in items.',
  CONDITION_FAILED: 'Check the name, or use ?. where a value may be missing.',
  ABORTED: 'Run it again when you want the result.',
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

/** The error that a run rejects with; `details` become its properties as they are. */
export function pipelineError(code: PipelineErrorCode, message: string, details: Details = {}): PipelineError {
  return new RunFailure(code, message, details);
}

export function isPipelineError(value: unknown): value is PipelineError {
  return value instanceof RunFailure;
}

/** A condition that was refused (`INVALID_CONDITION`) or that failed while it was evaluated (`CONDITION_FAILED`). */
export class ConditionError extends Error {
  override readonly name = 'ConditionError';
  readonly code: 'INVALID_CONDITION' | 'CONDITION_FAILED';
  /** The part of the source that is concerned. */
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

/** Longest part of a message that was thrown; the cause has the whole. */
const LONGEST = 1000;

/** What was thrown, in one line; never throws itself, whatever it is given. */
export function describeThrown(thrown: unknown): string {
  try {
    const message = thrown instanceof Error ? thrown.message : '';
    if (typeof message === 'string' && message) return clip(message);
    return thrown instanceof Error
      ? clip(thrown.name)
      : `threw ${typeof thrown === 'string' ? JSON.stringify(clip(thrown)) : describeValue(thrown)}`;
  } catch {
    return 'threw something that cannot be read';
  }
}

function clip(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What kind of value it is, with its article, such as `a string` or `undefined`; never throws. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  try {
    return Array.isArray(value) ? 'an array' : 'an object';
  } catch {
    return 'an unreadable object';
  }
}
