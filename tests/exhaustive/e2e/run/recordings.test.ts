/** Recordings that are tampered with, made smaller, copied as tests, damaged, and of the server’s log. */
import { expect, test } from 'vitest';
import type { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { savedFile } from '../../../../lib/browser-driver/pages/saved-file.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { ACTION, CHECK, command, has, importFile, noticeOf, RecordingsBed } from '../../../support/recordings-bed.ts';
import { findAction } from '../../../support/test-bed.ts';
import { ask } from '../../../support/ask.ts';
import { click, press } from '../../../../lib/browser-driver/pages/press.ts';

const recordings = new RecordingsBed();

/** A resized panel is arranged in another way, without the open menu. */
async function expectMenuInside(panel: PanelPage, width: number): Promise<void> {
  await panel.resize(width);
  await panel.press('This run');
  await waitFor('the menu', () => has(panel, '.menu.commands:popover-open'));
  const box = await panel.frame().$eval('.menu.commands', (menu) => menu.getBoundingClientRect().toJSON() as DOMRect);
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(width);
  await panel.devtools.keyboard.press('Escape');
  await waitFor('the closed menu', async () => !(await has(panel, '.menu.commands:popover-open')));
}

test('the menu of recordings is inside of the panel at any width', async () => {
  const panel = await recordings.opened();
  for (const width of [420, 700, 1200]) await expectMenuInside(panel, width);
});

test('a failed log record opens as a recording', async () => {
  const { appId, taskId, app } = findAction(recordings.bed.platform, ACTION);
  const run = `/v1/apps/${appId}/actions/${taskId}/run-with-result?by=id`;
  await expect(ask(recordings.bed.platform, run, 'POST', {})).rejects.toThrow('ACTION_FAILED');
  const panel = await recordings.bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local', app });
  await press(panel.frame(), 'Actions', { role: 'tab' });
  await press(panel.frame(), 'Logs', { role: 'tab' });
  await panel.frame().select('select[name=log-outcome]', 'failed');
  await click(panel.frame(), '[data-logs] [role=row][data-type="app.task.failed"]');
  await panel.press('Open recording');
  await waitFor('the run of the record', async () => (await panel.runState()) === 'failed');
  expect(await panel.frame().$eval('.run-head', (head) => (head as HTMLElement).innerText)).toContain(
    'from the server log',
  );
  expect((await panel.tree())[CHECK]).toBe('failed');
});

test('a tampered recording says where its replay first differs, and shows that step', async () => {
  const panel = await recordings.opened();
  const changed = JSON.parse((await recordings.file()).text) as { steps: { path: string; branch?: number | null }[] };
  changed.steps.find(({ branch }) => branch === 0)!.branch = null;
  await importFile(panel, JSON.stringify(changed));
  await command(panel, 'Replay');
  const text = await noticeOf(panel, 'REPLAY_DIFFERENT');
  expect(text).toMatch(/The replay first differs at if \(\/1\/functions\/0, iteration \d+\): another branch ran\./);
  await panel.press('Show step');
  await waitFor('the step', async () => (await panel.details()).includes('/1/functions/0'));
});

test('the smallest failing payload is found, and opens as a run', async () => {
  const panel = await recordings.opened();
  await command(panel, 'Find the smallest failing payload');
  expect(await noticeOf(panel, 'SMALLEST_FOUND')).toMatch(/Still fails with \d+ of [\d,]+ characters/);
  expect(await panel.runState()).toBe('failed');
  await panel.press('Use as payload');
});

test('copied as a test, the run is saved as two files, and the panel says what to do with them', async () => {
  const panel = await recordings.opened();
  await panel.press('This run');
  const file = await savedFile(panel.frame(), () => panel.press('Copy as test'));
  expect(file.name).toMatch(/\.test\.ts$/);
  expect(file.text).toContain("from '@platform-devtools/pipeline/debugging'");
  expect(await noticeOf(panel, 'TEST_SAVED')).toContain(file.name);
});

test('bad files are refused with a reason, and the displayed run stays', async () => {
  const panel = await recordings.opened();
  const { text: recording } = await recordings.file();
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
