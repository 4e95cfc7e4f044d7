/** Works through long lists without blocking what is more urgent. */
import { expect, it } from 'vitest';
import { mapInBackground } from '../../../../../lib/extension/panel/shared/pauses.ts';

/** More work than fits into a slice. */
function work(): number {
  const until = performance.now() + 50;
  let rounds = 0;
  while (performance.now() < until) rounds++;
  return rounds;
}

it('a long list is changed in order, and what is more urgent runs before its end', async () => {
  const items = Array.from({ length: 1_000 }, (_, index) => index);
  const changed: number[] = [];
  let urgent: number | undefined;
  setTimeout(() => (urgent = changed.length));
  const mapped = await mapInBackground(items, (item) => {
    if (item === 500) work();
    return changed.push(item);
  });
  expect(mapped).toEqual(items.map((item) => item + 1));
  expect(urgent).toBeLessThan(items.length);
});
