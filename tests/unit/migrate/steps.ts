/** Builds the steps of pipelines. */
import type { PipelineStep } from '../../../lib/pipeline/index.ts';

/** A step with one of the platform’s packages. */
export const own = (name: string, settings: Record<string, unknown>, functions?: PipelineStep[]): PipelineStep => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
  ...(functions && { functions }),
});
export const say = (message: string): PipelineStep => own('return-string', { message });
export const set = (assign: Record<string, string>): PipelineStep => own('set-context', { assign });
/** A step with a user’s package. */
export const use = (
  name: string,
  settings: Record<string, unknown> = {},
  functions?: PipelineStep[],
): PipelineStep => ({
  functionPackage: name,
  settings,
  ...(functions && { functions }),
});
export const each = (items: string, ...functions: PipelineStep[]): PipelineStep => ({ type: 'loop', items, functions });
export const when = (condition: string, ...functions: PipelineStep[]): PipelineStep => ({
  type: 'if',
  conditions: [{ condition, functions }],
});
