/** Proves V3 code in a page of a real Chromium that forbids all code but its own. Long proofs are up to the exhaustive tests. */
import { expect, test } from 'vitest';
import { strengthOf } from '../../../lib/migrate/index.ts';
import { load, ORDERS, PIPELINE, taskOf } from '../../support/proof-task.ts';
import { open, page, prover, setUpPageProver } from './page-prover-bed.ts';

setUpPageProver();

test('a page that forbids all code but its own proves a right translation, and finds a wrong one', async () => {
  await open();
  const evaluates = `new Promise((resolve) => setTimeout(() => {
    try { resolve(new Function('return true')()) } catch { resolve(false) } }))`;
  expect(await page.evaluate(evaluates)).toBe(false);
  const task = await taskOf(PIPELINE, ORDERS, { orders: [] });
  const right = await prover.prove(task);
  expect(right).toMatchObject({ ok: true, value: { comparisons: [{ differences: [] }, { differences: [] }] } });
  const wrong = await prover.prove({ ...task, code: task.code.replace('Open orders', 'Closed orders') });
  expect(wrong).toMatchObject({ ok: true, value: { status: 'differs' } });
  const { code, recordings, dataSources } = task;
  const value = await strengthOf(code, { load, recordings, dataSources });
  expect(await prover.strength(task)).toEqual({ ok: true, value });
});

test('the page’s console has nothing of the code under proof, not even its rejections, and the page has nothing of it afterward', async () => {
  await open();
  const names = 'Object.getOwnPropertyNames(globalThis).sort().join()';
  const before = await page.evaluate(names);
  const reported: unknown[] = [];
  page.on('pageerror', (error) => reported.push(error));
  page.on('console', (message) => reported.push(message.text()));
  const task = await taskOf(PIPELINE, ORDERS);
  const unheard = "Promise.reject(new Error('unheard'));\n  Promise.reject();\n  console.log('unheard');";
  const code = task.code.replace(/^ *\/\/ \/1$/m, `  ${unheard}\n$&`);
  expect(await prover.prove({ ...task, code })).toMatchObject({ value: { comparisons: [{ differences: [] }] } });
  expect(await page.evaluate(names)).toBe(before);
  expect(reported).toEqual([]);
});

test('code that never ends is reported with what to do', async () => {
  await open({ timeout: 1_000 });
  const task = await taskOf(PIPELINE, ORDERS);
  const code = task.code.replace(/^ *\/\/ \/1$/m, '$&\n  for (;;);');
  expect(await prover.prove({ ...task, code })).toMatchObject({ ok: false, error: { code: 'PAGE_BUSY' } });
});
