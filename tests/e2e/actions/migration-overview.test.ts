/** The overview of an app’s migrations in a real browser: checks all actions, shows their results, and opens them. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { checkEnds, listed, panel, setUpOverview, STATUSES, text } from './migration-overview-bed.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

setUpOverview();

test('checks all actions, as the command line does, and lists the worst first', async () => {
  await panel.press('Check all');
  await waitFor('the check', () => panel.frame().$('[data-check-progress]'));
  await checkEnds();
  expect(Object.entries(await listed())).toEqual(Object.entries(STATUSES));
  expect(await text('[data-migration-summary]')).toBe(
    '3 proved, 1 equal so far, 1 faithful, 3 not proved, 1 needs a person',
  );
});

test('a click and Enter open the action, whose proof is the row’s result', async () => {
  await panel.resize(1200);
  await click(panel.frame(), '[data-migrations] [role=row][data-row-status] ::-p-text(notify-admins)');
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
  await waitFor('the focus on the next row', async () => (await focused()) === 'number-range');
  await panel.devtools.keyboard.press('Enter');
  await waitFor('the view', () => panel.frame().$('[aria-label="Migrate number-range to V3"]'));
  await panel.press('Back');
});
