/** The debugger in Firefox: a run is paused, changed, and finished, and then run again without sending anything. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../lib/browser-driver/firefox/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { type FirefoxBed, startFirefoxBed } from '../../support/firefox-bed.ts';
import { findAction } from '../../support/test-bed.ts';

const SEND = '/2/functions/0/conditions/0/functions/0';
const END = '/3';

let bed: FirefoxBed;
let panel: FirefoxPanel;
let appId: number;
beforeAll(async () => {
  bed = await startFirefoxBed({ ownPlatform: true });
  const { firefox, platform } = bed;
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  await firefox.navigate('about:blank');
  panel = await FirefoxPanel.open(firefox);
  await waitFor('the environment in the panel', () =>
    panel.evaluate<boolean>("return document.querySelector('select[name=environment]')?.value !== undefined;"),
  );
  const action = findAction(platform, 'notify-admins');
  appId = action.appId;
  await panel.press('Run', 'tab');
  await panel.enter('input[name=url]', compileUrl(platform.baseUrl, appId, action.taskId));
  await panel.press('Open');
  await panel.see('the pipeline', `[role=treeitem][data-path="${SEND}"]`);
  await panel.enter('textarea[name=payload]', '{}');
}, 300_000);
afterAll(() => bed?.close());

/** The emails that the app has sent. */
async function sent(): Promise<number> {
  const response = await fetch(`${bed.platform.baseUrl}/v1/apps/${appId}/outbox`, {
    headers: { 'Auth-token': bed.platform.authToken },
  });
  const { messages } = (await response.json()) as { messages: { kind: string }[] };
  return messages.filter(({ kind }) => kind === 'email').length;
}

/** The result of the run that has just been started. */
async function result(number: number): Promise<unknown> {
  await panel.says('[data-run-state=completed] h2', new RegExp(`^Run ${number}\\b`));
  await panel.click('[data-detail] [role=tab][id$="-result"]');
  await panel.see('the result', '[data-result]');
  return JSON.parse((await panel.all('[data-result]', 'data-result'))[0]!);
}

test('in Firefox, a run paused by a condition resumes with another context and outcome, and dry runs and runs from a step send nothing', async () => {
  await panel.menu(`[role=treeitem][data-path="${SEND}"]`, 'Add conditional breakpoint…');
  await panel.see('the editor of the breakpoint', 'input[name=breakpoint-condition]');
  await panel.enter('input[name=breakpoint-condition]', 'notified == 2');
  await panel.press('Add');
  await panel.press('Run');
  await panel.says('.pause-bar .pause-text', /^Paused at send-email, iteration 17 breakpoint/);
  expect(await sent()).toBe(2);

  await panel.click('[data-detail] [role=tab][id$="-context"]');
  await panel.press('Edit');
  await panel.see('the context', 'textarea[name=context]');
  await panel.replace('textarea[name=context]', '"notified": 2', '"notified": 100');
  await panel.press('Apply');
  await waitFor('the applied context', async () => (await panel.all('[data-context-editor]', 'class')).length === 0);
  await panel.press('Set outcome…');
  await panel.click('[data-outcome] input[value=value]');
  await panel.see('the value', 'textarea[name=outcome-value]');
  await panel.enter('textarea[name=outcome-value]', '"by hand"');
  await panel.click('[data-outcome] button[type=submit]');
  await panel.says('.pause-bar .pause-text', /^Paused at if, iteration 18 step/);
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
}, 300_000);
