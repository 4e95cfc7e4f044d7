/** Why an `if` took its branch, and what was misspelled in a condition that failed. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MocksPage } from '../../../lib/browser-driver/pages/mocks-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { createAction, WHY_ACTION } from '../../support/run-states.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  await createAction(bed, WHY_ACTION);
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test('an if says why it took its branch, and what was misspelled where it failed', async () => {
  const panel = await bed.panel({ in: 'page' });
  const mocks = new MocksPage(panel);
  await panel.choose({ environment: 'Local', app: 'Field Service', action: WHY_ACTION.name });
  await panel.open();
  await panel.start();
  await waitFor('the failed run', async () => (await panel.runState()) === 'failed');
  const lines = () =>
    panel.frame().$$eval('[data-why-line]', (all) => all.map((line) => (line as HTMLElement).innerText));
  await waitFor('both lines', async () => (await lines()).length === 2);
  expect(await lines()).toEqual([
    `✗ 3 > 5 && records[0].data.name == 'x' or when ✗ undefined == 'a@example.com'`,
    `! records[0].data.emial.includes('@') || records.length > 2`,
  ]);
  expect(await panel.details()).toContain('records[0].data.emial is undefined. Did you mean “email”?');
  await panel.press('Show why');
  await waitFor('the parts', () => panel.frame().$('[data-part=failed]'));
  expect(await panel.details()).toContain('▾ records[0].data.emial undefined ▾ records[0].data {name: "Ada Bakker"');

  await mocks.selectStep('/1');
  const blocks = () =>
    panel.frame().$$eval('[data-why-block]', (all) => all.map((block) => (block as HTMLElement).innerText));
  await waitFor('three blocks', async () => (await blocks()).length === 3);
  const [one, other, otherwise] = await blocks();
  expect(one).toMatch(/^when records\.length > 5 && .* false\n[^]*not evaluated: “false &&” decided/);
  expect(other).toMatch(/^or when [^]*records\[0\]\.data\.emial is undefined\. Did you mean “email”\?/);
  expect(otherwise).toBe('else no condition was true ran');
});
