/** Waiting for a condition in a browser. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';

test('a check that hangs is repeated', async () => {
  let checks = 0;
  const found = await waitFor(
    'a value',
    () => (++checks === 1 ? new Promise<string>(() => undefined) : 'found'),
    60_000,
    10,
  );
  expect([found, checks]).toEqual(['found', 2]);
});

test('a condition that never becomes true is an error with the last reason', async () => {
  const check = (): never => {
    throw new Error('not yet');
  };
  await expect(waitFor('a value', check, 10)).rejects.toThrow('Waited 0.01 s for a value. Last error: not yet');
});
