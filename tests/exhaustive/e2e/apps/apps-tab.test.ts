/** The Apps tab by the keyboard, with every filter of sessions, while sessions load, and while a release rolls out. */
import { expect, onTestFinished, test } from 'vitest';
import { PopupPage } from '../../../../lib/browser-driver/pages/popup-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { hostileApps, MARKUP } from '../../../support/data/hostile-apps.ts';
import {
  APP,
  apps,
  checkFilters,
  faulty,
  filtersOf,
  sessionsOf,
  usedLast,
  setUpAppsTab,
  bed,
} from '../../../e2e/apps/apps-tab-bed.ts';
import { ask } from '../../../support/ask.ts';
import { press } from '../../../../lib/browser-driver/pages/press.ts';

setUpAppsTab();

test('the page of an app shows its facts, its users, and a link to the production app', async () => {
  faulty.given = ({ path }) =>
    path.startsWith('/v1/apps?') || path === '/v1/apps'
      ? {
          apps: hostileApps()
            .slice(0, 1)
            .flatMap((app) => [
              { ...app, productionAppId: 900_777 },
              { ...app, id: 900_777, name: 'Plain, live', settings: { theme: 'dark' }, colour: 'blue' },
            ]),
        }
      : path.includes('/analytics/sessions')
        ? { sessions: [] }
        : undefined;
  await apps.openTable('Faulty');
  await apps.openApp(900_001);
  await apps.says('[aria-label=Properties]', /ID 900001 .*Version 3 .*Your role role 2, user 31.*Organization 21/);
  await apps.read();
  await press(apps.frame(), 'Plain, live (900777)');
  await waitFor('the production app', () => apps.has('[data-app-page="900777"]'));
  expect(await apps.frame().$eval('input[name=app]', (input) => (input as HTMLInputElement).value)).toBe('Plain, live');
  await apps.says('[aria-label=Properties]', '1 other field');
  await apps.tab('Sessions');
  await apps.says('.empty', 'No sessions');
  await apps.panel.press('Back to all apps');
  await waitFor('the table', () => apps.has('[data-app="900001"]'));
});

test('sessions can be filtered by each of their properties', async () => {
  const all = await sessionsOf(APP);
  await apps.openTable('Faulty');
  await apps.openApp(APP);
  await apps.read();
  await apps.tab('Sessions');
  await checkFilters(all, filtersOf(all));
});

test('loading sessions can be stopped, and a failure is shown with what was loaded before it', async () => {
  await apps.openTable('Faulty');
  let respond = (): void => {};
  const held = new Promise<void>((resolve) => (respond = resolve));
  onTestFinished(() => respond());
  faulty.gate = (moment, { path }) =>
    moment === 'processed' && path.includes('/analytics/sessions') ? held : undefined;
  await apps.openApp(APP);
  await apps.says('[data-loading]', 'Loading sessions… 0 so far');
  await apps.panel.press('Stop loading sessions');
  await apps.says('[data-summary=cancelled]', 'Stopped loading sessions.');
  // The platform still hasn’t responded, and the stopped request delays nothing.
  faulty.gate = () => undefined;
  await apps.panel.press('Refresh sessions');
  await apps.read();
  faulty.only = ({ path }) => path.includes('/analytics/sessions');
  faulty.fault = 'html';
  await apps.panel.press('Refresh sessions');
  await apps.says('.app-page > [role=alert]', 'ANSWER_HTML');
  expect(await apps.shown('[data-summary=failed]')).toMatch(
    new RegExp(`^${usedLast(await sessionsOf(APP)).length} users, `),
  );
  faulty.fault = 'none';
  await apps.panel.press('Try again');
  await apps.read();
  expect(await apps.has('.app-page > [role=alert]')).toBe(false);
});

test('the Apps tab works with only the keyboard', async () => {
  await apps.openTable('Faulty');
  const { keyboard } = apps.panel.devtools;
  const focus = (): Promise<string> =>
    apps.frame().evaluate(() => {
      const { activeElement } = document;
      return (
        activeElement?.getAttribute('data-app') ??
        activeElement?.getAttribute('data-session') ??
        activeElement?.getAttribute('aria-label') ??
        (activeElement as HTMLElement | null)?.innerText ??
        ''
      );
    });
  const tabTo = async (expected: string | RegExp): Promise<void> => {
    for (let presses = 0; presses < 60; presses++) {
      const focused = await focus();
      if (typeof expected === 'string' ? focused === expected : expected.test(focused)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`${String(expected)} is not reached; the focus is on ${await focus()}.`);
  };
  await apps.frame().focus('[role=tab][aria-selected=true]');
  await tabTo('Search apps');
  await tabTo('Columns');
  await keyboard.press('Enter');
  await keyboard.press('Tab');
  await keyboard.press('Escape');
  await tabTo(/^\d+$/);
  await keyboard.press('Home');
  await waitFor('the first app', () => apps.has(`[data-app="${APP}"][aria-selected=true]`));
  await keyboard.press('Enter');
  await waitFor('its page', () => apps.has(`[data-app-page="${APP}"]`));
  await apps.read();
  await tabTo('Back to all apps');
  await tabTo('Overview');
  await keyboard.press('ArrowRight');
  await waitFor('the sessions', () => apps.has('[data-sessions]'));
  await tabTo('Search sessions');
  await tabTo('Export CSV');
  await tabTo(/^\d+$/);
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await waitFor('a detail', () => apps.has('[data-session-detail]'));
  await apps.frame().focus('.app-page [role=tab][aria-selected=true]');
  await keyboard.press('ArrowRight');
  await waitFor('the charts', () => apps.has('[data-chart=versions] canvas'));
  await tabTo('Show as table: Versions over time');
  await keyboard.press('Enter');
  await tabTo('Data for Versions over time');
  await tabTo('Day in Last access per day');
});

test('the rollout of a release follows the platform’s clock, can be paused and refreshed, and survives a platform that is down', async () => {
  const advance = (milliseconds: number) => ask(bed.platform, '/v1/clock', 'POST', { advance: milliseconds });
  await apps.openTable('Faulty');
  await apps.openApp(APP);
  await apps.read();
  await apps.panel.press('Watch version 12');
  await apps.says(
    '[data-adopted]',
    new RegExp(`^\\d+ of ${usedLast(await sessionsOf(APP)).length} users \\(\\d+%\\) have version 12 or newer\\.$`),
  );
  await apps.says('[aria-label="Releases from this browser"]', 'No releases published from this browser');

  const link = apps.frame().locator('control/Publish a release…[role="link"]');
  const opening = bed.extension.browser.waitForTarget((target) => target.url().includes('/popup.html?'));
  await link.click();
  const popup = new PopupPage((await (await opening).page())!);
  await popup.write({ type: 'silent', changelog: `${MARKUP} signatures` });
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  await popup.close();
  await advance(60_000);
  await apps.panel.press('Refresh sessions');
  await apps.says('[data-release]', `Version 13 silent`);
  expect(await apps.shown('[data-release] .changelog')).toBe(`${MARKUP} signatures`);
  await apps.panel.press('Watch version 13 instead');
  const on = async (): Promise<number> =>
    Number(await apps.frame().$eval('[data-adopted]', (element) => element.getAttribute('data-adopted')));
  await apps.says('[data-adopted]', 'have version 13 or newer');
  const before = await on();
  await advance(60 * 60_000);
  await apps.panel.press('Check now');
  await waitFor('more users', async () => (await on()) > before);
  await apps.says('[data-chart=live-adoption] [data-text-alternative]', /more users? on version 13/);
  await apps.says('.watch-state', /Watching.*next check in \d+ s/);

  await apps.panel.press('Pause');
  await waitFor('the pause', () => apps.has('[data-adoption=paused]'));
  await apps.panel.press('Resume');
  faulty.fault = 'html';
  await apps.panel.press('Check now');
  await apps.says('.adoption [role=alert]', 'ANSWER_HTML');
  await waitFor('that it continues', () => apps.has('[data-adoption=watching]'));
  faulty.fault = 'none';
  await apps.panel.press('Check now');
  await waitFor('that it is well again', async () => !(await apps.has('.adoption [role=alert]')));
  await apps.panel.press('Stop');
  await waitFor('the offer to watch', () => apps.panel.canPress('Watch version 13'));
});
