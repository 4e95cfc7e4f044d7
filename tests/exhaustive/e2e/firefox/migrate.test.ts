/** *Migrate to V3* in Firefox: the view opens, and proves the code in the page on the platform’s recorded runs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { ask, record } from '../../../support/ask.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
const FUNCTIONS: Pipeline = [
  {
    type: 'if',
    conditions: [{ condition: 'count > 2', functions: [say('{{count}} orders, many')] }],
    elseFunctions: [say('{{count}} orders')],
  },
];

let bed: FirefoxBed;
let panel: FirefoxPanel;
let actionId: number;
beforeAll(async () => {
  bed = await startFirefoxBed({ ownPlatform: true });
  const { firefox, platform } = bed;
  const properties = { name: 'count-orders', functions: FUNCTIONS };
  const created = await ask<{ action: { id: number } }>(platform, '/v1/apps/101/actions', 'POST', properties);
  actionId = created.action.id;
  for (const count of [1, 5]) await record(platform, 101, 'count-orders', { count });
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  await firefox.navigate('about:blank');
  panel = await FirefoxPanel.open(firefox);
  await panel.press('Run', 'tab');
  await panel.choose('select[name=environment]', 'Local');
  // The code runs in the page of the tab, which also chooses the app.
  await new ScriptedRun(panel).open(compileUrl(platform.baseUrl, 101, actionId));
}, 300_000);
afterAll(() => bed?.close());

test('in Firefox, code is proved on recorded runs, step by step', async () => {
  await panel.press('Actions', 'tab');
  await panel.click(`[data-actions] [data-action="${actionId}"]`);
  await panel.press('Migrate to V3');
  await panel.press('Prove');
  await panel.says('.migrate-head .badge', /Proved$/);
  await panel.says('.migrate-summary', /2 recorded runs compared\. 2 of 2 branches ran\./);
  await panel.click('[data-path="/0/conditions/0/functions/0"]');
  await panel.says('[data-migrate-step]', /\/0\/conditions\/0\/functions\/0/);
  expect(await panel.all('[data-path][data-status]', 'data-status')).toEqual(['proved', 'proved', 'proved']);
});
