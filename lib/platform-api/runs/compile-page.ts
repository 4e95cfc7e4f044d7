/** The response of the debug page’s URL: its `ENV`, and the JSON form (decisions, "REST"). */
import * as v from 'valibot';

export * from './compile-url.ts';

const Id = v.pipe(v.number(), v.integer());

/** `ENV` of the page. `token` is short-lived and limited to this app. */
export const CompileEnv = v.looseObject({
  appId: Id,
  taskId: Id,
  organizationId: Id,
  mode: v.picklist(['preview', 'live']),
  taskPipeline: v.unknown(),
  token: v.optional(v.string()),
});
export type CompileEnv = v.InferOutput<typeof CompileEnv>;

/** What `ENV` holds in the preview and the live page of an app. */
export const AppEnv = v.looseObject({
  appId: Id,
  organizationId: Id,
  mode: v.picklist(['preview', 'live']),
  /** The screen that is open. */
  pageId: v.nullable(Id),
  token: v.optional(v.string()),
});
export type AppEnv = v.InferOutput<typeof AppEnv>;

/** `GET …/compile` without `html`. */
export const CompileResponse = v.looseObject({
  task: v.looseObject({ id: Id, name: v.string() }),
  pipeline: v.array(v.unknown()),
  scripts: v.array(v.string()),
});
export type CompileResponse = v.InferOutput<typeof CompileResponse>;
