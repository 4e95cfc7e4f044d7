/** Conditions that are being edited, tried on a recorded run, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from '../../../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { findAction, startTestBed, type TestBed } from '../../../support/test-bed.ts';
import { click, press } from '../../../../lib/browser-driver/pages/press.ts';

const ACTION = 'notify-admins';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterAll(() => bed?.close());

const text = (panel: PanelPage, selector: string): Promise<string> =>
  panel.frame().evaluate((selector) => document.querySelector<HTMLElement>(selector)?.innerText ?? '', selector);

/** Opens the editor, unless it's still open. */
async function openCondition(panel: PanelPage): Promise<void> {
  const frame = panel.frame();
  await press(frame, 'Actions', { role: 'tab' });
  await frame.waitForSelector('[data-edit], [data-actions] [data-action]');
  if (!(await frame.$('[data-edit]'))) {
    await click(frame, `[data-actions] [data-action="${findAction(bed.platform, ACTION).taskId}"]`);
    await panel.press('Edit');
  }
  await click(frame, '[data-step-path$="/conditions/0"] ::-p-text(currentItem.data.Admin)');
  await frame.waitForSelector('[data-trial]:not([data-trial=loading])');
}

test('a condition is evaluated as you type, in the contexts that a recorded run had', async () => {
  const panel = await bed.panel({ in: 'page' });
  const frame = panel.frame();
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, ACTION).app, action: ACTION });
  await openCondition(panel);
  await waitFor('that there is no run', async () =>
    (await text(panel, '[data-trial=none]')).includes('No run with a recording'),
  );

  await press(frame, 'Run', { role: 'tab' });
  await panel.open();
  expect(await panel.run()).toBe('completed');
  await openCondition(panel);
  const summaryIs = (expected: RegExp): Promise<unknown> =>
    waitFor(`${expected}`, async () => expected.test(await text(panel, '[data-trial-summary]')));
  await summaryIs(/^True in 5 of 40 visits$/);

  await fill(frame, '[name="step-condition"]', "currentItem.data.Admin == true || currentItem.data.role === 'manager'");
  await summaryIs(/^True in 15 of 40 visits$/);
  expect(await text(panel, '[data-trial] .why-line')).toBe("true == true || currentItem.data.role === 'manager'");
  await panel.press('Next false');
  await waitFor('another visit', async () => (await text(panel, '[data-visit]')) === 'Visit 2 of 40 (#2)');
  await waitFor('its values', async () =>
    (await text(panel, '[data-trial] .why-line')).includes('false == true || "technician" === \'manager\''),
  );

  await fill(frame, '[name="step-condition"]', 'currentItem.data.emial.length > 0');
  await waitFor('what was meant', async () =>
    (await text(panel, '[data-missing]')).includes('currentItem.data.emial is undefined. Did you mean “email”?'),
  );
  await fill(frame, '[name="step-condition"]', 'currentItem.data.Admin ==');
  await waitFor('where the syntax is wrong', async () =>
    /Column \d+: /.test(await text(panel, '[data-trial] .problem')),
  );
});
