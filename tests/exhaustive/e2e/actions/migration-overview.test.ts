/** The overview of an app’s migrations: canceled, filtered and saved, after an edit, and without runs or actions. */
import { expect, test } from 'vitest';
import { savedFile } from '../../../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import type { Action } from '../../../../lib/platform-api/index.ts';
import {
  ask,
  checkEnds,
  listed,
  openOverview,
  openTab,
  panel,
  ran,
  text,
  setUpOverview,
} from '../../../e2e/actions/migration-overview-bed.ts';
import { click } from '../../../../lib/browser-driver/pages/press.ts';

setUpOverview();

test('nothing is checked at first, and canceling keeps what is known by then', async () => {
  expect(new Set(Object.values(await listed()))).toEqual(new Set(['unchecked']));
  expect(await text('[data-migration-summary]')).toBe('9 not checked');
  await panel.press('Check all');
  await waitFor('two results', async () => (await ran()) >= 2);
  await waitFor('the next one', async () => /^[3-9] of 9: [\w-]+$/.test(await text('[data-check-progress]')));
  await panel.press('Cancel');
  await checkEnds();
  const known = await listed();
  expect(Object.values(known)).toContain('unchecked');
  await panel.reload();
  await openOverview();
  expect(await listed()).toEqual(known);
});

test('what is filtered and sorted is saved as CSV', async () => {
  await panel.press('Check all');
  await waitFor('the check', () => panel.frame().$('[data-check-progress]'));
  await checkEnds();
  await panel.frame().select('select[name=migration-status]', 'proved');
  await panel.frame().locator('control/Search migrations[role="searchbox"]').fill('n');
  await click(panel.frame(), '[role=columnheader] ::-p-text(Name)');
  await click(panel.frame(), '[role=columnheader] ::-p-text(Name)');
  expect(Object.keys(await listed())).toEqual(['number-range', 'notify-admins', 'check-out-at-midnight']);
  await panel.frame().locator('control/Search migrations[role="searchbox"]').fill('notify range');
  expect(await text('.empty')).toContain('No actions match these filters');
  await panel.frame().locator('control/Search migrations[role="searchbox"]').fill('n');
  const { name, text: csv } = await savedFile(panel.frame(), () => panel.press('Save CSV'));
  expect(name).toMatch(/^field-service-101-migration-\d{4}-\d\d-\d\d\.csv$/);
  const lines = csv.split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatch(/^\uFEFFname,id,status,coverage,/);
  expect(lines[1]).toMatch(/^number-range,\d+,Proved,2 of 2 branches ran,1,0,([1-9]\d*),\1,2/);
  expect(lines[2]).toMatch(/^notify-admins,\d+,Proved,\d of \d branches ran,2,/);
});

test('an action that was edited since counts as not checked', async () => {
  await panel.press('Clear filters');
  await ask('/number-range', 'PUT', { functions: [] });
  await openTab('All actions');
  await panel.press('Refresh');
  await openTab('Migration');
  await waitFor('the change', async () => (await listed())['number-range'] === 'changed');
  expect(await text('[data-migration-summary]')).toContain('1 not checked');
  await panel.press('Check number-range');
  await waitFor('the result', async () => (await listed())['number-range'] !== 'changed');
});

test('an app without recorded runs says how to get some', async () => {
  await panel.choose({ app: 'Visitor Desk' });
  await waitFor('its actions', async () => 'welcome-visitor' in (await listed()));
  await panel.press('Open debug page');
  await panel.press('Check all');
  await waitFor('the notice', () => panel.frame().$('[data-code=NO_RUNS]'));
  await checkEnds();
  expect(await text('[data-code=NO_RUNS]')).toContain('Record runs first.');
  await panel.choose({ environment: 'Local', app: 'Field Service' });
});

test('an app without actions says what would be here', async () => {
  const { actions } = await ask<{ actions: Action[] }>('');
  for (const { name } of actions) await ask(`/${name}`, 'DELETE');
  await openTab('All actions');
  await panel.press('Refresh');
  await openTab('Migration');
  await waitFor('the empty state', async () => (await text('.empty')).includes('No actions to migrate'));
});
