/** *Migrate to V3* in a real browser: the code beside its proof, linked with the pipeline, edited, and proved again. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { migrate } from '../../../lib/migrate/index.ts';
import type { Pipeline } from '../../../lib/pipeline/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask, record } from '../../support/ask.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
const FUNCTIONS: Pipeline = [
  {
    type: 'if',
    conditions: [{ condition: 'count > 2', functions: [say('{{count}} orders, many')] }],
    elseFunctions: [say('{{count}} orders')],
  },
];
const CODE = code();

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
  await ask(bed.platform, '/v1/apps/101/actions', 'POST', { name: 'count-orders', functions: FUNCTIONS });
  for (const count of [1, 5]) await record(bed.platform, 101, 'count-orders', { count });
  panel = await bed.panel({ in: 'page' });
  await openMigration();
});
afterAll(() => bed?.close());

function code(): string {
  const migrated = migrate({ name: 'count-orders', functions: FUNCTIONS });
  if (!migrated.ok) throw new Error(migrated.error.message);
  return migrated.value.code;
}

/** A button, tab, or row with this text. */
const press = async (text: string, within = 'body'): Promise<void> => {
  const control = await waitFor(`“${text}”`, async () => {
    for (const each of await panel.frame().$$(`${within} :is(button, [role=tab], [role=row], [role=treeitem])`)) {
      const isIt = await each.evaluate((element, text) => {
        const shown = (element as HTMLElement).innerText.trim();
        const isRow = element.matches('[role=row], [role=treeitem]');
        const isReady = element.checkVisibility() && element.getAttribute('aria-disabled') !== 'true';
        return isReady && (isRow ? shown.includes(text) : shown === text);
      }, text);
      if (isIt) return each;
    }
    return null;
  });
  await control.evaluate((element) => (element as HTMLElement).click());
};

async function openMigration(): Promise<void> {
  await press('Actions');
  await panel.choose({ app: 'Field Service' });
  await press('count-orders');
  await press('Migrate to V3');
}

const text = (selector: string): Promise<string> =>
  panel.frame().$eval(selector, (element) => (element as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim());
const status = (): Promise<string> => text('.migrate-head .badge');
const statusBecomes = (expected: string): Promise<unknown> =>
  waitFor(`the status ${expected}`, async () => (await status()).includes(expected));
/** In time even for a proof that ends at once, if it’s called before that proof is started. */
const proofStarts = (): Promise<void> =>
  panel.frame().evaluate(
    () =>
      new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.querySelector('[data-proof=running]')) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  );
const proofEnds = (): Promise<unknown> => waitFor('the proof', () => panel.frame().$('[data-proof=ended]'));
const linkedLines = (): Promise<string[]> =>
  panel.frame().$$eval('.cm-linked', (lines) => lines.map((line) => line.textContent?.trim() ?? ''));

async function replaceCode(next: string): Promise<void> {
  await waitFor('the code', () => panel.frame().$('.cm-content'));
  await panel.frame().focus('.cm-content');
  const { keyboard } = panel.devtools;
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.sendCharacter(next);
}

test('only a page of the app gets the recorded runs, once it’s asked to prove the code on them', async () => {
  await waitFor('the notice', () => panel.frame().$('[data-code=NO_PAGE]'));
  await press('Open debug page');
  await waitFor('the way', async () => (await text('.migrate-summary')).includes('Select Prove'));
  await press('Prove');
  await proofEnds();
  await statusBecomes('Proved');
  expect(await text('.migrate-summary')).toContain('2 recorded runs compared. 2 of 2 branches ran.');
  await waitFor('the strength', async () => /tried mistakes \(\d+%\)/.test(await text('.migrate-summary')));
});

test('a step and its lines of the code lead to each other', async () => {
  await panel.frame().click('[data-path="/0/elseFunctions/0"]');
  await waitFor('its lines', async () => (await linkedLines()).some((line) => line.includes('/0/elseFunctions/0')));
  expect(await text('[data-migrate-step]')).toContain('/0/elseFunctions/0');
});

const problems = (): Promise<string> => text('.migrate-problems').catch(() => '');

test('code that isn’t valid is never run, and says why', async () => {
  await replaceCode(CODE.replace('async function execute', 'asink function execute'));
  await waitFor('the problem', async () => (await problems()).includes('Line 2'));
  await waitFor('no way to prove it', () => panel.frame().$('.migrate-head .primary[aria-disabled=true]'));
  await replaceCode(CODE.replace('async function execute', '{'.repeat(2) + 'async function execute'));
  await waitFor('the rule', async () => (await problems()).includes('code must not contain'));
  await replaceCode(CODE);
  await waitFor('no problem', async () => (await problems()) === '');
});

// The unit tests of a migration have what an edit makes of its proof.
if (isExhaustive())
  test('an edit during a proof makes it stale, and a second proof replaces the first', async () => {
    // Until its runs are read, the proof hasn’t taken the code yet, and would take the edited one.
    const started = proofStarts();
    await press('Prove again');
    await started;
    await replaceCode(`${CODE}// Edited meanwhile.\n`);
    await proofEnds();
    await statusBecomes('Not proved');
    await press('Prove again');
    await statusBecomes('Proved');
    expect(await text('.migrate-code')).toContain('Edited');
  });

test('an edit right before the panel closes isn’t lost', async () => {
  await replaceCode(`${CODE}// The last edit.\n`);
  await panel.reload();
  await openMigration();
  await press('Prove');
  await statusBecomes('Proved');
  await waitFor('the code', () => panel.frame().$('.cm-content'));
  expect(await panel.frame().$eval('.cm-content', (code) => (code as HTMLElement).innerText)).toContain(
    'The last edit.',
  );
});

// The unit tests of a migration have this rule, too.
if (isExhaustive())
  test('Start over restores the generated code', async () => {
    await press('Start over…');
    await press('Start over', 'dialog[open]');
    await press('Prove again');
    await statusBecomes('Proved');
    expect(await text('.migrate-code')).not.toContain('Edited');
  });

test('an edited code is proved again, and its difference opens in Compare', async () => {
  await replaceCode(CODE.replace('orders, many', 'orders, too many'));
  await waitFor('the edit', async () => (await text('.migrate-code')).includes('Edited'));
  await press('Prove again');
  await statusBecomes('Differs');
  await panel.frame().click('[data-path="/0/conditions/0/functions/0"]');
  await waitFor('the difference', async () => (await text('[data-migrate-step]')).includes('The result is different'));
  expect(await text('[data-migrate-step]')).toContain('5 orders, too many');
  await press('Open in Compare');
  await waitFor('both runs', async () => (await text('body')).includes('5 orders, too many'));
});
