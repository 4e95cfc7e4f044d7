/** Mocks: outcomes of past runs, and dry runs. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MocksPage } from '../../../lib/browser-driver/pages/mocks-page.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';
import { outbox } from '../../support/ask.ts';

const MAIL = '/2/functions/0/conditions/0/functions/0';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

const sent = (): Promise<string[]> => outbox(bed.platform, findAction(bed.platform, 'notify-admins').appId);

async function opened(action: string): Promise<{ panel: PanelPage; mocks: MocksPage }> {
  const panel = await bed.panel({ in: 'page', action });
  return { panel, mocks: new MocksPage(panel) };
}

/** The text of a step in the pipeline. */
const treeRow = (panel: PanelPage, path: string): Promise<string | null> =>
  panel.frame().$eval(`[role=treeitem][data-path="${path}"]`, (row) => row.textContent);

/** The paths of the steps that the timeline marks as mocked. */
async function marked(panel: PanelPage): Promise<string[]> {
  const steps = await panel.steps();
  return [...new Set(steps.filter(({ text }) => /\bmocked\b/.test(text)).map(({ path }) => path))];
}

test('the outcome of a step of a past run is mocked in the next one, and marked everywhere', async () => {
  const { panel, mocks } = await opened('notify-admins');
  await mocks.says('Mocks');
  expect(await panel.run()).toBe('completed');
  const before = await sent();
  expect(before).toContain('email');
  const result = await panel.result();
  await mocks.selectStep(MAIL, '0');
  await mocks.mockOutcome('offline mail');
  await mocks.says('Mocks: offline mail 1 on');

  expect(await panel.run()).toBe('completed');
  expect((await sent()).slice(before.length)).not.toContain('email');
  // The steps inside of the mocked one still run.
  expect(await panel.result()).toBe(result);
  expect(await marked(panel)).toEqual([MAIL]);
  const head = await panel.frame().$eval('.run-head', (header) => (header as HTMLElement).innerText);
  expect(head).toMatch(/1 mock on, 5 steps mocked/);
  expect(await panel.details()).toContain('mocked This result depends on mocks: 5 steps mocked.');
  expect(await treeRow(panel, MAIL)).toMatch(/mock.*5 mocked/);

  await panel.press('Undo');
  await mocks.says('Mocks');
});

test('a dry run sends nothing, also after the panel was reloaded', async () => {
  const { panel, mocks } = await opened('notify-admins');
  await mocks.turn('Dry run', true);
  await mocks.says('Mocks: dry run 4 on');
  await panel.reload();
  await panel.pipelineShown();
  await mocks.says('Mocks: dry run 4 on');
  const before = await sent();
  expect(await panel.run()).toBe('completed');
  expect(await sent()).toEqual(before);
  expect((await marked(panel)).map((path) => path.split('/').length)).toEqual([8, 12]);
  await mocks.turn('Dry run', false);
  await mocks.says('Mocks');
});
