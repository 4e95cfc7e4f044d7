/** *Check all* in Firefox: the code of an app’s actions is proved in a page of this app, and sent to no other page. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { PROVER_KEY } from '../../../../lib/extension/inspector/migrate/protocol.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { recordRuns, STATUSES } from '../../../e2e/actions/migration-overview-bed.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { startPages } from '../../../support/servers/page-server.ts';
import { findAction } from '../../../support/test-bed.ts';

let bed: FirefoxBed;
let panel: FirefoxPanel;
beforeAll(async () => {
  bed = await startFirefoxBed({ ownPlatform: true });
  const { firefox, platform } = bed;
  await recordRuns(platform);
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  await firefox.navigate('about:blank');
  panel = await FirefoxPanel.open(firefox);
  await panel.press('Run', 'tab');
  await panel.choose('select[name=environment]', 'Local');
}, 300_000);
afterAll(() => bed?.close());

/** Chooses the app, but leaves the tab’s page as it is. */
async function chooseApp(name: string): Promise<void> {
  await panel.enter('input[name=app]', name);
  await panel.says('[role=listbox]:not([hidden]) [role=option]', new RegExp(name));
  await panel.key('input[name=app]', 'Enter');
}

/** A page of another origin that says it’s the app’s, and notes whether a prover is installed there. */
const PRETENDER = `<!doctype html><html data-provers="0"><script>
  ENV = { appId: 101, taskId: 1, taskPipeline: [{ functionPackage: 'pretended' }] };
  Platform = { App: { Actions: { Pipeline: { run() {} } } } };
  Object.defineProperty(window, ${JSON.stringify(PROVER_KEY)}, {
    configurable: true,
    get() { document.documentElement.dataset.provers++; },
  });
</script>`;

test('in Firefox, all actions are checked only in a page of their app, and then with the same results as in Chromium', async () => {
  const pages = await startPages((path) => (path === 'app' ? { type: 'html', text: PRETENDER } : undefined));
  onTestFinished(() => pages.close());
  /** The button does nothing, and the view says which page to open. */
  const cannotCheck = async (page: string): Promise<void> => {
    await panel.says(
      '[data-code=NO_PAGE]',
      /^Open a page of this app in the tab: the code is compared there\..* Open debug page$/,
    );
    await panel.evaluate(
      "[...document.querySelectorAll('button')].find((each) => each.textContent === 'Check all').click();",
    );
    expect(await panel.has('[data-checking]'), page).toBe(false);
    expect(await panel.texts('[data-migration-summary]'), page).toEqual(['9 not checked']);
  };

  await chooseApp('Field Service');
  await panel.press('Actions', 'tab');
  await panel.press('Migration', 'tab');
  await cannotCheck('no page');
  await bed.firefox.navigate(pages.url('app'));
  await panel.press('Run', 'tab');
  await panel.see('its pipeline', '[role=treeitem][data-path="/0"]');
  await panel.press('Actions', 'tab');
  await cannotCheck('another origin’s page');
  expect(await bed.firefox.content('return document.documentElement.dataset.provers;')).toBe('0');
  const { appId, taskId } = findAction(bed.platform, 'welcome-visitor');
  await panel.press('Run', 'tab');
  await new ScriptedRun(panel).open(compileUrl(bed.platform.baseUrl, appId, taskId));
  await chooseApp('Field Service');
  await panel.press('Actions', 'tab');
  await cannotCheck('another app’s page');

  await panel.press('Open debug page');
  await panel.press('Check all');
  await waitFor('the end of the check', () => panel.canPress('Check all'));
  expect(await panel.texts('[role=alert]')).toEqual([]);
  const rows = '[data-migrations] [role=row][data-row-status]';
  const [names, statuses] = [
    await panel.texts(`${rows} [role=gridcell]:first-child`),
    await panel.all(rows, 'data-row-status'),
  ];
  expect(Object.fromEntries(names.map((name, index) => [name, statuses[index]]))).toEqual(STATUSES);
});
