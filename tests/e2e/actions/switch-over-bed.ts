/** What tests of *Switch over* work with: a published action, and its plan in the panel. */
import { afterAll, beforeAll } from 'vitest';
import type { Action } from '../../../lib/platform-api/index.ts';
import type { ActionV3 } from '../../../lib/platform-api/actions-v3/record.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask as askPlatform } from '../../support/ask.ts';

const ORDERS = {
  name: 'orders',
  functions: [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'done' } }],
  environment: 'server',
  triggers: [{ trigger: 'log', where: { type: 'order.created' } }, { trigger: 'manual' }],
};

let bed: TestBed;

export let faulty: FaultyPlatform;

export let panel: PanelPage;

/** Registers what is done before and after the tests of a file. */
export function setUpSwitchOver(): void {
  beforeAll(async () => {
    bed = await startTestBed({ ownPlatform: true });
    faulty = await startFaultyPlatform(bed.platform.baseUrl);
    await bed.enter({ baseUrl: faulty.baseUrl });
    const { action } = await ask<{ action: Action }>('/v1/apps/101/actions', 'POST', ORDERS);
    await ask(`/v1/apps/101/actions/${action.id}/publish`, 'POST', { publish: true });
    panel = await bed.panel({ in: 'page' });
    await openSwitchOver();
  });
  afterAll(async () => {
    await bed?.close();
    await faulty?.close();
  });
}

export const ask = <T>(path: string, method?: string, body?: object): Promise<T> =>
  askPlatform<T>(bed.platform, path, method, body);

/** Which versions are live, and which of them a log record fires. */
export async function live(): Promise<Record<string, string>> {
  const { actions } = await ask<{ actions: Action[] }>('/v1/apps/101/actions');
  const { actions: v3s } = await ask<{ actions: ActionV3[] }>('/v3/apps/101/actions?mode=live');
  const triggers = (copy: { triggers: { trigger: string }[] }): string =>
    copy.triggers.map((each) => each.trigger).join();
  const v2 = actions.find(({ name }) => name === 'orders')?.published;
  return {
    ...(v2 && { orders: triggers(v2) }),
    ...Object.fromEntries(v3s.map((each) => [each.name, triggers(each)])),
  };
}

/** The last button with this text, pressed from the keyboard. */
export async function press(text: string, within = 'body'): Promise<void> {
  const button = await waitFor(`the button ${text}`, async () => {
    const found = await panel.frame().$$(`${within} button, ${within} [role=tab]`);
    for (const each of found.toReversed()) {
      const isIt = await each.evaluate(
        (element, text) =>
          (element as HTMLElement).innerText.trim() === text &&
          element.checkVisibility() &&
          element.getAttribute('aria-disabled') !== 'true',
        text,
      );
      if (isIt) return each;
    }
    return null;
  });
  await button.focus();
  await button.press('Enter');
}

const states = (): Promise<string[]> =>
  panel.frame().$$eval('[data-step]', (steps) => steps.map((step) => (step as HTMLElement).dataset['state'] ?? ''));

export const becomes = (...expected: string[]): Promise<unknown> =>
  waitFor(`the steps ${expected.join()}`, async () => (await states()).join() === expected.join());

export async function openSwitchOver(): Promise<void> {
  await press('Actions');
  await panel.choose({ app: 'Field Service' });
  const row = await waitFor('the action in the table', async () => {
    for (const each of await panel.frame().$$('[role=row]'))
      if (await each.evaluate((element) => element.textContent?.includes('orders'))) return each;
    return null;
  });
  await row.click();
  await press('Migrate to V3');
  await press('Switch over');
  await waitFor('the plan', () => panel.frame().$('[data-step]'));
}

export async function confirm(button: string): Promise<string> {
  const dialog = await waitFor('the question', () => panel.frame().$('dialog[open]'));
  const text = await dialog.evaluate((element) => element.textContent ?? '');
  await press(button, 'dialog[open]');
  return text;
}
