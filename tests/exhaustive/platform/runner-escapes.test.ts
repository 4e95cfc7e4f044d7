/** Each known way out of a run, in a run of its own, and the end of the stack with any amount of it left. */
import { afterAll, expect, it } from 'vitest';
import { atTheEndOfTheStack, CALLS, DESCRIBE, ESCAPES, NO_ESCAPE } from '../../platform/support/escapes.ts';
import { result, testRunner } from '../../platform/support/runner.ts';

const runner = testRunner({ spare: 1 });
afterAll(() => runner.close());

it.each(ESCAPES)('code in the context can’t reach Node with %s', async (expression) => {
  const { outcome } = await runner.code(`return (${DESCRIBE})(await (${expression}));`);
  const found =
    outcome.state === 'completed'
      ? String(outcome.result)
      : `${outcome.failure.errorType}: ${outcome.failure.errorMessage}`;
  expect(found).toMatch(NO_ESCAPE);
  expect(found).not.toMatch(/ESCAPED/);
});

it.each(CALLS)('nothing of Node’s own realm enters when the stack ends in %s', async (call) => {
  const counts = Array.from({ length: 24 }, (_, count) => count);
  expect(result(await runner.code(atTheEndOfTheStack(call, counts)))).toEqual([]);
});
