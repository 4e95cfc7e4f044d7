/** Pauses in real DevTools whose tab or panel is closed, and two that are open at the same time. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../../lib/browser-driver/pages/debugger-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import {
  expectToRunAgain,
  FIRST_PAUSE,
  listedRun,
  PAUSED_ACTION,
  pausedRun,
  withBreakpoint,
} from '../../../support/paused-runs.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test('a tab that is closed while its run is paused leaves an interrupted run in the list', async () => {
  const { panel } = await pausedRun(bed, 'devtools');
  const run = await listedRun(panel);
  await panel.inspected.close();

  const next = await bed.panel({ action: PAUSED_ACTION });
  const debug = await withBreakpoint(next);
  await waitFor(
    'the interrupted run',
    async () => (await next.runs()).find(({ id }) => id === run.id)?.state === 'interrupted',
  );
  await expectToRunAgain(next, debug);
});

/** Makes long timers of a page short once it’s in a hurry. The agent keeps the page’s first timers. */
async function hurryable(page: Page): Promise<() => Promise<void>> {
  await page.evaluateOnNewDocument(() => {
    const real = setTimeout;
    const hurry = ((run: TimerHandler, milliseconds = 0, ...args: unknown[]) =>
      real(run, 'isInHurry' in globalThis && milliseconds > 1_000 ? 10 : milliseconds, ...args)) as typeof setTimeout;
    globalThis.setTimeout = hurry;
  });
  return () => page.evaluate(() => void Object.assign(globalThis, { isInHurry: true }));
}

test('a run that is paused when its panel is closed is resumed without pausing again, and the page’s console says so', async () => {
  const panel = await bed.panel({ action: PAUSED_ACTION });
  const page = panel.inspected;
  const hurry = await hurryable(page);
  const debug = await withBreakpoint(panel);
  await panel.start();
  expect(await debug.paused()).toBe(FIRST_PAUSE);
  const run = await listedRun(panel);
  const warnings: string[] = [];
  page.on('console', (line) => void (line.type() === 'warn' && warnings.push(line.text())));
  await panel.devtools.close();
  await hurry();
  await waitFor('the warning', () => warnings.length > 0);
  expect(warnings).toEqual([
    'Platform DevTools: the run was paused, but no panel has responded for 30 s. The run was resumed, and won’t pause again.',
  ]);

  const next = await bed.panelOf(page);
  await next.pipelineShown();
  await waitFor(
    'the end of the run',
    async () => (await next.runs()).find(({ id }) => id === run.id)?.state === 'completed',
  );
  await expectToRunAgain(next, new DebuggerPage(next));
});

test('two panels pause the same action in their tabs, and each controls only its own run', async () => {
  const one = await pausedRun(bed);
  const other = await pausedRun(bed);
  await other.debug.editContext('"notified": 0', '"notified": 100');
  await other.debug.removeAll();
  await other.debug.key('F8');
  expect(await other.panel.ended()).toBe('completed');
  await other.debug.tab('result');
  expect(JSON.parse(await other.panel.result())).toBe('105 of 40 people notified');

  expect(await one.debug.text()).toBe(FIRST_PAUSE);
  await one.panel.press('Skip step');
  expect(await one.debug.paused(FIRST_PAUSE)).toBe('Paused at if, iteration 2 breakpoint');
  await one.panel.press('Stop the run');
  expect(await one.panel.ended()).toBe('stopped');
});
