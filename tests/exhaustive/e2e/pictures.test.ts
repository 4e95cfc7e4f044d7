/**
 * Takes pictures of every state of every surface, at every size, light and dark, and the README’s picture, and checks their
 * accessibility at every width in both themes.
 */
import { copyFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { picturePath } from '../../support/picture-path.ts';
import { HOSTILE_TOURS, TOURS } from '../../support/states/index.ts';
import { faultsOfTour } from '../../support/states/tour.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const README_PICTURE = resolve(import.meta.dirname, '../../../assets/pictures/failed-run.png');

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true, withoutDevTools: true });
  panel = await bed.panel({ in: 'page' });
});
afterAll(() => bed?.close());

test.each([...TOURS, ...HOSTILE_TOURS])('%s: each state is accessible at every size', async (_surface, visit) => {
  expect(await faultsOfTour(visit, { bed, panel, depth: 'thorough' })).toEqual([]);
});

test('a failed run fits in the picture of the README', async () => {
  const action = 'throws-on-bad-address';
  await panel.frame().evaluate(() => localStorage.clear());
  await panel.reload();
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
  expect(await panel.run()).toBe('failed');
  await panel.resize(1400);
  const failed = await waitFor('the failed step in view', () =>
    panel.frame().$('.timeline [data-failing][aria-selected=true]'),
  );
  expect(await failed.isIntersectingViewport()).toBe(true);
  expect((await panel.alert())?.text).toContain('lena.tanaka(at)northwind.example');
  const picture = picturePath('failed-run');
  await panel.picture(picture);
  if (process.env['UPDATE_PICTURES'] === '1') await copyFile(picture, README_PICTURE);
});
