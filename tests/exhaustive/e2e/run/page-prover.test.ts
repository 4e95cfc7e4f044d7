/** Proofs in a page of a real Chromium: a long one, and those that another page tries to read. */
import { expect, test } from 'vitest';
import { PROVER_KEY } from '../../../../lib/extension/inspector/migrate/protocol.ts';
import { PageProver } from '../../../../lib/extension/panel/migrate/page-prover.ts';
import { open, page, prover, setUpPageProver } from '../../../e2e/run/page-prover-bed.ts';
import { builtProver } from '../../../support/agent-page.ts';
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

/** Has a prover of its own, reads the source of its caller, and tries to be at another URL. */
const HOSTILE = `heard = []; Object.defineProperty(globalThis, ${JSON.stringify(PROVER_KEY)}, {
    get: function f() { heard.push(String(f.caller)); return { session: 'x', replaced: () => '', put: (piece) => heard.push(piece) } } });
  for (const [holder, name] of [[globalThis, 'location'], [location, 'href'], [location, 'origin'], [location, 'pathname']])
    try { Object.defineProperty(holder, name, { get: () => 'http://127.0.0.1/' }) } catch { heard.push('refused') }
  heard.push(...Object.getOwnPropertyNames(Location.prototype)); ''`;

test.each([0, 2, 4])(
  'a page that the tab goes to after %i evaluations gets nothing, whatever it does to its location',
  async (before) => {
    await open();
    const [allowed, elsewhere] = [page.url(), `${page.url()}elsewhere`];
    let count = 0;
    const evaluate = async (expression: string): Promise<string> => {
      if (count++ === before) {
        await page.goto(elsewhere);
        await page.evaluate(HOSTILE);
      }
      return (await page.evaluate(expression)) as string;
    };
    const left = new PageProver(
      { transport: { evaluate }, loadProver: builtProver },
      { isAllowed: (url) => url === allowed },
    );
    const result = await left.prove(await taskOf(PIPELINE, { orders: [], mark: 'a secret' }));
    expect(result).toMatchObject({ error: { code: before === 0 ? 'APP_PAGE_MISSING' : 'PAGE_LEFT' } });
    expect(await page.evaluate('heard.join()')).toBe('refused,refused,refused,refused,constructor');
  },
);
