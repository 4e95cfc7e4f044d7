/** Conditions of breakpoints that can’t be added. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../../lib/browser-driver/pages/debugger-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
});
afterAll(() => bed?.close());

test('a condition that would change the context, or could run forever, can’t be added, and the editor says why', async () => {
  const panel = await bed.panel({ in: 'page', action: 'weekly-report' });
  const debug = new DebuggerPage(panel);
  await debug.removeAll();
  const refused: [condition: string, says: string][] = [
    ['visits = 5', 'Conditions can’t assign values. Compare with == or ===.'],
    ['visits++', 'Conditions can’t change a value.'],
    ['records.push(1) > 0', 'push changes the array, which conditions can’t do.'],
    ['delete visits', 'Conditions don’t support delete.'],
    ["/(a+)+$/.test('aab')", 'This pattern has nested quantifiers, so it might never finish.'],
  ];
  await debug.pick('/3', 'Add conditional breakpoint…');
  for (const [condition, says] of refused) {
    await debug.fillIn({ condition });
    await waitFor(says, async () => (await debug.editorText()).includes(says));
    expect(await panel.canPress('Add')).toBe(false);
  }
  // Methods that change an array work on a copy.
  await debug.fillIn({ condition: 'records.reverse().length > 0 && visits == records.length' });
  await waitFor('a valid condition', () => panel.canPress('Add'));
  await panel.press('Add');
  await panel.start();
  expect(await debug.paused()).toMatch(/^Paused at send-email breakpoint records\.reverse/);
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.removeAll();
});
