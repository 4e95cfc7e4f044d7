/** The debugger: breakpoints, pauses, changes during a pause, and running from a step. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { enterEnvironment } from '../../../lib/browser-driver/job.ts';
import { DebuggerPage } from '../../../lib/browser-driver/pages/debugger-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';

const IF = '/2/functions/0';
const SEND = '/2/functions/0/conditions/0/functions/0';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await enterEnvironment(bed.extension, bed.platform);
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** A panel with an action of the demo data open in its tab. Each test removes its breakpoints, once they’re shown. */
async function opened(action = 'notify-admins', place: 'devtools' | 'page' = 'page') {
  const panel = await bed.panel({ in: place, action });
  return { panel, debug: new DebuggerPage(panel) };
}

test('a breakpoint with a condition pauses at the right item, and F8, F9, F10, F11, and Shift+F11 work from there', async () => {
  const { panel, debug } = await opened('notify-admins', 'devtools');
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
  await debug.removeAll();
});

test('a paused run shows watched values, takes an edited context, a forced branch, and an outcome, and completes', async () => {
  const { panel, debug } = await opened();
  await debug.edit(IF, 'Add conditional breakpoint…', { condition: 'notified == 3' });
  await panel.start();
  const first = 'Paused at if, iteration 18 breakpoint notified == 3';
  expect(await debug.paused()).toBe(first);
  for (const source of ['notified * 10', 'currentItem.nothing.name', 'currentItem.data']) await debug.watch(source);
  await waitFor('the values', async () => (await debug.watches())['notified * 10'] === '30');
  expect((await debug.watches())['currentItem.nothing.name']).toContain('nothing');
  expect(await panel.details()).toMatch(/currentItem\.nothing was undefined at \d+ steps of run \d+\./);
  expect((await debug.watches())['currentItem.data']).toContain('Admin: false');
  await debug.editContext('"notified": 3', '"notified": 100');
  await debug.tab('watch');
  await waitFor('the new value', async () => (await debug.watches())['notified * 10'] === '1000');

  await debug.outcome('branch');
  await panel.press('Force branch');
  const second = await debug.paused(first);
  expect(second).toBe('Paused at send-email, iteration 18 step');
  await debug.outcome('value');
  await panel.press('Set value');
  expect(await debug.paused(second)).toBe('Paused at if, iteration 19 step');
  expect(await debug.replaced()).toEqual({ [`${IF}#17`]: 'forced', [`${SEND}#17`]: 'forced' });
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.tab('result');
  expect(JSON.parse(await panel.result())).toBe('103 of 40 people notified');
  const forced = (await panel.steps()).find(({ path, iteration }) => path === IF && iteration === '17');
  // A branch that was chosen has no condition with values.
  expect(forced?.text).toMatch(/ branch 1 · notified: 3 → 100, edited by you$/);
  await debug.removeAll();
});

test('breakpoints survive reloading the panel, logpoints log, and a page that is reloaded ends its pause', async () => {
  const { panel, debug } = await opened();
  await debug.edit(SEND, 'Add logpoint…', { log: 'Sending to {{currentItem.data.name}}' });
  await panel.reload();
  // Until the stored ones are shown, the panel keeps changes for later.
  await waitFor('the logpoint', async () => (await debug.breakpoints())[SEND] === 'log');
  // The panel is closed before the database has answered.
  await panel.reload('[data-gutter="/3"]');
  await panel.pipelineShown();
  await waitFor('the breakpoints', async () => Object.keys(await debug.breakpoints()).length === 2);
  expect(await debug.breakpoints()).toEqual({ [SEND]: 'log', '/3': 'plain' });
  await panel.start();
  expect(await debug.paused()).toBe('Paused at return-string breakpoint');
  await debug.key('Escape');
  await debug.tab('console');
  await waitFor('the logged line', async () => /logpoint Sending to Ada Bakker/.test(await panel.details()));

  await panel.inspected.reload();
  await waitFor('the end of the run', async () => (await panel.runState()) === 'interrupted');
  expect(await debug.text()).toBeNull();
  await debug.tab('result');
  expect(await panel.alert()).toMatchObject({ code: 'RUN_LOST' });
  // The token was for one request.
  await panel.open();
  await waitFor('the breakpoints', async () => Object.keys(await debug.breakpoints()).length === 2);
  await debug.toggle('/3');
  expect(await panel.run()).toBe('completed');
  await debug.removeAll();
});

test('a failure pauses the run, which retries the step, and continues with an outcome instead', async () => {
  const { panel, debug } = await opened('throws-on-bad-address');
  await panel.press('Pause on failure');
  await panel.start();
  const first = await debug.paused();
  expect(first).toMatch(/^Paused at check-address, iteration 12 failure TypeError: /);
  await panel.press('Retry step');
  expect(await debug.paused(first)).toMatch(/^Paused at check-address, iteration 12 attempt 2 failed TypeError: /);
  expect((await panel.alert())?.code).toBe('STEP_FAILED');
  await debug.outcome('value');
  await panel.press('Continue with this value');
  expect(await panel.ended()).toBe('completed');
  await panel.press('Pause on failure');
});

test('a run starts at a step of a past run, in the middle of a loop, with the recorded outcomes before it', async () => {
  const { panel, debug } = await opened();
  expect(await panel.run()).toBe('completed');
  await panel.frame().select('select[name=steps-shown]', `path:${SEND}`);
  await click(panel.frame(), `[data-timeline] [data-path="${SEND}"][data-iteration="16"]`);
  await waitFor('the recording', async () => {
    await panel.press('More');
    const item = await panel.frame().$('control/Run from here…[role="menuitem"]');
    const isOff = await item?.evaluate((element) => element.getAttribute('aria-disabled'));
    if (isOff === null) return true;
    await debug.key('Escape');
    return false;
  });
  await press(panel.frame(), 'Run from here…', { role: 'menuitem' });
  await panel.press('Pause there first');
  expect(await debug.paused()).toMatch(/^Paused at send-email, iteration 17 /);
  await debug.editContext('"notified": 2', '"notified": 50');
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.tab('result');
  expect(JSON.parse(await panel.result())).toBe('53 of 40 people notified');
  await panel.frame().select('select[name=steps-shown]', `path:${SEND}`);
  const replaced = await waitFor('the steps of the run', async () => {
    const rows = Object.entries(await debug.replaced()).filter(([row]) => row.startsWith(SEND));
    return rows.length > 0 && Object.fromEntries(rows);
  });
  expect(replaced).toEqual({ [`${SEND}#0`]: 'from recording', [`${SEND}#8`]: 'from recording' });
});
