/** Builds the errors of conditions that fail while they are evaluated. */
import { ConditionError } from '../errors.ts';

/** A part of the source, for errors. */
export interface SourceLocation {
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

/** Source text for a message; long text is cut. */
export function excerpt(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export function conditionFailed(message: string, location: SourceLocation, cause?: unknown): ConditionError {
  const options = cause === undefined ? undefined : { cause };
  return new ConditionError('CONDITION_FAILED', message, location.text, location.column, options);
}
