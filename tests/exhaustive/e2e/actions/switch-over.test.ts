/** *Switch over* of a draft that is outdated, and of an action that someone else has changed. */
import { expect, test } from 'vitest';
import type { Action } from '../../../../lib/platform-api/index.ts';
import type { ActionV3 } from '../../../../lib/platform-api/actions-v3/record.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import {
  ask,
  becomes,
  confirm,
  live,
  openSwitchOver,
  panel,
  press,
  setUpSwitchOver,
} from '../../../e2e/actions/switch-over-bed.ts';

setUpSwitchOver();

/** The code of the V3 action, published or not. */
async function drafts(): Promise<string[]> {
  const { actions } = await ask<{ actions: ActionV3[] }>('/v3/apps/101/actions');
  return actions.filter(({ name }) => name === 'orders-v3').map(({ code }) => code);
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

async function goToV3(): Promise<void> {
  await press('Create draft');
  await confirm('Create draft');
  await becomes('done', 'next', 'later', 'later', 'later', 'later');
  await press('Publish for calls');
  await confirm('Publish for calls');
  await becomes('done', 'done', 'next', 'later', 'later', 'later');
  await press('All are moved');
  await becomes('done', 'done', 'done', 'next', 'later', 'later');
  await press('Switch over', '[data-step=switch]');
  await confirm('Switch over');
  await becomes('done', 'done', 'done', 'done', 'next', 'later');
}

test('when someone else makes V2 live again, the plan says that both are live, and settles it', async () => {
  await goToV3();
  const { actions } = await ask<{ actions: Action[] }>('/v1/apps/101/actions');
  const path = `/v1/apps/101/actions/${actions.find(({ name }) => name === 'orders')!.id}`;
  await ask(path, 'PUT', { active: true });
  await ask(`${path}/publish`, 'POST', { publish: true });
  await panel.reload();
  await openSwitchOver();
  const notice = await waitFor('the notice', () => panel.frame().$('[data-code=SWITCH_DRIFTED]'));
  expect(await notice.evaluate((element) => element.textContent)).toContain('Both versions are live');
  await press('Settle');
  expect(await confirm('Settle')).toContain('“orders-v3” handles all events, and “orders” none.');
  await waitFor('no notice', async () => !(await panel.frame().$('[data-code=SWITCH_DRIFTED]')));
  expect(await live()).toEqual({ 'orders-v3': 'log,manual' });
});
