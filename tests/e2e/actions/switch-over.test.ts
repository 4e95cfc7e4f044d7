/** *Switch over* in a real browser: every step and the way back, from the keyboard. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { becomes, confirm, faulty, live, openSwitchOver, panel, press, setUpSwitchOver } from './switch-over-bed.ts';

setUpSwitchOver();

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
