/** Uses the types of the engine as a project that installs it would. */
import {
  compileCondition,
  isPipelineError,
  type PipelineStep,
  type Problem,
  runPipeline,
  validatePipeline,
} from '@platform-devtools/pipeline';

const step: PipelineStep = { type: 'loop', range: { from: 1, to: 3 }, functions: [{ function: 'a' }] };
const problems: Problem[] = validatePipeline([step]);
const result: Promise<unknown> = runPipeline([step], { functions: new Map() });
result.catch((error: unknown) => isPipelineError(error) && (error.code satisfies string));
compileCondition('a')({ a: problems }) satisfies unknown;
// @ts-expect-error a misspelled type
export const wrong: PipelineStep = { type: 'lop' };
// @ts-expect-error functions are required
export const incomplete = (): unknown => runPipeline([wrong], {});
// @ts-expect-error a condition is a string
export const notString = (): unknown => compileCondition(7);
