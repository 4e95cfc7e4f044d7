/** The panel in a private window of Firefox, which lets extensions store nothing there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { ADDON, endFirefox, type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { findAction } from '../../../support/test-bed.ts';

/** Allows the extension in private windows, which restarts it. */
const ALLOW = `
  const { ExtensionPermissions } = ChromeUtils.importESModule('resource://gre/modules/ExtensionPermissions.sys.mjs');
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  await ExtensionPermissions.add(arguments[0], { permissions: ['internal:privateBrowsingAllowed'], origins: [] });
  const addon = await AddonManager.getAddonByID(arguments[0]);
  await addon.disable();
  await addon.enable();`;

let bed: FirefoxBed;
beforeAll(async () => {
  bed = await startFirefoxBed();
}, 300_000);
afterAll(async () => {
  await bed?.close();
  // Windows that are opened after a private one are private, too.
  await endFirefox();
});

test('in a private window of Firefox, an action runs, and the panel and the options page say that nothing is stored', async () => {
  const { firefox, platform } = bed;
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  await firefox.navigate('about:blank');
  await firefox.chrome(ALLOW, ADDON);
  await firefox.openPrivateWindow();
  const panel = await FirefoxPanel.open(firefox);
  await panel.press('Run', 'tab');
  const run = new ScriptedRun(panel);
  const { appId, taskId } = findAction(platform, 'notify-admins');
  await run.open(compileUrl(platform.baseUrl, appId, taskId));
  expect(await run.run()).toBe('completed');
  await panel.says('[role=alert][data-code=RUNS_UNAVAILABLE]', /New runs aren’t saved/);
  expect(await panel.all('[role=alert][data-code=RUNS_UNAVAILABLE]', 'data-code')).toHaveLength(1);
  expect(await panel.all('[data-history] [data-run]', 'data-run')).toEqual([]);

  await firefox.openWindow();
  await (await bed.openOptions()).waitForText('In Firefox, private windows store none.');
});
