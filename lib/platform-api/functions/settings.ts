/** Describes the settings of function packages, so that an editor can list, complete, and check them. */
import * as v from 'valibot';
import { SETTING_TYPES } from './own-settings.ts';

/** One setting. `type` is that of the value after {{expressions}} are filled in. */
export const Setting = v.looseObject({
  type: v.array(v.picklist(SETTING_TYPES)),
  description: v.string(),
  required: v.optional(v.boolean(), false),
  /** A required setting can be absent if this other one is set. */
  unless: v.optional(v.string()),
  /** Whether {{expressions}} in its strings are filled in from the context. */
  templates: v.optional(v.boolean(), false),
  /** Whether the string, or each value of the object, is an expression over the context. */
  expressions: v.optional(v.boolean(), false),
  minimum: v.optional(v.number()),
  maximum: v.optional(v.number()),
});
export type Setting = v.InferOutput<typeof Setting>;

/** All settings of a package, by name. */
export const Settings = v.record(v.string(), Setting);
export type Settings = v.InferOutput<typeof Settings>;
