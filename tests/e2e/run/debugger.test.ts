/** The debugger in real DevTools: breakpoints, pauses, changes during a pause, and running from a step. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { enterEnvironment } from '../../../lib/browser-driver/job.ts';
import { DebuggerPage } from '../../../lib/browser-driver/pages/debugger-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const SEND = '/2/functions/0/conditions/0/functions/0';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await enterEnvironment(bed.extension, bed.platform);
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** A panel with an action of the demo data open in its tab. */
async function opened(action = 'notify-admins') {
  const panel = await bed.panel();
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
  const debug = new DebuggerPage(panel);
  await debug.removeAll();
  return { panel, debug };
}

test('a breakpoint with a condition pauses at the right item, and F8, F9, F10, F11, and Shift+F11 work from there', async () => {
  const { panel, debug } = await opened();
  await debug.edit(SEND, 'Add conditional breakpoint…', { condition: 'notified == 2' });
  expect(await debug.breakpoints()).toEqual({ [SEND]: 'condition' });
  await panel.start();
  expect(await debug.paused()).toBe('Paused at send-email, iteration 17 breakpoint notified == 2');
  expect(await debug.pausedRows()).toEqual({ tree: [SEND], timeline: [`${SEND}#16`] });
  expect(await debug.step('F11')).toBe('Paused at if, iteration 17 step');
  expect(await debug.step('F10')).toBe('Paused at set-context, iteration 17 step');
  expect(await debug.step('F11', 'Shift')).toBe('Paused at if, iteration 18 step');
  await panel.select('/3');
  await debug.key('F9');
  await waitFor('a breakpoint', async () => (await debug.breakpoints())['/3'] === 'plain');
  expect(await debug.step('F8')).toBe('Paused at return-string breakpoint');
  await debug.key('F9');
  await waitFor('no breakpoint', async () => !('/3' in (await debug.breakpoints())));
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.tab('result');
  expect(JSON.parse(await panel.result())).toBe('5 of 40 people notified');
});
