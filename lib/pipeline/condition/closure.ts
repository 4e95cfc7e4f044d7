/** Owns what every part of a compiled condition is: a closure, and the place in the source that its errors name. */
import type { Context } from '../types.ts';
import { ConditionError } from '../errors.ts';

/** The parameters of the arrow functions around an expression, innermost first. */
export interface Scope {
  readonly values: readonly unknown[];
  readonly parent: Scope | null;
}
export type Evaluate = (context: Context, scope: Scope | null) => unknown;
/** A place in the source, for errors. */
export interface Place {
  text: string;
  column: number;
}

/** Source text for a sentence: the beginning of a long one. */
export function brief(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}

export function failed(message: string, place: Place, cause?: unknown): ConditionError {
  return new ConditionError(
    'CONDITION_FAILED',
    message,
    place.text,
    place.column,
    cause === undefined ? undefined : { cause },
  );
}
