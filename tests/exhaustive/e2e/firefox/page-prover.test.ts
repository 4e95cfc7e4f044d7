/** Proves V3 code over Firefox’s `inspectedWindow.eval`, in a page that forbids all code but its own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openToolboxPanel, type ToolboxPanel } from '../../../../lib/browser-driver/firefox/toolbox.ts';
import { Evaluator } from '../../../../lib/extension/inspector/index.ts';
import { PROVER_KEY } from '../../../../lib/extension/inspector/migrate/protocol.ts';
import { PageProver } from '../../../../lib/extension/panel/migrate/page-prover.ts';
import { strengthOf } from '../../../../lib/migrate/index.ts';
import { builtProver } from '../../../support/agent-page.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { evaluateInPage } from '../../../support/firefox-evaluate.ts';
import { load, ORDERS, PIPELINE, taskOf } from '../../../support/proof-task.ts';
import { startStrictPages, type StrictPages } from '../../../support/servers/strict-pages.ts';

let pages: StrictPages;
let bed: FirefoxBed;
let panel: ToolboxPanel;
beforeAll(async () => {
  pages = await startStrictPages();
  bed = await startFirefoxBed();
  await bed.firefox.navigate(pages.url);
  panel = await openToolboxPanel(bed.firefox);
});
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

test('in Firefox, a page that forbids all code but its own proves a right translation, finds a wrong one, and has nothing of it afterward', async () => {
  const evaluator = new Evaluator({ eval: (expression) => evaluateInPage(panel, expression) });
  const evaluate = (expression: string): Promise<string> => evaluator.evaluate(expression);
  const page = { transport: { evaluate }, loadProver: builtProver };
  const prover = new PageProver(page, { isAllowed: (url) => url === pages.url });
  const task = await taskOf(PIPELINE, ORDERS, { orders: [] });

  const right = await prover.prove(task);
  expect(right).toMatchObject({ ok: true, value: { comparisons: [{ differences: [] }, { differences: [] }] } });
  const wrong = await prover.prove({ ...task, code: task.code.replace('Open orders', 'Closed orders') });
  expect(wrong).toMatchObject({ ok: true, value: { status: 'differs' } });
  const { code, recordings, dataSources } = task;
  const value = await strengthOf(code, { load, recordings, dataSources });
  expect(await prover.strength(task)).toEqual({ ok: true, value });

  expect(await evaluate(`'${PROVER_KEY}' in globalThis ? 'left' : 'gone'`)).toBe('gone');
});
