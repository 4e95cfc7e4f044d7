/** The debugger in Firefox: runs are paused, changed, and finished, and run again without sending anything. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { type ForeignServer, startForeignPages } from '../../../support/servers/foreign-pages.ts';
import { FOREIGN_RESULT } from '../../../support/servers/foreign-runtimes.ts';
import { findAction } from '../../../support/test-bed.ts';
import { outbox } from '../../../support/ask.ts';

const LOOP_STEP = '/2/functions/0';
const SEND = '/2/functions/0/conditions/0/functions/0';
const END = '/3';

let bed: FirefoxBed;
let pages: ForeignServer;
let panel: FirefoxPanel;
let run: ScriptedRun;
beforeAll(async () => {
  pages = await startForeignPages();
  bed = await startFirefoxBed({ ownPlatform: true });
  const { firefox, platform } = bed;
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  await (await bed.openOptions()).addEnvironment('Elsewhere', pages.origin, 'a-token-of-elsewhere');
  await firefox.navigate('about:blank');
  panel = await FirefoxPanel.open(firefox);
  run = new ScriptedRun(panel);
  await panel.press('Run', 'tab');
  await panel.choose('select[name=environment]', 'Local');
}, 300_000);
afterAll(async () => {
  await bed?.close();
  await pages?.close();
});

/** Opens an action, without breakpoints. */
async function open(action: string): Promise<void> {
  const { appId, taskId } = findAction(bed.platform, action);
  await run.open(compileUrl(bed.platform.baseUrl, appId, taskId));
  for (const path of await panel.all('[data-gutter][data-breakpoint]', 'data-gutter'))
    await panel.click(`[data-gutter="${path}"]`);
  await waitFor('no breakpoint', async () => !(await panel.has('[data-gutter][data-breakpoint]')));
}

/** The emails that the app has sent. */
async function sent(): Promise<number> {
  const { appId } = findAction(bed.platform, 'notify-admins');
  return (await outbox(bed.platform, appId)).filter((kind) => kind === 'email').length;
}

/** The result of the run that has just been started. */
async function result(number: number): Promise<unknown> {
  await panel.says('[data-run-state=completed] h2', new RegExp(`^Run ${number}\\b`));
  return run.result();
}

test('in Firefox, a run paused by a condition resumes with another context and outcome, and dry runs and runs from a step send nothing', async () => {
  await open('notify-admins');
  await run.breakpoint(SEND, { condition: 'notified == 2' });
  await panel.press('Run');
  await run.paused(/^Paused at send-email, iteration 17 breakpoint/);
  expect(await sent()).toBe(2);

  await run.editContext('"notified": 2', '"notified": 100');
  await run.setValue('by hand');
  await run.paused(/^Paused at if, iteration 18 step/);
  await panel.press('Resume');
  expect(await result(1)).toBe('103 of 40 people notified');
  expect(await sent()).toBe(4);

  await panel.menu(`[role=treeitem][data-path="${END}"]`, 'Run from here…');
  await panel.click('[data-code=RUN_FROM] button');
  expect(await result(2)).toBe('103 of 40 people notified');
  expect(await sent()).toBe(4);

  await panel.click(`[data-gutter="${SEND}"]`);
  await panel.click('.mocks-button');
  await panel.click('input[name=dry-run]');
  await panel.see('that mocks are on', '.mocks-button.on');
  await panel.press('Run');
  expect(await result(3)).toBe('5 of 40 people notified');
  expect(await sent()).toBe(4);
  await panel.click('input[name=dry-run]');
  await waitFor('no mocks', async () => !(await panel.has('.mocks-button.on')));
}, 300_000);

test('in Firefox, a logpoint logs, a breakpoint waits for its hit, and a run goes to a step', async () => {
  await open('notify-admins');
  await run.breakpoint(SEND, { log: 'Sending to {{currentItem.data.name}}' });
  await run.breakpoint(LOOP_STEP, { hits: '40' });
  await run.start();
  await run.paused(/^Paused at if, iteration 40 breakpoint/);
  await panel.press('Resume');
  expect(await run.ended()).toBe('completed');
  await run.selectRun();
  await run.tab('console');
  await panel.says('[data-detail]', /logpoint Sending to Ada Bakker/);

  await panel.click(`[data-gutter="${LOOP_STEP}"]`);
  await panel.menu(`[role=treeitem][data-path="${END}"]`, 'Run to here');
  await run.paused(/^Paused at return-string/);
  await panel.press('Stop the run');
  await panel.see('the stopped run', '[data-run-state=stopped]');
});

test('in Firefox, a mocked outcome is in its set, and marked in the next run', async () => {
  await open('notify-admins');
  expect(await run.run()).toBe('completed');
  await run.select(SEND, '0');
  await run.mockOutcome('offline mail');
  const before = await sent();
  expect(await run.run()).toBe('completed');
  expect(await sent()).toBe(before);
  expect(Object.values(await run.replaced(SEND, 5))).toEqual(Array(5).fill('mocked'));
});

test('in Firefox, a failure pauses the run, and its smallest failing payload is found', async () => {
  await open('throws-on-bad-address');
  await panel.press('Pause on failure');
  await run.start();
  await run.paused(/^Paused at check-address, iteration 12 failure TypeError: /);
  await run.setValue('by hand');
  expect(await run.ended()).toBe('completed');

  await panel.press('Pause on failure');
  expect(await run.run()).toBe('failed');
  await run.command('Find the smallest failing payload');
  expect(await run.notice('SMALLEST_FOUND')).toMatch(/Still fails with \d+ of [\d,]+ characters/);
  await panel.press('Use as payload');
});

test('in Firefox, a breakpoint that the platform’s runtime would ignore is announced, and pauses with our engine', async () => {
  await panel.choose('select[name=environment]', 'Elsewhere');
  await run.open(pages.debugPage('map'));
  await run.notice('TRACING_WRAPPED');
  await panel.click('[data-gutter="/1"]');
  expect(await run.notice('DEBUGGER_IGNORED')).toContain('Breakpoints need our engine.');
  expect(await run.run()).toBe('completed');
  await panel.press('Use our engine');
  await run.start();
  await run.paused(/^Paused at hold breakpoint/);
  await panel.press('Resume');
  expect(await run.ended()).toBe('completed');
  expect(await run.result()).toBe(FOREIGN_RESULT);
});
