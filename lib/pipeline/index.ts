/** Validates and runs pipelines, and compiles conditions. */
import type { PipelineFunction, Problem, RunOptions } from './types.ts';
import { describeThrown, describeValue, isPipelineError, pipelineError } from './errors.ts';
import { readPipeline } from './read.ts';
import { Run } from './run.ts';

export type * from './types.ts';
export { type Condition, compileCondition } from './condition/compile.ts';
export { explainCondition, type Explanation } from './condition/explain.ts';
export { fill, type FillOptions, toText } from './fill.ts';
export { expressionsIn, type TemplatePart, templateParts } from './templates.ts';
export { ConditionError, isPipelineError, pipelineError } from './errors.ts';

/**
 * Returns all problems that make a pipeline invalid, in the order of its steps. Never throws.
 * @param options.packages names of function packages, or a registry. A step that uses any other package is also
 * reported as a problem.
 */
export function validatePipeline(
  pipeline: unknown,
  options: { packages?: Iterable<string> | { has(name: string): boolean } } = {},
): Problem[] {
  const { packages } = options;
  const known = packages === undefined || 'has' in packages ? packages : new Set(packages);
  const noop = (): undefined => undefined;
  return readPipeline(pipeline, (name) => (known === undefined || known.has(name) ? noop : undefined)).problems;
}

/**
 * Runs a pipeline. Resolves with the last value other than undefined that a function returned.
 *
 * Awaits a function only if it returns a Promise, and yields to the event loop about every 10 ms. Rejects with a
 * `PipelineError`: `PAYLOAD_INVALID`, `PIPELINE_INVALID` (before anything runs), `STEP_FAILED`, `LOOP_ITEMS_INVALID`,
 * `CONDITION_FAILED`, or `ABORTED`.
 */
export function runPipeline(pipeline: unknown, options: RunOptions): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { payload = {}, functions } = options;
    const context = copyPayload(payload);
    const { first, problems } = readPipeline(pipeline, (name): PipelineFunction | undefined => functions.get(name));
    const problem = problems[0];
    if (problem) {
      const others = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
      throw pipelineError(
        'PIPELINE_INVALID',
        `Couldn’t run the pipeline: ${problem.path && `${problem.path}: `}${problem.message}${others}`,
        { path: problem.path, problems },
      );
    }
    new Run(first, context, options, resolve, reject).start();
  });
}

function copyPayload(payload: unknown): Record<string, unknown> {
  try {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      throw pipelineError('PAYLOAD_INVALID', `The payload must be an object. This one is ${describeValue(payload)}.`);
    // Spreading makes all keys own properties, even `__proto__`.
    return { ...payload };
  } catch (thrown) {
    if (isPipelineError(thrown)) throw thrown;
    throw pipelineError('PAYLOAD_INVALID', `Couldn’t read the payload: ${describeThrown(thrown)}`, { cause: thrown });
  }
}
