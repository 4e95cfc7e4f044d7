/** The App action resource: pipeline steps, triggers, and actions (specification, "App action (V2)"). */
import * as v from 'valibot';
import { PlainObject } from './plain-object.ts';

const Id = v.pipe(v.number(), v.integer());

/** `if` block: an expression, or in code a function of the context, and the steps that run when it holds. */
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
  /** If: tried in order; the first that holds runs. */
  conditions?: ConditionBlock[];
  /** If: run when no condition held. */
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

/** What publishing an action fixes: live apps, schedules and log triggers use it until the next publish. */
export const PublishedAction = v.looseObject({
  /** What live apps call it by; absent where a platform does not tell. */
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

/** One action, its working copy beside what is known of it; `functions` is the pipeline, which `lib/pipeline` validates, not this schema. */
export const Action = v.looseObject({
  ...PublishedAction.entries,
  id: Id,
  name: v.string(),
  lastRunAt: v.nullish(v.string(), null),
  nextRunAt: v.nullish(v.string(), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  appId: Id,
  /** Additive: the published copy, null while unpublished; the other fields are the working copy. */
  published: v.optional(v.nullable(PublishedAction)),
  publishedAt: v.optional(v.nullable(v.string())),
  /** Additive: raised by every change; an update that names it is refused when the action has changed since. */
  revision: v.optional(Id),
});
export type Action = v.InferOutput<typeof Action>;
export const ActionList = v.looseObject({ actions: v.array(Action) });
/** What creating, changing and publishing answer. */
export const ActionAnswer = v.looseObject({ action: Action });

/** One function package that a pipeline can name (specification, "Function descriptor"). */
export const FunctionDescriptor = v.looseObject({
  id: Id,
  name: v.string(),
  package: v.string(),
  description: v.string(),
});
export type FunctionDescriptor = v.InferOutput<typeof FunctionDescriptor>;
export const FunctionList = v.looseObject({ functions: v.array(FunctionDescriptor) });
