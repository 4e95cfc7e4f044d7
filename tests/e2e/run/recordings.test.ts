/** A failed run as a recording: exported, opened elsewhere, replayed, changed, and compared. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { ElementHandle } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import { savedFile } from '../../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const ACTION = 'throws-on-bad-address';
const CHECK = '/1/functions/0/conditions/0/functions/0';

let bed: TestBed;
let recording: string;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
});
afterAll(() => bed?.close());

const has = async (panel: PanelPage, selector: string): Promise<boolean> => (await panel.frame().$(selector)) !== null;

async function command(panel: PanelPage, name: string): Promise<void> {
  await panel.press('Recording');
  await panel.press(name);
}

async function importFile(panel: PanelPage, text: string, name = 'a.run.json'): Promise<void> {
  const path = resolve(await mkdtemp(resolve(tmpdir(), 'recordings-')), name);
  await writeFile(path, text);
  const input = await panel.frame().$('input[aria-label="Runs file or recording to import"]');
  await (input as ElementHandle<HTMLInputElement>).uploadFile(path);
}

/** The recording in a panel whose tab has no page of the platform. */
async function opened(): Promise<PanelPage> {
  await bed.closeTabs();
  const panel = await bed.panel({ in: 'page' });
  await importFile(panel, recording);
  await waitFor('the run of the recording', async () => (await panel.runState()) === 'failed');
  return panel;
}

const noticeOf = (panel: PanelPage, code: string): Promise<string> =>
  waitFor(`the notice ${code}`, () => panel.notice(code));

/** A resized panel is arranged in another way, without the open menu. */
async function expectMenuInside(panel: PanelPage, width: number): Promise<void> {
  await panel.resize(width);
  await panel.press('Recording');
  await waitFor('the menu', () => has(panel, '.menu.commands:popover-open'));
  const box = await panel.frame().$eval('.menu.commands', (menu) => menu.getBoundingClientRect().toJSON() as DOMRect);
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(width);
  await panel.devtools.keyboard.press('Escape');
  await waitFor('the closed menu', async () => !(await has(panel, '.menu.commands:popover-open')));
}

test('a failed run is exported as a recording', async () => {
  const panel = await bed.panel({ in: 'page', action: ACTION });
  expect(await panel.run()).toBe('failed');
  const steps = (await panel.steps()).length;
  await panel.press('Recording');
  await waitFor('the stored recording', () => panel.canPress('Export recording'));
  const file = await savedFile(panel.frame(), () => panel.press('Export recording'));
  expect(file.name).toMatch(/^throws-on-bad-address-.*\.run\.json$/);
  recording = file.text;
  expect(JSON.parse(recording)).toMatchObject({ format: 'platform-devtools/run', end: { state: 'failed' } });
  expect(recording).not.toContain(bed.platform.authToken);
  expect(steps).toBeGreaterThan(0);
});

test('a failed log record opens as a recording', async () => {
  const { appId, taskId, app } = findAction(bed.platform, ACTION);
  const response = await fetch(`${bed.platform.baseUrl}/v1/apps/${appId}/actions/${taskId}/run-with-result?by=id`, {
    method: 'POST',
    headers: { 'Auth-token': bed.platform.authToken, 'Content-Type': 'application/json' },
    body: '{}',
  });
  expect(response.ok).toBe(false);
  await bed.closeTabs();
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local', app });
  await panel.frame().locator('aria/Actions[role="tab"]').click();
  await panel.frame().locator('aria/Logs[role="tab"]').click();
  await panel.frame().select('select[name=log-outcome]', 'failed');
  await panel.frame().locator('[data-logs] [role=row][data-type="app.task.failed"]').click();
  await panel.press('Open recording');
  await waitFor('the run of the record', async () => (await panel.runState()) === 'failed');
  expect(await panel.frame().$eval('.run-head', (head) => (head as HTMLElement).innerText)).toContain(
    'from the server log',
  );
  expect((await panel.tree())[CHECK]).toBe('failed');
});

test('the recording opens without the page, with its pipeline, steps, and whole contexts', async () => {
  const panel = await opened();
  expect((await panel.tree())[CHECK]).toBe('failed');
  expect((await panel.alert())?.text).toMatch(/check-address failed in iteration 12/);
  await panel.frame().locator('aria/Context[role="tab"]').click();
  await panel.press('Before');
  await waitFor('the whole context', () => has(panel, '[aria-label="Context before"]'));
  expect(await panel.details()).toContain('records');
});

test('a tampered recording says where its replay first differs, and shows that step', async () => {
  const panel = await opened();
  const changed = JSON.parse(recording) as { steps: { path: string; branch?: number | null }[] };
  changed.steps.find(({ branch }) => branch === 0)!.branch = null;
  await importFile(panel, JSON.stringify(changed));
  await command(panel, 'Replay');
  const text = await noticeOf(panel, 'REPLAY_DIFFERENT');
  expect(text).toMatch(/The replay first differs at if \(\/1\/functions\/0, iteration \d+\): another branch ran\./);
  await panel.press('Show step');
  await waitFor('the step', async () => (await panel.details()).includes('/1/functions/0'));
});

test('a changed condition shows the new branch, a missing outcome is mocked, and the result is compared', async () => {
  const panel = await opened();
  const frame = panel.frame();
  await command(panel, 'What if…');
  await waitFor('the editor', () => has(panel, '[data-what-if]'));
  await frame.select('select[name=what-if-step]', '/1/functions/0');
  await fill(frame, 'input[name=what-if-field]', "currentItem.data.role === 'none'");
  await panel.press('Replay with changes');
  expect(await noticeOf(panel, 'WHAT_IF_NO_OUTCOME')).toBe(
    'What if: no recorded outcome for return-string (/2). Mock the step, or run the action.',
  );
  expect((await panel.tree())[CHECK]).toBe('idle');

  await panel.press('Mock the step…');
  await waitFor('the mock', () => has(panel, '[data-what-if-mock="/2"]'));
  await fill(frame, '[name=what-if-mock]', '"all valid"');
  await panel.press('Replay with changes');
  expect(await noticeOf(panel, 'WHAT_IF_COMPLETED')).toContain('would complete with "all valid"');
  expect(await panel.runState()).toBe('completed');
  await panel.press('Compare with the original');
  await waitFor('the comparison', () => has(panel, '[data-compare=ready]'));
});

test('the smallest failing payload is found, and opens as a run', async () => {
  const panel = await opened();
  await command(panel, 'Find the smallest failing payload');
  expect(await noticeOf(panel, 'SMALLEST_FOUND')).toMatch(/Still fails with \d+ of [\d,]+ characters/);
  expect(await panel.runState()).toBe('failed');
  await panel.press('Use as payload');
});

test('copied as a test, the run is saved as two files, and the panel says what to do with them', async () => {
  const panel = await opened();
  await panel.press('Recording');
  const file = await savedFile(panel.frame(), () => panel.press('Copy as test'));
  expect(file.name).toMatch(/\.test\.ts$/);
  expect(file.text).toContain("from '@platform-devtools/pipeline/debugging'");
  expect(await noticeOf(panel, 'TEST_SAVED')).toContain(file.name);
});

test('replays offline, with the platform stopped', async () => {
  const panel = await opened();
  await bed.platform.close();
  for (const width of [420, 700, 1200]) await expectMenuInside(panel, width);
  await command(panel, 'Replay');
  expect(await noticeOf(panel, 'REPLAY_SAME')).toMatch(/Replayed: same \d+ steps, same error\./);
});

test('bad files are refused with a reason, and the displayed run stays', async () => {
  const panel = await opened();
  const bad: [text: string, code: string][] = [
    [recording.slice(0, -100), 'RECORDING_NOT_JSON'],
    [recording.replace('"version":1', '"version":99'), 'RECORDING_NEWER'],
    ['{"a":1}', 'RECORDING_NOT_ONE'],
    [recording.replaceAll(`"path":"${CHECK}"`, '"path":"/9"'), 'RECORDING_DAMAGED'],
  ];
  for (const [text, code] of bad) {
    await importFile(panel, text);
    await waitFor(code, async () => (await panel.frame().$(`[role=alert][data-code=${code}]`)) !== null);
    expect(await panel.runState()).toBe('failed');
  }
  const marked = recording.replaceAll('northwind', '<img src=x onerror=alert(1)>');
  await importFile(panel, marked);
  await waitFor(
    'the marked recording',
    async () => !(await has(panel, '.tab-body [role=alert][data-code^=RECORDING]')),
  );
  expect(await panel.frame().$$eval('main img', (images) => images.length)).toBe(0);
});
