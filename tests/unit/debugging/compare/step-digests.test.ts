import { expect, it } from 'vitest';
import { digestSteps } from '../../../../lib/debugging/compare/step-digests.ts';
import { doubledValue } from '../doubled-value.ts';

it('what a step changed is unknown if it’s endless, because it has the same object many times', async () => {
  const digests = await digestSteps(doubledValue(100), new Set([2, 99]));
  expect(digests.get(2)!.changes.get('/value')).toEqual(expect.any(Number));
  expect(digests.get(99)!.changes.get('/value')).toBeNull();
});
