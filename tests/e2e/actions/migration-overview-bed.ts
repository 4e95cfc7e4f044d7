/** What tests of the overview of migrations work with: an app with recorded runs, and its table. */
import { afterAll, beforeAll } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Platform } from '../../../lib/local-platform/index.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask as askPlatform, record } from '../../support/ask.ts';
import { press } from '../../../lib/browser-driver/pages/press.ts';

/** What a demo user runs of the demo app: payloads by action. */
const RUNS: Record<string, Record<string, unknown>[]> = {
  'check-out-at-midnight': [{}],
  'notify-admins': [{}, { log: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
  'number-range': [{}],
  'throws-on-bad-address': [{}],
  'one-of-each-step': [{}],
};

/** What a check finds then, with the worst first, as in the table of all demo actions. */
export const STATUSES = {
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

/** Records the runs of the demo app. */
export async function recordRuns(platform: Platform): Promise<void> {
  const { actions } = await askPlatform<{ actions: Action[] }>(platform, '/v1/apps/101/actions');
  for (const { name, triggers } of actions)
    for (const payload of RUNS[name] ?? []) {
      const all = [...triggers, { trigger: 'manual' }];
      const properties = { active: true, environment: 'any', triggers: all };
      await askPlatform(platform, `/v1/apps/101/actions/${name}`, 'PUT', properties);
      await record(platform, 101, name, payload);
    }
}

let bed: TestBed;

export let panel: PanelPage;

/** Registers what is done before and after the tests of a file. */
export function setUpOverview(): void {
  beforeAll(async () => {
    bed = await startTestBed({ ownPlatform: true });
    await bed.enter();
    await recordRuns(bed.platform);
    panel = await bed.panel({ in: 'page' });
    await openOverview();
  });
  afterAll(() => bed?.close());
}

export const ask = <T>(path: string, method?: string, body?: object): Promise<T> =>
  askPlatform<T>(bed.platform, `/v1/apps/101/actions${path}`, method, body);

export async function openOverview(): Promise<void> {
  await openTab('Run');
  // The source code of packages is the page’s.
  await panel.choose({ environment: 'Local', app: 'Field Service', action: 'throws-on-bad-address' });
  await panel.open();
  await openTab('Actions');
  await openTab('Migration');
  await waitFor('the table', () => panel.frame().$('[data-migrations]'));
}

export const openTab = (name: string): Promise<void> => press(panel.frame(), name, { role: 'tab' });

/** Statuses by name, in the order of the rows. */
export const listed = (): Promise<Record<string, string>> =>
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

export const text = (selector: string): Promise<string> =>
  panel.frame().$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim());

export const checkEnds = (): Promise<unknown> => waitFor('the end of the check', () => panel.canPress('Check all'));

export const ran = async (): Promise<number> =>
  Object.values(await listed()).filter((each) => each !== 'unchecked').length;
