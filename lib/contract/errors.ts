/** Owns what an error looks like wherever it is shown: a stable code, a sentence, and the next step. */
import * as v from 'valibot';

export * from './coded-error.ts';

/** An error as a value: what crosses a message, a store or HTTP. */
export const ErrorValue = v.object({
  /** Stable, in capitals, such as `PAYLOAD_TOO_LARGE`. */
  code: v.string(),
  /** One sentence: what happened, and to what. */
  message: v.string(),
  /** One sentence: what to do next. */
  next: v.optional(v.string()),
  /** HTTP status, when an answer of the platform carried the error. */
  status: v.optional(v.number()),
  /** One entry per invalid place; `path` is a JSON Pointer. */
  details: v.optional(v.array(v.object({ path: v.string(), message: v.string() }))),
});
export type ErrorValue = v.InferOutput<typeof ErrorValue>;

/** The body of every REST error (decisions, "REST"). */
export const RestErrorBody = v.object({
  error: v.string(),
  message: v.string(),
  details: v.optional(v.unknown()),
});
export type RestErrorBody = v.InferOutput<typeof RestErrorBody>;

/** The places that a schema complains about, as an error's `details`: the first 20, with JSON Pointers. */
export function issueDetails(issues: readonly v.BaseIssue<unknown>[]): { path: string; message: string }[] {
  return issues.slice(0, 20).map((issue) => ({
    path: (issue.path ?? []).map(({ key }) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    message: issue.message.length > 300 ? `${issue.message.slice(0, 300)}…` : issue.message,
  }));
}
