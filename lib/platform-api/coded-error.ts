/** Throwable errors with codes, and results that can cross boundaries where classes are lost. */

/** Why a run failed. `trace` has one line per entry, starting with the failing step. */
export interface RunFailure {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** An error as a value, for messages, storage, and HTTP. */
export interface ErrorValue {
  /** Never changes between releases. Uppercase, such as `PAYLOAD_TOO_LARGE`. */
  code: string;
  /** What happened, and why. */
  message: string;
  /** One suggested next step. */
  hint?: string | undefined;
  /** The HTTP status, if the error is a response from the platform. */
  status?: number | undefined;
  /** The platform’s `Retry-After`, in seconds. */
  retryAfter?: number | undefined;
  /** The platform’s original code and message, such as `NAME_TAKEN`. */
  said?: { code: string; message: string } | undefined;
  /** One entry per invalid value. `path` is a JSON Pointer. */
  details?: { path: string; message: string }[] | undefined;
  /** The failure of the run that caused the error. */
  failure?: RunFailure | undefined;
}

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
