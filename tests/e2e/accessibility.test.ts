/**
 * Visits views of every surface once, and checks their accessibility, and their layout, narrow and wide. Other states, the
 * views of debugging, comparisons, recordings, mocks, and reasons, and all widths and themes are up to the exhaustive tests
 * (`run/looks.test.ts` and `pictures.test.ts` there).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { TOURS } from '../support/states/index.ts';
import { faultsOfTour } from '../support/states/tour.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true, withoutDevTools: true });
  panel = await bed.panel({ in: 'page' });
});
afterAll(() => bed?.close());

test.each(TOURS)('%s: each view is accessible, and fits narrow and wide', async (_surface, visit) => {
  expect(await faultsOfTour(visit, { bed, panel, depth: 'brief' })).toEqual([]);
});
