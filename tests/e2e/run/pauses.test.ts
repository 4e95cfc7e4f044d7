/** A pause whose page goes away. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { expectToRunAgain, pausedRun } from '../../support/paused-runs.ts';
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
