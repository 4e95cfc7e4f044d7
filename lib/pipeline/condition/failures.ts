/** Builds the errors of conditions that fail during evaluation. */
import { ConditionError, quote } from '../errors.ts';
import type { Key } from './syntax/tree.ts';

/** A part of the source that errors refer to. */
export interface SourceLocation {
  readonly text: string;
  /** 1-based. */
  readonly column: number;
}

/** Source text for a message, cut off if it is long. */
export function excerpt(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export function quoteKey(key: Key): string {
  return typeof key === 'number' ? String(key) : quote(key);
}

export function conditionFailed(message: string, location: SourceLocation, cause?: unknown): ConditionError {
  const options = cause === undefined ? undefined : { cause };
  return new ConditionError('CONDITION_FAILED', message, location.text, location.column, options);
}
