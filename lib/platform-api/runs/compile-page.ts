/** The response from a debug page’s URL: the page’s `ENV`, or the JSON form (decisions, "REST"). */
import * as v from 'valibot';

export * from './compile-url.ts';

const Id = v.pipe(v.number(), v.integer());

/** The debug page’s `ENV`. `token` is short-lived and limited to this app. */
export const CompileEnv = v.looseObject({
  appId: Id,
  taskId: Id,
  organizationId: Id,
  mode: v.picklist(['preview', 'live']),
  taskPipeline: v.unknown(),
  token: v.optional(v.string()),
});
export type CompileEnv = v.InferOutput<typeof CompileEnv>;

/** The `ENV` of an app’s preview and live pages. */
export const AppEnv = v.looseObject({
  appId: Id,
  organizationId: Id,
  mode: v.picklist(['preview', 'live']),
  /** The open screen. */
  pageId: v.nullable(Id),
  token: v.optional(v.string()),
});
export type AppEnv = v.InferOutput<typeof AppEnv>;

/** The response to `GET …/compile` without `html`. */
export const CompileResponse = v.looseObject({
  task: v.looseObject({ id: Id, name: v.string() }),
  pipeline: v.array(v.unknown()),
  scripts: v.array(v.string()),
});
export type CompileResponse = v.InferOutput<typeof CompileResponse>;
