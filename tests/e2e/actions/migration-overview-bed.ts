/** What tests of the overview of migrations work with: an app with recorded runs, and its table. */
import { afterAll, beforeAll } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask as askPlatform, record } from '../../support/ask.ts';

/** What a demo user runs of the demo app: payloads by action. */
const RUNS: Record<string, Record<string, unknown>[]> = {
  'check-out-at-midnight': [{}],
  'notify-admins': [{}, { log: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
  'number-range': [{}],
  'throws-on-bad-address': [{}],
  'one-of-each-step': [{}],
};

let bed: TestBed;

export let panel: PanelPage;

/** Registers what is done before and after the tests of a file. */
export function setUpOverview(): void {
  beforeAll(async () => {
    bed = await startTestBed({ ownPlatform: true });
    await bed.enter();
    const { actions } = await ask<{ actions: Action[] }>('');
    for (const { name, triggers } of actions)
      for (const payload of RUNS[name] ?? []) {
        const all = [...triggers, { trigger: 'manual' }];
        await ask(`/${name}`, 'PUT', { active: true, environment: 'any', triggers: all });
        await record(bed.platform, 101, name, payload);
      }
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

export const openTab = (name: string): Promise<void> => panel.frame().locator(`control/${name}[role="tab"]`).click();

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
