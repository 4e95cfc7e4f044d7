/** Takes the picture for Firefox’s store, in the real toolbox. */
import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { closeToolbox, resizeToolbox, shootToolbox } from '../../../../lib/browser-driver/firefox/toolbox.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { SCREENSHOT, storePicture } from '../../../support/store-pictures.ts';
import { findAction } from '../../../support/test-bed.ts';

let bed: FirefoxBed;
beforeAll(async () => {
  bed = await startFirefoxBed();
  await (await bed.openOptions()).addEnvironment('Local', bed.platform.baseUrl, bed.platform.authToken);
});
afterAll(async () => {
  await closeToolbox(bed.firefox);
  await bed?.close();
});

test('a run that failed, in Firefox’s toolbox', async () => {
  const { firefox, platform } = bed;
  await firefox.navigate('about:blank');
  const panel = await FirefoxPanel.open(firefox, 'window');
  await resizeToolbox(firefox, SCREENSHOT.width, SCREENSHOT.height);
  await panel.press('Run', 'tab');
  await panel.choose('select[name=environment]', 'Local');
  const run = new ScriptedRun(panel);
  const { appId, taskId } = findAction(platform, 'throws-on-bad-address');
  await run.open(compileUrl(platform.baseUrl, appId, taskId));
  expect(await run.run()).toBe('failed');
  await panel.see('the failure', '[role=alert][data-code=STEP_FAILED]');
  await panel.see('the run in the list', '[data-history] [data-run][data-state=failed]');
  const path = await storePicture('7-firefox');
  await writeFile(path, await shootToolbox(firefox));
  const png = await readFile(path);
  expect({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) }).toEqual(SCREENSHOT);
});
