/** Errors that can be thrown, and results that can cross a boundary without classes. */
import type { ErrorValue } from './errors.ts';

/** An `ErrorValue` that can be thrown. */
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

/** Any thrown thing as an `ErrorValue`; what we did not foresee gets the code `UNEXPECTED`. */
export function toErrorValue(thrown: unknown): ErrorValue {
  try {
    if (thrown instanceof CodedError) return thrown.value;
    const message = String(thrown instanceof Error ? thrown.message : thrown);
    if (message) return { code: 'UNEXPECTED', message };
  } catch {
    // An object can be without a text form, and reading one can throw.
  }
  return { code: 'UNEXPECTED', message: 'Something failed without saying why.' };
}

/** What an operation that can fail answers across a border that loses classes. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorValue };
