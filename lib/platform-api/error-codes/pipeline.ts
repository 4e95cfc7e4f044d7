/** Error codes of the pipeline engine. */
import type { ErrorText } from './error-text.ts';

export const PIPELINE_ERRORS: Record<string, ErrorText> = {
  PAYLOAD_INVALID: { meaning: 'The payload isn’t a JSON object.', fix: 'Pass a JSON object.' },
  PIPELINE_INVALID: {
    meaning: 'The pipeline has errors. Each is listed with its path.',
    fix: 'Correct the listed steps.',
  },
  NOT_AN_ARRAY: { meaning: 'A list of steps isn’t an array.', fix: 'Use an array of steps.' },
  NOT_AN_OBJECT: { meaning: 'A step, block, or settings value isn’t an object.', fix: 'Use a JSON object.' },
  CYCLE: { meaning: 'The pipeline contains itself.', fix: 'Remove the reference to the outer steps.' },
  TOO_DEEP: { meaning: 'The pipeline is nested too deeply.', fix: 'Reduce the nesting.' },
  TOO_LARGE: { meaning: 'The pipeline has too many steps.', fix: 'Split the pipeline.' },
  INVALID_FIELD: {
    meaning: 'A field of a step has an invalid value, or doesn’t belong to its type.',
    fix: 'Correct the field, or the type.',
  },
  INVALID_SETTINGS: {
    meaning: 'The settings of a step aren’t plain JSON data.',
    fix: 'Use plain JSON data in settings.',
  },
  INVALID_ITEMS: {
    meaning: '`items` isn’t a property name or path.',
    fix: 'Enter the name of an array in the context.',
  },
  INVALID_RANGE: {
    meaning: '`range` isn’t an object with only two safe integers, `from` and `to`.',
    fix: 'Enter whole numbers for `from` and `to`.',
  },
  LOOP_SOURCE: { meaning: 'A loop has both `items` and `range`, or neither.', fix: 'Use either `items` or `range`.' },
  LOOP_ITEMS_INVALID: {
    meaning: 'A loop’s `items` didn’t refer to an array during the run.',
    fix: 'Check what the previous steps put into the context.',
  },
  MISSING_PACKAGE: { meaning: 'A step doesn’t name a function package.', fix: 'Add functionPackage, or a type.' },
  UNKNOWN_PACKAGE: {
    meaning: 'The function package isn’t registered.',
    fix: 'Check the package name, and make sure that its script is loaded.',
  },
  UNKNOWN_TYPE: { meaning: 'The step’s type is unknown.', fix: 'Use function, loop, or if.' },
  INVALID_CONDITION: { meaning: 'A condition has a syntax error.', fix: 'Correct the condition at the column shown.' },
  CONDITION_FAILED: {
    meaning: 'A condition failed during evaluation.',
    fix: 'Check that every value that the condition reads exists.',
  },
  STEP_FAILED: {
    meaning: 'A step’s function failed.',
    fix: 'Check the function’s error and the step’s settings.',
  },
  ABORTED: { meaning: 'The run was stopped.', fix: 'Run the pipeline again.' },
};
