/** Errors as values: a stable code, a message, and a hint. */
import * as v from 'valibot';
import type { ErrorValue as Value, RunFailure as Failure } from './coded-error.ts';

export * from './coded-error.ts';

export const RunFailure = v.object({ errorType: v.string(), errorMessage: v.string(), trace: v.array(v.string()) });
export type RunFailure = Failure;

export const ErrorValue = v.object({
  code: v.string(),
  message: v.string(),
  hint: v.optional(v.string()),
  status: v.optional(v.number()),
  retryAfter: v.optional(v.number()),
  said: v.optional(v.object({ code: v.string(), message: v.string() })),
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
  failure: v.optional(RunFailure),
});
export type ErrorValue = Value;

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
