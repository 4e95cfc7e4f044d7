/** Pauses whose page or panel goes away, and two that are open at the same time. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../lib/browser-driver/pages/debugger-page.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const IF = '/2/functions/0';
const FIRST = 'Paused at if, iteration 1 breakpoint';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** Opens the action in the panel’s tab, with a breakpoint in its loop. */
async function open(panel: PanelPage): Promise<DebuggerPage> {
  const debug = new DebuggerPage(panel);
  await panel.choose({
    environment: 'Local',
    app: findAction(bed.platform, 'notify-admins').app,
    action: 'notify-admins',
  });
  await panel.open();
  await debug.removeAll();
  await debug.toggle(IF);
  await waitFor('the breakpoint', async () => (await debug.breakpoints())[IF] === 'plain');
  return debug;
}

async function paused(place: 'devtools' | 'page' = 'page') {
  const panel = await bed.panel({ in: place });
  const debug = await open(panel);
  await panel.start();
  expect(await debug.paused()).toBe(FIRST);
  return { panel, debug };
}

/** The paused run in the list, which has it once it’s stored. */
const listed = (panel: PanelPage) =>
  waitFor('the run in the list', async () => (await panel.runs()).find(({ state }) => state === 'running'));

/** Runs the action again, without its breakpoint. */
async function expectUsable(panel: PanelPage, debug: DebuggerPage): Promise<void> {
  await panel.open();
  await waitFor('the breakpoint', async () => (await debug.breakpoints())[IF] === 'plain');
  await debug.removeAll();
  expect(await panel.run()).toBe('completed');
}

test('a page that navigates away while its run is paused interrupts the run, the panel says so, and runs again', async () => {
  const { panel, debug } = await paused('devtools');
  await panel.inspected.goto(`${bed.platform.baseUrl}/nowhere`);
  await waitFor('the end of the run', async () => (await panel.runState()) === 'interrupted');
  expect(await debug.text()).toBeNull();
  await debug.tab('result');
  expect(await panel.alert()).toMatchObject({
    code: 'RUN_LOST',
    text: expect.stringContaining('The page navigated away'),
  });
  await expectUsable(panel, debug);
});

test('a tab that is closed while its run is paused leaves an interrupted run in the list', async () => {
  const { panel } = await paused();
  const run = await listed(panel);
  await panel.inspected.close();

  const next = await bed.panel({ in: 'page' });
  const debug = await open(next);
  await waitFor(
    'the interrupted run',
    async () => (await next.runs()).find(({ id }) => id === run.id)?.state === 'interrupted',
  );
  await expectUsable(next, debug);
});

test('two panels pause the same action in their tabs, and each controls only its own run', async () => {
  const one = await paused();
  const other = await paused();
  await other.debug.editContext('"notified": 0', '"notified": 100');
  await other.debug.removeAll();
  await other.debug.key('F8');
  expect(await other.panel.ended()).toBe('completed');
  await other.debug.tab('result');
  expect(JSON.parse(await other.panel.result())).toBe('105 of 40 people notified');

  expect(await one.debug.text()).toBe(FIRST);
  await one.panel.press('Skip step');
  expect(await one.debug.paused(FIRST)).toBe('Paused at if, iteration 2 breakpoint');
  await one.panel.press('Stop the run');
  expect(await one.panel.ended()).toBe('stopped');
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
  const panel = await bed.panel();
  const page = panel.inspected;
  const hurry = await hurryable(page);
  const debug = await open(panel);
  await panel.start();
  expect(await debug.paused()).toBe(FIRST);
  const run = await listed(panel);
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
  await expectUsable(next, new DebuggerPage(next));
});
