/** The App action resource: pipeline steps, triggers, and actions (specification, "App action (V2)"). */
import * as v from 'valibot';
import { Settings } from './functions/settings.ts';
import { PlainObject } from './plain-object.ts';

const Id = v.pipe(v.number(), v.integer());

/**
 * A block of an `if` step: a condition and the steps that run if it’s true. The condition is an expression, or a
 * function of the context if the pipeline is defined in code.
 */
export interface ConditionBlock {
  condition: string | ((context: Record<string, unknown>) => unknown);
  functions: PipelineStep[];
}

/** One step of a pipeline (specification, "Pipeline step"; decisions, "Pipelines"). */
export interface PipelineStep {
  type?: 'function' | 'loop' | 'if';
  /** A plain step’s package. `function` is an alias of `functionPackage`. */
  functionPackage?: string;
  function?: string;
  settings?: Record<string, unknown>;
  /** Nested steps of a plain step, or a loop’s body. */
  functions?: PipelineStep[];
  /** Loop: the name of an array in the context, or its path, such as `data.records` or `a[0].c`. */
  items?: string;
  /** Loop: a range that includes both ends. */
  range?: { from: number; to: number };
  /** If: checked in order. The first block whose condition is true runs. */
  conditions?: ConditionBlock[];
  /** If: runs if no condition is true. */
  elseFunctions?: PipelineStep[];
}
export type Pipeline = PipelineStep[];

export const Trigger = v.looseObject({
  trigger: v.picklist(['log', 'schedule', 'manual', 'analytics']),
  where: v.optional(PlainObject()),
});
export type Trigger = v.InferOutput<typeof Trigger>;

export const ActionEnvironment = v.picklist(['server', 'client', 'any']);
export type ActionEnvironment = v.InferOutput<typeof ActionEnvironment>;

/** An action’s published copy, which live apps, schedules, and log triggers use until the next publish. */
export const PublishedAction = v.looseObject({
  /** The name that live apps use. Absent if the platform doesn’t report it. */
  name: v.optional(v.string()),
  active: v.boolean(),
  frequency: v.nullish(v.string(), null),
  timezone: v.nullish(v.string(), null),
  environment: ActionEnvironment,
  triggers: v.array(Trigger),
  functions: v.array(v.unknown()),
  pageId: v.nullish(Id, null),
});
export type PublishedAction = v.InferOutput<typeof PublishedAction>;

/** An action with its working copy. This schema doesn’t validate the pipeline in `functions`; `lib/pipeline` does. */
export const Action = v.looseObject({
  ...PublishedAction.entries,
  id: Id,
  name: v.string(),
  lastRunAt: v.nullish(v.string(), null),
  nextRunAt: v.nullish(v.string(), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  appId: Id,
  /**
   * Not in the specification: the published copy, or null if the action isn’t published. All other fields belong to the
   * working copy.
   */
  published: v.optional(v.nullable(PublishedAction)),
  publishedAt: v.optional(v.nullable(v.string())),
  /**
   * Not in the specification: the fields whose changes aren’t live until the next publish. With `active`, an action that
   * was deactivated still runs in live apps, on its schedule, and for log records. Empty if the action isn’t published.
   */
  unpublishedChanges: v.optional(v.array(v.string())),
  /**
   * Not in the specification: incremented by every change. An update that specifies a revision is rejected if the
   * action has changed since.
   */
  revision: v.optional(Id),
});
export type Action = v.InferOutput<typeof Action>;
/** The response to creating, updating, or publishing an action. */
export const ActionResponse = v.looseObject({ action: Action });

/** A function package (specification, "Function descriptor"). */
export const FunctionDescriptor = v.looseObject({
  id: Id,
  name: v.string(),
  package: v.string(),
  description: v.string(),
  /** Not in the specification: what the package accepts in `settings`. Absent if the platform doesn’t say. */
  settings: v.fallback(v.optional(Settings), undefined),
});
export type FunctionDescriptor = v.InferOutput<typeof FunctionDescriptor>;
