/** The overview of an app’s migrations when a check is canceled, and without runs or actions. */
import { expect, test } from 'vitest';
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

setUpOverview();

test('nothing is checked at first, and canceling keeps what is known by then', async () => {
  expect(new Set(Object.values(await listed()))).toEqual(new Set(['unchecked']));
  expect(await text('[data-migration-summary]')).toBe('9 not checked');
  await panel.press('Check all');
  await waitFor('two results', async () => (await ran()) >= 2);
  expect(await text('[data-check-progress]')).toMatch(/^[3-9] of 9: [\w-]+$/);
  await panel.press('Cancel');
  await checkEnds();
  const known = await listed();
  expect(Object.values(known)).toContain('unchecked');
  await panel.reload();
  await openOverview();
  expect(await listed()).toEqual(known);
});

test('an app without recorded runs says how to get some', async () => {
  await panel.choose({ app: 'Visitor Desk' });
  await waitFor('its actions', async () => 'welcome-visitor' in (await listed()));
  await panel.press('Check all');
  await waitFor('the notice', () => panel.frame().$('[data-code=NO_RUNS]'));
  await checkEnds();
  expect(await text('[data-code=NO_RUNS]')).toContain('Record runs first.');
  await panel.choose({ environment: 'Local', app: 'Field Service' });
});

test('an app without actions says what would be here', async () => {
  const { actions } = await ask<{ actions: Action[] }>('GET', '');
  for (const { name } of actions) await ask('DELETE', `/${name}`);
  await openTab('All actions');
  await panel.press('Refresh');
  await openTab('Migration');
  await waitFor('the empty state', async () => (await text('.empty')).includes('No actions to migrate'));
});
