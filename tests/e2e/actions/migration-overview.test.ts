/** The overview of an app’s migrations in a real browser: checks all actions, and shows, filters, saves, and keeps results. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { savedFile } from '../../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

/** What a demo user runs of the demo app: payloads by action. */
const RUNS: Record<string, Record<string, unknown>[]> = {
  'check-out-at-midnight': [{}],
  'notify-admins': [{}, { log: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
  'number-range': [{}],
  'throws-on-bad-address': [{}],
  'one-of-each-step': [{}],
};
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

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  const { actions } = await ask<{ actions: Action[] }>('GET', '');
  for (const { name, triggers } of actions)
    for (const payload of RUNS[name] ?? []) {
      const all = [...triggers, { trigger: 'manual' }];
      await ask('PUT', `/${name}`, { active: true, environment: 'any', triggers: all });
      await ask('POST', `/${name}/run-with-result`, { payload, record: true });
    }
  panel = await bed.panel({ in: 'page' });
  await openOverview();
});
afterAll(() => bed?.close());

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${bed.platform.baseUrl}/v1/apps/101/actions${path}`, {
    method,
    headers: { 'Auth-token': bed.platform.authToken, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json().catch(() => null)) as T;
}

async function openOverview(): Promise<void> {
  await openTab('Run');
  // The source code of packages is the page’s.
  await panel.choose({ environment: 'Local', app: 'Field Service', action: 'throws-on-bad-address' });
  await panel.open();
  await openTab('Actions');
  await openTab('Migration');
  await waitFor('the table', () => panel.frame().$('[data-migrations]'));
}

const openTab = (name: string): Promise<void> => panel.frame().locator(`aria/${name}[role="tab"]`).click();

/** Statuses by name, in the order of the rows. */
const listed = (): Promise<Record<string, string>> =>
  panel
    .frame()
    .$$eval('[data-migrations] [role=row][data-row-status]', (rows) =>
      Object.fromEntries(
        rows
          .toSorted((a, b) => Number(a.getAttribute('data-index')) - Number(b.getAttribute('data-index')))
          .map((row) => [
            row.querySelector('[role=gridcell]')?.textContent ?? '',
            row.getAttribute('data-row-status') ?? '',
          ]),
      ),
    );
const text = (selector: string): Promise<string> =>
  panel.frame().$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim());
const checkEnds = (): Promise<unknown> => waitFor('the end of the check', () => panel.canPress('Check all'));
const ran = async (): Promise<number> => Object.values(await listed()).filter((each) => each !== 'unchecked').length;

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
  await panel.frame().locator('aria/Search migrations[role="searchbox"]').fill('n');
  await panel.frame().locator('[role=columnheader] ::-p-text(Name)').click();
  await panel.frame().locator('[role=columnheader] ::-p-text(Name)').click();
  expect(Object.keys(await listed())).toEqual(['number-range', 'notify-admins', 'check-out-at-midnight']);
  await panel.frame().locator('aria/Search migrations[role="searchbox"]').fill('notify range');
  expect(await text('.empty')).toContain('No actions match these filters');
  await panel.frame().locator('aria/Search migrations[role="searchbox"]').fill('n');
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
