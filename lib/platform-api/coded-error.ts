/** Throwable errors with codes, and results that can cross boundaries where classes are lost. */
import type { ErrorValue } from './errors.ts';

/** A throwable `ErrorValue`. */
export class CodedError extends Error {
  readonly value: ErrorValue;
  constructor(value: ErrorValue, options?: ErrorOptions) {
    super(value.message, options);
    this.name = 'CodedError';
    this.value = value;
  }
  get code(): string {
    return this.value.code;
  }
}

/** Converts any thrown value to an `ErrorValue`. Unexpected errors get the code `UNEXPECTED`. */
export function toErrorValue(thrown: unknown): ErrorValue {
  try {
    if (thrown instanceof CodedError) return thrown.value;
    const message = String(thrown instanceof Error ? thrown.message : thrown);
    if (message) return { code: 'UNEXPECTED', message };
  } catch {
    // Converting an object to a string can throw.
  }
  return { code: 'UNEXPECTED', message: 'Something failed without an error message.' };
}

/** The result of an operation across a boundary where classes are lost. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorValue };
