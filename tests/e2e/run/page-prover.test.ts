/** Proves V3 code in a page of a real Chromium that forbids all code but its own. */
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Evaluator } from '../../../lib/extension/inspector/index.ts';
import { PageProver } from '../../../lib/extension/panel/migrate/page-prover.ts';
import { strengthOf } from '../../../lib/migrate/index.ts';
import { builtProver } from '../../support/agent-page.ts';
import { load, ORDERS, PIPELINE, taskOf } from '../../support/proof-task.ts';
import { type StrictPages, startStrictPages } from '../../support/servers/strict-pages.ts';
import { sharedChromium } from '../../support/shared-chromium.ts';

let browser: Browser;
let pages: StrictPages;
let page: Page;
let prover: PageProver;

beforeAll(async () => {
  pages = await startStrictPages();
  ({ browser } = await sharedChromium());
});
afterAll(() => pages?.close());
afterEach(() => page?.close());

async function open(limits = {}): Promise<void> {
  page = await browser.newPage();
  await page.goto(pages.url);
  // Only DevTools’ own evaluation passes the page’s policy, as this one.
  const evaluator = new Evaluator({ eval: (expression) => page.evaluate(expression) }, limits);
  prover = new PageProver({
    transport: { evaluate: (expression) => evaluator.evaluate(expression) },
    loadProver: builtProver,
  });
}

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

test('code that never ends is reported with what to do', async () => {
  await open({ timeout: 1_000 });
  const task = await taskOf(PIPELINE, ORDERS);
  const code = task.code.replace(/^ *\/\/ \/1$/m, '$&\n  for (;;);');
  expect(await prover.prove({ ...task, code })).toMatchObject({ ok: false, error: { code: 'PAGE_BUSY' } });
});
