/** Conditions of breakpoints that can’t be added, and those that fail. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../../lib/browser-driver/pages/debugger-page.ts';
import type { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
});
afterAll(() => bed?.close());

test('a condition that would change the context can’t be added, and the editor says why', async () => {
  const panel = await bed.panel({ in: 'page', action: 'weekly-report' });
  const debug = new DebuggerPage(panel);
  await debug.removeAll();
  const refused: [condition: string, says: string][] = [
    ['visits = 5', 'Conditions can’t assign values. Compare with == or ===.'],
    ['visits++', 'Conditions can’t change a value.'],
    ['records.push(1) > 0', 'push changes the array, which conditions can’t do.'],
    ['delete visits', 'Conditions don’t support delete.'],
  ];
  await debug.pick('/3', 'Add conditional breakpoint…');
  for (const [condition, says] of refused) {
    await debug.fillIn({ condition });
    await waitFor(says, async () => (await debug.editorText()).includes(says));
    expect(await panel.canPress('Add')).toBe(false);
  }
  // Methods that change an array work on a copy.
  await debug.fillIn({ condition: 'records.reverse().length > 0 && visits == records.length' });
  await panel.press('Add');
  await panel.start();
  expect(await debug.paused()).toMatch(/^Paused at send-email breakpoint records\.reverse/);
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
  await debug.removeAll();
});

const forever = (levels: string): string =>
  [...levels].reduceRight((inner, name) => `'x'.repeat(1000).split('').some(${name} => ${inner})`, 'false');

/** Waits, at each width of the panel, until no part of the reason for the pause is cut off. */
async function expectWholeReason(panel: PanelPage): Promise<void> {
  for (const width of [420, 700]) {
    await panel.resize(width);
    await waitFor(`the whole reason at ${width} pixels`, async () => {
      const [box, detail] = await panel
        .frame()
        .$eval('.pause-text', (text) =>
          [text, text.querySelector('.detail')!].map((each) => each.getBoundingClientRect().toJSON() as DOMRect),
        );
      if (detail!.right <= box!.right + 1 && detail!.bottom <= box!.bottom + 1) return true;
      throw new Error(
        `It ends at ${detail!.right}, ${detail!.bottom}, and what is shown of it at ${box!.right}, ${box!.bottom}.`,
      );
    });
  }
  await panel.resize(1200);
}

test('a breakpoint whose condition throws or never ends pauses and says why at every width, and the run continues', async () => {
  const panel = await bed.panel({ in: 'page', action: 'weekly-report' });
  const debug = new DebuggerPage(panel);
  const failing: [condition: string, says: string][] = [
    ['nothing.name', 'ConditionError: Couldn’t read “name”: nothing is undefined.'],
    [forever('abc'), 'A condition is limited to 5,000,000 operations.'],
  ];
  for (const [condition, says] of failing) {
    await debug.removeAll();
    await debug.edit('/3', 'Add conditional breakpoint…', { condition });
    await panel.start();
    const text = await debug.paused();
    expect(text).toMatch(/^Paused at send-email breakpoint’s condition failed /);
    expect(text).toContain(says);
    await expectWholeReason(panel);
    await debug.key('F8');
    expect(await panel.ended()).toBe('completed');
  }
  await debug.removeAll();
});
