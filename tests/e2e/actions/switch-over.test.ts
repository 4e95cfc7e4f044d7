/** *Switch over* in a real browser: every step and the way back, from the keyboard. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Action } from '../../../lib/platform-api/index.ts';
import type { ActionV3 } from '../../../lib/platform-api/actions-v3/record.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

const ORDERS = {
  name: 'orders',
  functions: [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'done' } }],
  environment: 'server',
  triggers: [{ trigger: 'log', where: { type: 'order.created' } }, { trigger: 'manual' }],
};

let bed: TestBed;
let faulty: FaultyPlatform;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ baseUrl: faulty.baseUrl });
  const { action } = await ask<{ action: Action }>('/v1/apps/101/actions', ORDERS);
  await ask(`/v1/apps/101/actions/${action.id}/publish`, { publish: true });
  panel = await bed.panel({ in: 'page' });
  await openSwitchOver();
});
afterAll(async () => {
  await bed?.close();
  await faulty?.close();
});

async function ask<T>(path: string, body?: object, method = body ? 'POST' : 'GET'): Promise<T> {
  const response = await fetch(bed.platform.baseUrl + path, {
    method,
    headers: { 'Auth-token': bed.platform.authToken, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as T;
}

/** Which versions are live, and which of them a log record fires. */
async function live(): Promise<Record<string, string>> {
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

/** The code of the V3 action, published or not. */
async function drafts(): Promise<string[]> {
  const { actions } = await ask<{ actions: ActionV3[] }>('/v3/apps/101/actions');
  return actions.filter(({ name }) => name === 'orders-v3').map(({ code }) => code);
}

/** The last button with this text, pressed from the keyboard. */
async function press(text: string, within = 'body'): Promise<void> {
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
const becomes = (...expected: string[]): Promise<unknown> =>
  waitFor(`the steps ${expected.join()}`, async () => (await states()).join() === expected.join());

async function openSwitchOver(): Promise<void> {
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

async function confirm(button: string): Promise<string> {
  const dialog = await waitFor('the question', () => panel.frame().$('dialog[open]'));
  const text = await dialog.evaluate((element) => element.textContent ?? '');
  await press(button, 'dialog[open]');
  return text;
}

test('a draft gets the code as it is now, and nothing runs by that', async () => {
  await press('Create draft');
  await confirm('Create draft');
  await becomes('done', 'next', 'later', 'later', 'later', 'later');
  await press('Code and proof');
  const editor = await waitFor('the code', () => panel.frame().$('.cm-content'));
  await editor.focus();
  const { keyboard } = panel.devtools;
  await keyboard.down('Control');
  await keyboard.press('Home');
  await keyboard.up('Control');
  await keyboard.sendCharacter('// Changed since.\n');
  await press('Switch over');
  await waitFor('the notice', () => panel.frame().$('[data-code=DRAFT_OUTDATED]'));
  await press('Update draft');
  expect(await confirm('Update draft')).toContain('It’s inactive and unpublished, as before.');
  await waitFor('the new draft', async () => (await drafts()).some((code) => code.startsWith('// Changed since.')));
  await waitFor('no notice', async () => !(await panel.frame().$('[data-code=DRAFT_OUTDATED]')));
  expect(await drafts()).toHaveLength(1);
  expect(await live()).toEqual({ orders: 'log,manual' });
  await press('Go back', '[data-step=draft]');
  await confirm('Go back');
  await becomes('next', 'later', 'later', 'later', 'later', 'later');
  expect(await drafts()).toEqual([]);
});

test('goes to V3 and back, step by step, and each question says what becomes live', async () => {
  await press('Create draft');
  expect(await confirm('Create draft')).toContain('V2 stays as it is');
  await becomes('done', 'next', 'later', 'later', 'later', 'later');
  const focused = () => panel.frame().evaluate(() => document.activeElement?.textContent ?? '');
  await waitFor('the focus on the next step', async () => (await focused()).includes('Let V3 answer calls'));
  expect(await live()).toEqual({ orders: 'log,manual' });

  await press('Publish for calls');
  expect(await confirm('Publish for calls')).toContain('Live apps can call “orders-v3”');
  await becomes('done', 'done', 'next', 'later', 'later', 'later');
  expect(await live()).toEqual({ orders: 'log,manual', 'orders-v3': 'manual' });

  await press('All are moved');
  await becomes('done', 'done', 'done', 'next', 'later', 'later');
  await press('Switch over', '[data-step=switch]');
  expect(await confirm('Switch over')).toContain('“orders” no longer runs in live apps');
  await becomes('done', 'done', 'done', 'done', 'next', 'later');
  expect(await live()).toEqual({ 'orders-v3': 'log,manual' });
  await press('End the check');
  await becomes('done', 'done', 'done', 'done', 'done', 'next');

  await press('Go back', '[data-step=switch]');
  expect(await confirm('Go back')).toContain('“orders” is published');
  await waitFor('V2 to be live', async () => (await live())['orders'] === 'log,manual');
  await waitFor('V3 to answer calls only', async () => (await live())['orders-v3'] === 'manual');
});

test('a step that was interrupted is shown after a reload, and continued from what the platform says', async () => {
  await press('End the check');
  await becomes('done', 'done', 'done', 'next', 'later', 'later');
  // The panel goes away after V2 was taken off.
  let isGone = false;
  faulty.only = ({ path }) => (isGone ||= /\/v3\/.*\/publish$/.test(path));
  faulty.fault = 'cut-before';
  await press('Switch over', '[data-step=switch]');
  await confirm('Switch over');
  await waitFor('V2 to be off', async () => !('orders' in (await live())));
  faulty.fault = 'none';
  await panel.reload();
  await openSwitchOver();
  await press('Continue');
  await confirm('Switch over');
  await becomes('done', 'done', 'done', 'done', 'next', 'later');
  expect(await live()).toEqual({ 'orders-v3': 'log,manual' });
});

test('when someone else makes V2 live again, the plan says that both are live, and settles it', async () => {
  const { actions } = await ask<{ actions: Action[] }>('/v1/apps/101/actions');
  const path = `/v1/apps/101/actions/${actions.find(({ name }) => name === 'orders')!.id}`;
  await ask(path, { active: true }, 'PUT');
  await ask(`${path}/publish`, { publish: true });
  await panel.reload();
  await openSwitchOver();
  const notice = await waitFor('the notice', () => panel.frame().$('[data-code=SWITCH_DRIFTED]'));
  expect(await notice.evaluate((element) => element.textContent)).toContain('Both versions are live');
  await press('Settle');
  expect(await confirm('Settle')).toContain('“orders-v3” handles all events, and “orders” none.');
  await waitFor('no notice', async () => !(await panel.frame().$('[data-code=SWITCH_DRIFTED]')));
  expect(await live()).toEqual({ 'orders-v3': 'log,manual' });
});
