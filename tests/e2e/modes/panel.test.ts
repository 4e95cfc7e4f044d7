/** The panel’s tabs on a local platform, and on one that offers only what the specification shows. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppsTab } from '../../../lib/browser-driver/pages/apps-tab.ts';
import { OAuth2Tab } from '../../../lib/browser-driver/pages/oauth2-tab.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { MODES, type ModeBed, startModeBed } from './mode-bed.ts';

describe.each(MODES)('on a platform in mode %s', (mode) => {
  let modes: ModeBed;
  let panel: PanelPage;
  beforeAll(async () => {
    modes = await startModeBed(mode);
    const { bed, proxy } = modes;
    await bed.enter({ name: 'Here', baseUrl: proxy.baseUrl });
    panel = await bed.panel();
  });
  afterEach(() => {
    if (mode === 'local') expect(modes.beyond()).not.toEqual([]);
    else expect(modes.beyond().slice(1)).toEqual([]);
  });
  afterAll(() => modes?.close());

  test('an app’s sessions are shown with its users', async () => {
    const apps = new AppsTab(panel);
    await apps.openTable('Here');
    expect(await apps.cells('[data-apps]', 'Name')).toEqual(['Field Service', 'Team Directory', 'Visitor Desk']);
    await apps.openApp(101);
    expect(await apps.read()).toMatch(/\d+ users, /);
    await apps.tab('Sessions');
    expect((await apps.cells('[data-sessions]', 'User')).length).toBeGreaterThan(5);
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
