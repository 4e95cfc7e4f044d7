/** Comparing two runs in the panel, by mouse and keyboard. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { click, openMenu } from '../../../lib/browser-driver/pages/press.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

/** Fixes the invalid email addresses, so that a run completes, or restores them, so that it fails. */
async function fixAddresses(panel: PanelPage, isFixed: boolean): Promise<void> {
  await panel.inspected.evaluate((isFixed) => {
    const page = globalThis as unknown as { fetch: typeof fetch; realFetch?: typeof fetch };
    const real = (page.realFetch ??= page.fetch);
    page.fetch = isFixed
      ? async (...given) =>
          new Response((await (await real(...given)).text()).replace('(at)', '@'), {
            headers: { 'Content-Type': 'application/json' },
          })
      : real;
  }, isFixed);
}

const shown = (panel: PanelPage) =>
  panel.frame().$$eval('[data-compare-rows] [data-row]', (rows) =>
    rows.map((row) => ({
      path: row.getAttribute('data-path'),
      how: row.getAttribute('data-how'),
      isFirst: row.hasAttribute('data-first'),
      isSelected: row.getAttribute('aria-selected') === 'true',
      text: (row as HTMLElement).innerText.replace(/\s+/g, ' ').trim(),
    })),
  );
const compared = (panel: PanelPage) =>
  waitFor(
    'the comparison',
    async () => (await panel.frame().$('[data-compare=ready]')) !== null && (await shown(panel)).length > 0,
  );
const firstLine = (panel: PanelPage) =>
  panel.frame().$eval('[data-first-words]', (line) => (line as HTMLElement).innerText.replace(/\s+/g, ' '));
const focused = (panel: PanelPage) =>
  panel.frame().evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim() ?? '');

test('a failed run is compared with the last completed one, and the panel shows their first difference', async () => {
  const panel = await bed.panel({ in: 'page', action: 'throws-on-bad-address' });
  await fixAddresses(panel, true);
  expect(await panel.run()).toBe('completed');
  await fixAddresses(panel, false);
  await panel.start();
  await waitFor('the run that fails', async () => (await panel.runState()) === 'failed');
  await waitFor(
    'both runs in the list',
    async () => (await panel.runs()).filter(({ state }) => state === 'failed' || state === 'completed').length === 2,
  );

  await panel.press('Compare');
  await compared(panel);
  await whole(panel);
  // The trace doesn’t have all records, but the recordings do.
  await waitFor('the first difference', async () =>
    /First difference: step \/0: context: records\[11\]\.data\.email: "[\w.]+@northwind\.example" before, "[\w.]+\(at\)northwind\.example" now/.test(
      await firstLine(panel),
    ),
  );
  const rows = await shown(panel);
  expect(rows.find(({ isFirst }) => isFirst)).toMatchObject({ path: '/0', how: 'differs', isSelected: true });
  expect(rows.find(({ text }) => text.includes('#12 '))?.text).toMatch(
    /input: currentItem\.data\.email: "[\w.]+@northwind\.example" before, "[\w.]+\(at\)northwind\.example" now/,
  );
  expect(rows.find(({ path }) => path?.endsWith('/conditions/0/functions/0'))?.text).toMatch(
    /before ✓ .* now ! .* completed before, failed \(TypeError: .*\) now/,
  );
  expect(rows.map(({ how }) => how)).not.toContain('same');
  await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#12)');
  expect(
    await panel
      .frame()
      .$$eval('[data-compare-detail] [data-aspect]', (all) =>
        all.map((row) => `${row.getAttribute('data-aspect')} ${row.getAttribute('data-how')}`),
      ),
  ).toContain('input 0 changed');

  await openInput(panel);

  await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#12)');
  await panel.devtools.keyboard.press('ArrowDown');
  await waitFor(
    'the next row',
    async () =>
      (await shown(panel)).find(({ isSelected }) => isSelected)?.path === '/1/functions/0/conditions/0/functions/0',
  );
  await panel.devtools.keyboard.press('Enter');
  await waitFor('the focus in the details', () =>
    panel.frame().evaluate(() => document.activeElement?.closest('[data-compare-detail]') !== null),
  );
  await panel.press('Only differences');
  await waitFor('what is the same', async () => (await shown(panel)).some(({ how }) => how === 'same'));
  await panel.devtools.keyboard.press('Escape');
  await waitFor(
    'the run again, and the focus where it was',
    async () => (await panel.runState()) === 'failed' && (await focused(panel)) === 'Compare',
  );
});

test('a run in the list can be compared with the shown one, and another one can be chosen', async () => {
  const panel = await bed.panel({ in: 'page', action: 'is-email-registered' });
  for (const email of ['one', 'two']) {
    await panel.setPayload(`{"email": "${email}@nowhere.example"}`);
    await panel.start();
    await waitFor(
      'the run in the list',
      async () => (await panel.runs())[0]?.text.includes(`${email}@`) && (await panel.runState()) === 'completed',
    );
  }
  await panel.press('Compare');
  await compared(panel);
  expect(await firstLine(panel)).toMatch(
    /First difference: payload: different Then: step \/0: GET .*entries: .*one.* before, .*two.* now/,
  );
  await click(panel.frame(), 'input[name=other-run]');
  await waitFor(
    'the runs to choose from',
    async () => (await panel.frame().$$('[role=option][data-value]')).length === 3,
  );
  await fill(panel.frame(), 'input[name=other-run]', 'throws-on');
  await panel.devtools.keyboard.press('Enter');
  await waitFor('a run of the other action', async () =>
    (await panel.frame().$eval('.compare-summary', (facts) => (facts as HTMLElement).innerText)).includes(
      'The runs belong to different actions',
    ),
  );
});

/** Changes what the data source returns: each read has another time, and the second one has an item more. */
async function changeEntries(panel: PanelPage, read: number): Promise<void> {
  await panel.inspected.evaluate((read) => {
    type Found = { entries?: { id: number; data: Record<string, unknown> }[] };
    const page = globalThis as unknown as { fetch: typeof fetch; realFetch?: typeof fetch };
    const real = (page.realFetch ??= page.fetch);
    page.fetch = async (...given) => {
      const found = JSON.parse((await (await real(...given)).text()).replace('(at)', '@')) as Found;
      for (const entry of found.entries ?? []) entry.data['readAt'] = `${read} ${entry.id}`;
      const [first] = found.entries ?? [];
      if (first && read > 1)
        found.entries?.splice(1, 0, { ...first, id: 999, data: { ...first.data, email: 'new@northwind.example' } });
      return Response.json(found);
    };
  }, read);
}

const ignoredText = (panel: PanelPage): Promise<string> =>
  panel.frame().$eval('[data-ignored-count]', (text) => (text as HTMLElement).innerText);
const whole = (panel: PanelPage) =>
  waitFor('whole values', async () => (await panel.frame().$('[data-wholeness=whole]')) !== null);

// The unit tests of alignment and of volatile paths have these rules.
if (isExhaustive())
  test('an inserted item doesn’t shift the rest, and values that always differ can be ignored', async () => {
    const panel = await bed.panel({ in: 'page', action: 'throws-on-bad-address' });
    for (const read of [1, 2]) {
      await changeEntries(panel, read);
      expect(await panel.run()).toBe('completed');
      await waitFor('the run in the list', async () => (await panel.runs())[0]?.state === 'completed');
    }
    const number = await panel.frame().$eval('.run-head h2', (title) => Number(title.textContent?.split(' ')[1]));
    await panel.press('Compare');
    await fill(panel.frame(), 'input[name=other-run]', `Run ${number - 1} ·`);
    await panel.devtools.keyboard.press('Enter');
    await compared(panel);
    await whole(panel);
    const rows = await shown(panel);
    expect(rows.find(({ text }) => text.includes('only now'))?.text).toMatch(/#2 .*iteration 2 ran only now/);
    expect(rows.find(({ text }) => text.includes('#2→#3'))?.text).toMatch(
      /input: currentItem\.data\.readAt: "1 \d+" before, "2 \d+" now/,
    );

    await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#2→#3)');
    await click(panel.frame(), '[data-aspect="input 0"]');
    await panel.press('Ignore “readAt” everywhere');
    await waitFor('the ignored differences', async () => (await ignoredText(panel)).includes('ignored as volatile'));
    await whole(panel);
    expect((await shown(panel)).map(({ text }) => text).filter((text) => text.includes('readAt'))).toEqual([]);
    expect(await firstLine(panel)).toMatch(/First difference: step \/0: .*/);
    await compared(panel);
    await openMenu(panel.frame(), '[data-ignored]', '.ignored-menu', 'li');
    await panel.press('Remove /**/readAt');
    await waitFor('the differences again', async () => (await ignoredText(panel)) === '');
    expect((await shown(panel)).some(({ text }) => text.includes('readAt'))).toBe(true);
  });

/** Selects the input of the step, which shows both whole values. */
async function openInput(panel: PanelPage): Promise<void> {
  await click(panel.frame(), '[data-compare-rows] [data-row] ::-p-text(#12)');
  await click(panel.frame(), '[data-compare-detail] [data-aspect=input]');
  await waitFor('both whole values', async () => (await panel.frame().$$('.both-values [role=tree]')).length === 2);
}
