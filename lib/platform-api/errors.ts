/** Errors as values: a stable code, a message, and a hint. */
import * as v from 'valibot';

export * from './coded-error.ts';

/** Why a run failed. `trace` has one line per entry, starting with the failing step. */
export const RunFailure = v.object({ errorType: v.string(), errorMessage: v.string(), trace: v.array(v.string()) });
export type RunFailure = v.InferOutput<typeof RunFailure>;

/** An error as a value, for messages, storage, and HTTP. */
export const ErrorValue = v.object({
  /** Never changes between releases. Uppercase, such as `PAYLOAD_TOO_LARGE`. */
  code: v.string(),
  /** What happened, and why. */
  message: v.string(),
  /** One suggested next step. */
  hint: v.optional(v.string()),
  /** The HTTP status, if the error is a response from the platform. */
  status: v.optional(v.number()),
  /** The platform’s `Retry-After`, in seconds. */
  retryAfter: v.optional(v.number()),
  /** The platform’s original code and message, such as `NAME_TAKEN`. */
  said: v.optional(v.object({ code: v.string(), message: v.string() })),
  /** One entry per invalid value. `path` is a JSON Pointer. */
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  /** The failure of the run that caused the error. */
  failure: v.optional(RunFailure),
});
export type ErrorValue = v.InferOutput<typeof ErrorValue>;

/** The body of every REST error (decisions, "REST"). */
export const RestErrorBody = v.object({
  error: v.string(),
  message: v.string(),
  /** One suggested next step. Not in the specification: some platforms don’t send it. */
  hint: v.optional(v.string()),
  details: v.optional(v.unknown()),
});
export type RestErrorBody = v.InferOutput<typeof RestErrorBody>;

/** Converts schema issues to an error’s `details`: the first 20, with JSON Pointers. */
export function issueDetails(issues: readonly v.BaseIssue<unknown>[]): { path: string; message: string }[] {
  return issues.slice(0, 20).map((issue) => ({
    path: (issue.path ?? []).map(({ key }) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: issue.message.length > 300 ? `${issue.message.slice(0, 300)}…` : issue.message,
  }));
}
