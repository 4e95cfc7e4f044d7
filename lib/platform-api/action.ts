/** The App action resource: pipeline steps, triggers, and actions (specification, "App action (V2)"). */
import * as v from 'valibot';
import { PlainObject } from './plain-object.ts';

const Id = v.pipe(v.number(), v.integer());

/** A block of an `if` step: a condition (an expression, or in code a function of the context) and its steps. */
export interface ConditionBlock {
  condition: string | ((context: Record<string, unknown>) => unknown);
  functions: PipelineStep[];
}

/** One step of a pipeline (specification, "Pipeline step"; decisions, "Pipelines"). */
export interface PipelineStep {
  type?: 'function' | 'loop' | 'if';
  /** Package of a plain step; `function` is the same as `functionPackage`. */
  functionPackage?: string;
  function?: string;
  settings?: Record<string, unknown>;
  /** Nested steps: of a plain step, or the body of a loop. */
  functions?: PipelineStep[];
  /** Loop: a property name or dotted path of an array in the context. */
  items?: string;
  /** Loop: both ends included. */
  range?: { from: number; to: number };
  /** If: tried in order. The first block whose condition is true runs. */
  conditions?: ConditionBlock[];
  /** If: run when no condition is true. */
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

/** The published copy of an action: live apps, schedules, and log triggers use it until the next publish. */
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

/** An action with its working copy. `lib/pipeline` validates the pipeline in `functions`, not this schema. */
export const Action = v.looseObject({
  ...PublishedAction.entries,
  id: Id,
  name: v.string(),
  lastRunAt: v.nullish(v.string(), null),
  nextRunAt: v.nullish(v.string(), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  appId: Id,
  /** Additive: the published copy; null while unpublished. The other fields are the working copy. */
  published: v.optional(v.nullable(PublishedAction)),
  publishedAt: v.optional(v.nullable(v.string())),
  /** Additive: incremented by every change. An update that names it is refused if the action has changed since. */
  revision: v.optional(Id),
});
export type Action = v.InferOutput<typeof Action>;
export const ActionList = v.looseObject({ actions: v.array(Action) });
/** The response of creating, updating, and publishing. */
export const ActionResponse = v.looseObject({ action: Action });

/** A function package (specification, "Function descriptor"). */
export const FunctionDescriptor = v.looseObject({
  id: Id,
  name: v.string(),
  package: v.string(),
  description: v.string(),
});
export type FunctionDescriptor = v.InferOutput<typeof FunctionDescriptor>;
export const FunctionList = v.looseObject({ functions: v.array(FunctionDescriptor) });
