/** The overview of an app’s migrations in a real browser: checks all actions, and shows, filters, saves, and keeps results. */
import { expect, test } from 'vitest';
import { savedFile } from '../../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { ask, checkEnds, listed, openTab, panel, text, setUpOverview } from './migration-overview-bed.ts';

setUpOverview();

/** As in the table of all demo actions, as far as they have runs. The worst is first. */
const STATUSES = {
  'count-open-visits': 'needs-person',
  'never-ends': 'unproved',
  'never-settles': 'unproved',
  'weekly-report': 'unproved',
  'throws-on-bad-address': 'faithful',
  'one-of-each-step': 'equal-so-far',
  'check-out-at-midnight': 'proved',
  'notify-admins': 'proved',
  'number-range': 'proved',
};

test('checks all actions, as the command line does, and lists the worst first', async () => {
  await panel.press('Check all');
  await waitFor('the check', () => panel.frame().$('[data-check-progress]'));
  await checkEnds();
  expect(Object.entries(await listed())).toEqual(Object.entries(STATUSES));
  expect(await text('[data-migration-summary]')).toBe(
    '3 proved, 1 equal so far, 1 faithful, 3 not proved, 1 needs a person',
  );
});

test('what is filtered and sorted is saved as CSV', async () => {
  await panel.frame().select('select[name=migration-status]', 'proved');
  await panel.frame().locator('control/Search migrations[role="searchbox"]').fill('n');
  await panel.frame().locator('[role=columnheader] ::-p-text(Name)').click();
  await panel.frame().locator('[role=columnheader] ::-p-text(Name)').click();
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

test('a click and Enter open the action, whose proof is the row’s result', async () => {
  await panel.resize(1200);
  await panel.frame().locator('[data-migrations] [role=row][data-row-status] ::-p-text(notify-admins)').click();
  await waitFor('the view', () => panel.frame().$('[aria-label="Migrate notify-admins to V3"]'));
  await panel.press('Back');
  await waitFor('the table', () => panel.frame().$('[data-migrations]'));
  const focused = (): Promise<string> =>
    panel
      .frame()
      .evaluate(
        () => document.activeElement?.closest('[role=row]')?.querySelector('[role=gridcell]')?.textContent ?? '',
      );
  await waitFor('the focus on the row', async () => (await focused()) === 'notify-admins');
  await panel.devtools.keyboard.press('ArrowDown');
  await waitFor('the focus on the next row', async () => (await focused()) === 'check-out-at-midnight');
  await panel.devtools.keyboard.press('Enter');
  await waitFor('the view', () => panel.frame().$('[aria-label="Migrate check-out-at-midnight to V3"]'));
  await panel.press('Back');
});

test('an action that was edited since counts as not checked', async () => {
  await panel.press('Clear filters');
  await ask('PUT', '/number-range', { functions: [] });
  await openTab('All actions');
  await panel.press('Refresh');
  await openTab('Migration');
  await waitFor('the change', async () => (await listed())['number-range'] === 'changed');
  expect(await text('[data-migration-summary]')).toContain('1 not checked');
  await panel.press('Check number-range');
  await waitFor('the result', async () => (await listed())['number-range'] !== 'changed');
});
