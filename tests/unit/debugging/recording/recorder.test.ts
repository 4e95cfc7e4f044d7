import { expect, test } from 'vitest';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { record } from '../record.ts';

test('steps that end with the step inside of them end at the same time', async () => {
  let time = 0;
  const pipeline: Pipeline = [{ type: 'if', conditions: [{ condition: 'true', functions: [{ function: 'wait' }] }] }];
  const { recording } = await record(
    [...pipeline, { function: 'wait' }],
    { wait: () => undefined },
    { recorder: { now: () => time++ } },
  );
  expect(recording.steps.map(({ at, milliseconds }) => [at, at + milliseconds])).toEqual([
    [1, 3],
    [2, 3],
    [4, 5],
  ]);
});
