/** Owns the door of the engine: check a pipeline, compile a condition, run a pipeline (decisions, "Pipelines"). */
import type { PipelineFunction, Problem, RunOptions } from './types.ts';
import { describeThrown, describeValue, isPipelineError, pipelineError } from './errors.ts';
import { readPipeline } from './read.ts';
import { Run } from './run.ts';

export type * from './types.ts';
export { type Condition, compileCondition } from './condition/compile.ts';
export { ConditionError, isPipelineError, pipelineError } from './errors.ts';

/**
 * Every reason why a pipeline would be refused, in the order of the pipeline; none when it can run. Never throws, whatever it is given.
 * With `packages` (names, or anything that has them, such as a registry) a step of another package is a problem too.
 */
export function validatePipeline(
  pipeline: unknown,
  options: { packages?: Iterable<string> | { has(name: string): boolean } } = {},
): Problem[] {
  const { packages } = options;
  const known = packages === undefined || 'has' in packages ? packages : new Set(packages);
  const found = (): undefined => undefined;
  return readPipeline(pipeline, (name) => (known === undefined || known.has(name) ? found : undefined)).problems;
}

/**
 * Runs a pipeline and answers its result: the last value other than undefined that a function returned.
 *
 * Functions that answer at once are not awaited; yet the event loop gets a turn about every 10 ms. Settings are read once and
 * copied for each call; a loop goes over as many items as there were when it began. A failed run leaves the context as it was
 * when it failed.
 * Rejects with a `PipelineError`: `PAYLOAD_INVALID`, `PIPELINE_INVALID` (before anything ran), `STEP_FAILED`,
 * `LOOP_ITEMS_INVALID`, `CONDITION_FAILED` or `ABORTED`.
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
        `The pipeline cannot run: ${problem.path || 'the whole'}: ${problem.message}${others}`,
        { path: problem.path, problems },
      );
    }
    new Run(first, context, options, resolve, reject).start();
  });
}

function copyPayload(payload: unknown): Record<string, unknown> {
  try {
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
      throw pipelineError('PAYLOAD_INVALID', `The payload must be an object; it is ${describeValue(payload)}.`);
    // Spreading makes own properties of all keys, also of one named __proto__.
    return { ...payload };
  } catch (thrown) {
    if (isPipelineError(thrown)) throw thrown;
    throw pipelineError('PAYLOAD_INVALID', `The payload cannot be read: ${describeThrown(thrown)}`, { cause: thrown });
  }
}
