/** Every view of a run at every width, light and dark: accessibility, overflow, and pictures. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { RUN_TOURS } from '../../../support/states/index.ts';
import { faultsOfTour } from '../../../support/states/tour.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  panel = await bed.panel({ in: 'page' });
});
afterAll(() => bed?.close());

test.each(RUN_TOURS)('%s: each state is accessible at every size', async (_surface, visit) => {
  expect(await faultsOfTour(visit, { bed, panel, depth: 'thorough' })).toEqual([]);
});
