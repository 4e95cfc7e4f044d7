/** Pauses whose page goes away, and two that are open at the same time. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { expectToRunAgain, FIRST_PAUSE, pausedRun } from '../../support/paused-runs.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test('a page that navigates away while its run is paused interrupts the run, the panel says so, and runs again', async () => {
  const { panel, debug } = await pausedRun(bed);
  await panel.inspected.goto(`${bed.platform.baseUrl}/nowhere`);
  await waitFor('the end of the run', async () => (await panel.runState()) === 'interrupted');
  expect(await debug.text()).toBeNull();
  await debug.tab('result');
  expect(await panel.alert()).toMatchObject({
    code: 'RUN_LOST',
    text: expect.stringContaining('The page navigated away'),
  });
  await expectToRunAgain(panel, debug);
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
