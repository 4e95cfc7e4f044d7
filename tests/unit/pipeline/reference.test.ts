/** Compares runs of generated pipelines with a simple reference interpreter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PipelineError, runPipeline, validatePipeline } from '../../../lib/pipeline/index.ts';
import { functions, payload, pipeline } from './random-pipelines.ts';
import { type ReferenceFailure, reference } from './reference.ts';

test('a generated pipeline has the result, failure, and steps of the reference, and isn’t changed', async () => {
  const ends = { completed: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(pipeline, payload, fc.boolean(), async (steps, given, observed) => {
      const untouched = structuredClone(steps);
      expect(validatePipeline(steps, { packages: Object.keys(functions) })).toEqual([]);
      const expected: string[] = [];
      const wanted = await reference(steps, functions, structuredClone(given), expected).then(
        (value) => ({ value }),
        ({ path, iteration }: ReferenceFailure) => ({ path, iteration }),
      );
      const actual: string[] = [];
      const observer = {
        before: ({ path, iteration }: { path: string; iteration: readonly number[] }) =>
          void actual.push(`> ${path} ${iteration.join('.')}`),
        after: ({ path, iteration }: { path: string; iteration: readonly number[] }, { state }: { state: string }) =>
          void actual.push(`< ${path} ${iteration.join('.')} ${state}`),
      };
      const got = await runPipeline(steps, {
        functions: new Map(Object.entries(functions)),
        payload: structuredClone(given),
        ...(observed && { observer }),
      }).then(
        (value) => ({ value }),
        ({ path, iteration }: PipelineError) => ({ path, iteration }),
      );
      expect(got).toEqual(wanted);
      if (observed) expect(actual).toEqual(expected);
      expect(steps).toEqual(untouched);
      ends['value' in wanted ? 'completed' : 'failed']++;
    }),
    { numRuns: 1000 },
  );
  // Both kinds occurred.
  expect(ends.completed).toBeGreaterThan(100);
  expect(ends.failed).toBeGreaterThan(100);
}, 60_000);
