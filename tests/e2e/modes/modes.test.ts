/** The popup and the panel’s four tabs on a platform that offers only what the specification shows; in test:all, on a local one. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Runtime } from '../../../lib/actions/runtime.ts';
import { AppsTab } from '../../../lib/browser-driver/pages/apps-tab.ts';
import { OptionsPage } from '../../../lib/browser-driver/pages/options-page.ts';
import { OAuth2Tab } from '../../../lib/browser-driver/pages/oauth2-tab.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import type { SharedStorage } from '../../../lib/extension/messaging/announcements.ts';
import { compileUrl } from '../../../lib/platform-api/index.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { picturePath } from '../../support/picture-path.ts';
import { findAction } from '../../support/test-bed.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { type Mode, type ModeBed, startModeBed } from './mode-bed.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

declare const Platform: Runtime;

const mode: Mode = isExhaustive() ? 'local' : 'spec-only';

describe(`on a platform in mode ${mode}`, () => {
  let modes: ModeBed;
  let panel: PanelPage;
  /** Its helpers work on every tab. */
  let shown: AppsTab;
  beforeAll(async () => {
    modes = await startModeBed(mode);
    await modes.bed.enter({ name: 'Here', baseUrl: modes.proxy.baseUrl });
  });
  afterEach(() => {
    if (mode === 'local') expect(modes.beyond()).not.toEqual([]);
    else expect(modes.beyond()).toHaveLength(1);
  });
  afterAll(() => modes?.close());

  const actionOfPage = (id: number) =>
    panel.inspected.evaluate(async (id) => (await Platform.App.Actions.get()).find((each) => each.id === id), id);

  test('an update is published from the popup, and other pages hear what the platform offers', async () => {
    const { page } = await OptionsPage.open(modes.bed.extension);
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(globalThis, { heard });
      const { storage } = (globalThis as unknown as { chrome: { storage: SharedStorage } }).chrome;
      storage.onChanged.addListener((changes) =>
        heard.push((changes['platform-devtools.announced.stored']?.newValue as { value?: string } | undefined)?.value),
      );
    });
    const popup = await PopupPage.open(modes.bed.extension);
    await popup.chooseApp('Field Service');
    expect(await popup.read()).toMatch(/^Field Service: version 12 to 13, silent\. \d+ users/);
    await popup.write({ changelog: 'Visits can be signed.' });
    await popup.press('Publish');
    expect(await popup.outcome()).toBe('published');
    expect(await popup.text()).toMatch(/Published version 13/);
    await popup.close();
    expect(await page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard)).toContain('environments');
    await page.close();
  });

  test('an action is chosen or its URL pasted, opened, and run, which shows each step and the result', async () => {
    const { app, appId, taskId } = findAction(modes.bed.platform, 'is-email-registered');
    panel = await modes.bed.panel({ in: 'page' });
    shown = new AppsTab(panel);
    await panel.choose({ environment: 'Here' });
    if (mode === 'local') await panel.choose({ app, action: 'is-email-registered' });
    else await shown.type('[name=url]', compileUrl(modes.proxy.baseUrl, appId, taskId));
    await panel.open();
    expect(panel.inspected.url()).toBe(compileUrl(modes.proxy.baseUrl, appId, taskId));
    await panel.setPayload('{"email": "nobody@nowhere.example"}');
    expect(await panel.run()).toBe('completed');

    const steps = await panel.steps();
    expect(steps.map(({ path }) => path)).toEqual(['/0', '/1', '/1/elseFunctions/0']);
    for (const { text } of steps) expect(text).toMatch(/\d\s?(ms|s)\b/);
    expect(JSON.parse(await panel.result())).toBe('nobody@nowhere.example is not registered');
    await panel.select('/1/conditions/0/functions/0');
    const details = await panel.details();
    expect(details).toMatch(/Didn’t run\. Its condition was false: records\.length > 0/);
    expect(details).toContain('email "nobody@nowhere.example"');
    expect(details).toContain('message: "{{email}} is registered"');
    await panel.picture(picturePath(`modes-run-${mode}`));

    // With a page of the app in the tab, its actions can be chosen by name on both platforms.
    await panel.choose({ action: 'is-email-registered' });
  });

  test('the app’s actions are listed, and one is changed, published, and run, and its log record shown', async () => {
    const { taskId } = findAction(modes.bed.platform, 'is-email-registered');
    const row = `[data-actions] [data-action="${taskId}"]`;
    await shown.tab('Actions');
    await shown.says(row, 'is-email-registered');
    await click(panel.frame(), row);
    await panel.press('Edit');
    await shown.type('[name=action-name]', 'is-email-known');
    await panel.press('Save');
    await shown.says('.edit-status', 'Saved');
    await panel.press('Close editor');
    await shown.says(row, 'is-email-known');
    expect((await actionOfPage(taskId))?.name).toBe('is-email-known');

    await panel.press('Publish');
    await waitFor('the published copy', async () => (await actionOfPage(taskId))?.published?.name === 'is-email-known');
    await panel.setPayload('{"email": "ada@nowhere.example"}');
    await panel.press('Run with result');
    await waitFor('the result', () => panel.frame().$('[data-run-result*="ada@nowhere.example is not registered"]'));
    await panel.picture(picturePath(`modes-actions-${mode}`));
    await shown.tab('Logs');
    await click(panel.frame(), '[data-logs] [role=row][data-log]');
    await shown.says('[data-log-detail]', 'app.action.completed');

    await panel.inspected.goto('about:blank');
    if (mode === 'local') return;
    await shown.says('[data-way=none]', 'No page open');
    await panel.press('Open the debug page of is-email-known');
    await shown.says('[data-way=page]', 'Through the page');
  });

  test('an app’s sessions are shown with its users', async () => {
    await shown.openTable('Here');
    expect(await shown.cells('[data-apps]', 'Name')).toEqual(['Field Service', 'Team Directory', 'Visitor Desk']);
    await shown.openApp(101);
    expect(await shown.read()).toMatch(/\d+ users, /);
    await shown.tab('Sessions');
    expect((await shown.cells('[data-sessions]', 'User')).length).toBeGreaterThan(5);
  });

  test('a login of an app’s page is shown as it happens', async () => {
    await panel.inspected.goto(modes.oauth2Page);
    const tab = await OAuth2Tab.open(panel);
    await tab.shows('both services', '[data-service="demo-implicit"]');
    await tab.logIn('demo-code');
    const login = await tab.flowOf('login', ({ tone }) => tone === 'success');
    expect(login.entries).toContain('token-answered');
  });
});
