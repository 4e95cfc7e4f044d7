/** A long proof in a page of a real Chromium. */
import { expect, test } from 'vitest';
import { open, page, prover, setUpPageProver } from '../../../e2e/run/page-prover-bed.ts';
import { PIPELINE, taskOf } from '../../../support/proof-task.ts';

setUpPageProver();

test('a long proof never keeps the page busy for long, as the page’s own timers see it', async () => {
  await open();
  const orders = Array.from({ length: 30_000 }, (_, price) => ({ state: 'open', price }));
  const task = await taskOf(PIPELINE, { orders });
  await page.evaluate(`ticks = 0; (function tick() { ticks++; setTimeout(tick); })()`);
  const ticks: Promise<unknown>[] = [];
  const proof = await prover.prove(task, { onProgress: () => ticks.push(page.evaluate('ticks')) });
  expect(proof).toMatchObject({ ok: true });
  const [before, after] = (await Promise.all(ticks)) as number[];
  expect(ticks).toHaveLength(2);
  expect(Number(after) - Number(before)).toBeGreaterThan(5);
});
