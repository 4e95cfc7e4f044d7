/** What tests of the Actions tab work with: a panel on a platform with a virtual clock. */
import { afterAll, beforeAll } from 'vitest';
import type { Action } from '../../../lib/platform-api/index.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask as askPlatform } from '../../support/ask.ts';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';

export let bed: TestBed;

export let panel: PanelPage;

/** Registers what is done before and after the tests of a file. */
export function setUpActionsTab(): void {
  beforeAll(async () => {
    // Before a week of schedules, as the last test needs it.
    bed = await startTestBed({ clock: new Date('2026-03-27T12:00:00Z') });
    await bed.enter();
    await bed.enter({ name: 'Acme EU', production: true });
    panel = await bed.panel({ in: 'page' });
  });
  afterAll(() => bed?.close());
}

export const APP = 'Team Directory';

const appId = (): number => bed.platform.apps.find(({ name }) => name === APP)!.id;

/** Opens the Actions tab of an app in a panel without saved state. */
export async function openTab(app = APP, environment = 'Local'): Promise<void> {
  await panel.frame().evaluate(() => localStorage.clear());
  await panel.reload();
  await panel.choose({ environment, app });
  await tab('Actions');
  await waitFor('the table, or why there is none', () => has('[data-actions], .empty, [role=alert]'));
}

export const has = async (selector: string): Promise<boolean> => (await panel.frame().$(selector)) !== null;

export const tab = (name: string) => press(panel.frame(), name, { role: 'tab' });

export const shown = (selector: string): Promise<string> =>
  panel
    .frame()
    .$eval(selector, (element) => (element as HTMLElement).innerText.replace(/\s+/g, ' ').trim())
    .catch(() => '');

export const says = (selector: string, text: string | RegExp) =>
  waitFor(`${selector} to show ${String(text)}`, async () =>
    ((found) => (typeof text === 'string' ? found.includes(text) : text.test(found)))(await shown(selector)),
  );

export const select = (id: number) => click(panel.frame(), `[data-actions] [role=row][data-action="${id}"]`);

/** Waits for a pending load first, since its response may predate the last change. */
export async function refresh(): Promise<void> {
  await panel.press('Refresh');
}

/** Sends a request like another developer or a CI job would. */
export const ask = <T>(path: string, method?: string, body?: object): Promise<T> =>
  askPlatform<T>(bed.platform, `/v1/apps/${appId()}${path}`, method, body);

export const create = async (properties: object): Promise<Action> =>
  (await ask<{ action: Action }>('/actions', 'POST', properties)).action;

export async function clear(): Promise<void> {
  for (const { id } of (await ask<{ actions: Action[] }>('/actions')).actions)
    await ask(`/actions/${id}?by=id`, 'DELETE');
}
