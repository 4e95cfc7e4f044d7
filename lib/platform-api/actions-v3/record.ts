/** The App Actions V3 resource: an action whose program is code, its versions, and lists of it. */
import * as v from 'valibot';
import { ActionEnvironment, Trigger } from '../action.ts';
import { ActionRevision } from '../actions/revision.ts';

const Id = v.pipe(v.number(), v.integer());

/** A package that the platform has resolved: where it’s loaded from. */
export const AssetV3 = v.looseObject({ name: v.string(), url: v.string(), path: v.string() });
export type AssetV3 = v.InferOutput<typeof AssetV3>;

/** What a version stores: everything that callers can set. */
const content = {
  name: v.string(),
  code: v.string(),
  description: v.nullish(v.string(), null),
  active: v.boolean(),
  environment: ActionEnvironment,
  triggers: v.array(Trigger),
  dependencies: v.optional(v.array(v.string()), []),
  frequency: v.nullish(v.string(), null),
  timezone: v.nullish(v.string(), null),
};
export const ActionV3Content = v.looseObject(content);
export type ActionV3Content = v.InferOutput<typeof ActionV3Content>;

export const ActionV3 = v.looseObject({
  ...content,
  id: Id,
  appId: Id,
  assets: v.optional(v.array(AssetV3), []),
  actionVersion: v.literal('v3'),
  lastRunAt: v.nullish(v.string(), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  /** Ours: null if the action has no production copy. */
  publishedAt: v.optional(v.nullable(v.string())),
  /** Ours: incremented by every change to the master copy. */
  revision: v.optional(Id),
});
export type ActionV3 = v.InferOutput<typeof ActionV3>;

export const ActionV3Response = v.looseObject({ action: ActionV3 });
export const ActionV3List = v.looseObject({
  actions: v.array(ActionV3),
  pagination: v.looseObject({ total: v.number(), hasMore: v.boolean() }),
});
export type ActionV3List = v.InferOutput<typeof ActionV3List>;

/** A version of a master copy. `id` is the number that restores it. */
export const VersionV3 = v.looseObject({ ...v.omit(ActionRevision, ['revision']).entries, id: Id });
export type VersionV3 = v.InferOutput<typeof VersionV3>;
export const VersionV3List = v.looseObject({ versions: v.array(VersionV3) });
/** A version with its content. */
export const VersionV3Response = v.looseObject({
  version: v.looseObject({ ...VersionV3.entries, action: ActionV3Content }),
});
