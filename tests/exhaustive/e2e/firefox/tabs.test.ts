/** The OAuth2 and Apps tabs in Firefox’s toolbox, on the demo app, and the Run and Actions tabs on other platforms. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { OAUTH2_SCREEN, startPlatform } from '../../../../lib/local-platform/index.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { startForeignPages } from '../../../support/servers/foreign-pages.ts';
import { FOREIGN_FUNCTIONS } from '../../../support/servers/foreign-runtimes.ts';
import { findAction } from '../../../support/test-bed.ts';

let bed: FirefoxBed;
let panel: FirefoxPanel;
beforeAll(async () => {
  bed = await startFirefoxBed();
  const { firefox, platform } = bed;
  await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
  // Refused without the token. The panel reloads it with the environment’s.
  await firefox.navigate(`${platform.baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`);
  panel = await FirefoxPanel.open(firefox);
  // The panel must know both before it reloads the page, or it would send no token.
  await waitFor('the environment in the panel', () =>
    panel.evaluate<boolean>(
      "return document.querySelector('select[name=environment]')?.selectedOptions[0]?.textContent.includes('Local') === true;",
    ),
  );
  await panel.see('that the page was looked at', '[data-page=PLATFORM_ABSENT]');
});
afterAll(() => bed?.close());

/** Whether each date field is as wide as the browser needs. */
const FITS = `
  return [...document.querySelectorAll('input[type=date]')].map((field) => {
    const { width } = field.getBoundingClientRect();
    const whole = field.cloneNode();
    whole.style.cssText = 'position: absolute; width: max-content';
    field.parentElement.append(whole);
    const needed = whole.getBoundingClientRect().width;
    whole.remove();
    return width >= needed;
  });
`;

test('in Firefox, the OAuth2 tab shows the page’s services, a login through its window, and API calls', async () => {
  await panel.press('OAuth2', 'tab');
  await panel.see('that the page has no library', '.empty');
  await panel.press('Reload page');
  await panel.see('both services', '[data-service="demo-implicit"]');
  await panel.click('[data-service="demo-code"]');
  await panel.see('the service', '[data-service-shown="demo-code"]');
  expect(await panel.all('[data-option]', 'data-option')).toEqual(
    expect.arrayContaining([
      'clientId',
      'clientSecret',
      'redirectUrl',
      'authUrl',
      'grantType',
      'grantUrl',
      'baseUrl',
      'scope',
      'refresh',
    ]),
  );
  await panel.says('[data-option=clientSecret]', /… \(11 characters\)/);
  await panel.see('no session', '[aria-label=Session] [data-session-state=none]');

  await panel.press('Log in');
  await panel.see('the word about the click', '[data-code=CLICK_IN_PAGE]');
  await panel.clickAsked('Log in to demo-code');
  await panel.clickInPopup('#allow');
  await panel.see('a session', '[aria-label=Session] [data-session-state=active]');
  await panel.says('[aria-label=Session] [data-session-state]', /^(10|9) min \d+ s left$/);
  await waitFor('the popup to be gone', async () => !(await panel.hasPopup()));
  await panel.see('the login', '[data-flow=login][data-tone=success]');
  for (const kind of [
    'login-started',
    'callback',
    'state-checked',
    'token-requested',
    'token-answered',
    'session',
    'event',
  ])
    await panel.see(`${kind} in the timeline`, `[data-flows] [data-entry=${kind}]`);

  await panel.press('Call API', 'tab');
  await panel.enter('[name=api-path]', 'profile');
  await panel.press('Call');
  await panel.see('the answer', '[data-response=ok]');
  await panel.says('[data-response]', /Dana Demo/);
  expect(await panel.says('[data-flow=api]', /200/)).toMatch(
    /GET http:\/\/localhost:\d+\/api\/profile demo-code 200 .*ms \d+ B/,
  );

  await panel.press('Log out');
  await panel.see('no session', '[aria-label=Session] [data-session-state=none]');
});

test('in Firefox, the Apps tab shows the apps, and the sessions and charts of one', async () => {
  await panel.press('Apps', 'tab');
  await panel.see('the apps', '[data-apps] [data-app="101"]');
  expect(await panel.all('[data-app]', 'data-app')).toEqual(['101', '103', '102']);
  await panel.click('[data-app="101"]');
  await panel.press('Open');
  await panel.see('the app’s page', '[data-app-page="101"]');
  await panel.says('[data-summary=ready]', /\d users?, /);
  await panel.says('[aria-label=Properties]', /ID 101 .*Version 12/);
  await panel.press('Sessions', 'tab');
  await panel.see('sessions', '[data-sessions] [role=row][data-index="0"]');
  expect(await panel.evaluate<boolean[]>(FITS), 'a whole date fits').toEqual([true, true]);
  const count = Number((await panel.all('[data-session-count]', 'data-session-count'))[0]);
  await panel.press('Charts', 'tab');
  await panel.see('the charts of them all', `[data-charts="${count}"]`);
  expect(await panel.all('[data-chart]', 'data-chart')).toEqual(expect.arrayContaining(['versions', 'adoption']));
  await panel.see('what is drawn', '[data-chart=versions] canvas, [data-chart=versions] svg');
  await panel.press('Back to all apps');
  await panel.see('the table', '[data-apps]');
});

/** Loads the panel’s document again, which forgets the previous page. */
async function reload(): Promise<void> {
  await panel.evaluate("document.documentElement.dataset.previous = ''; document.location.reload();");
  await waitFor('the new document of the panel', () =>
    panel.evaluate<boolean>(
      "return document.readyState === 'complete' && document.location.pathname === '/panel.html' && !('previous' in document.documentElement.dataset);",
    ),
  );
}

/** The Run tab of the panel as if it were new, with another platform as its environment. */
async function runTabOf(name: string, baseUrl: string, token: string): Promise<ScriptedRun> {
  await (await bed.openOptions()).addEnvironment(name, baseUrl, token);
  await bed.firefox.navigate('about:blank');
  await reload();
  await panel.choose('select[name=environment]', name);
  await panel.press('Run', 'tab');
  return new ScriptedRun(panel);
}

test('in Firefox, on a platform that offers only what the specification shows, the page’s actions are listed and run', async () => {
  const platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null, specOnly: true });
  onTestFinished(() => platform.close());
  const run = await runTabOf('Specified', platform.baseUrl, platform.authToken);
  const { appId, taskId } = findAction(platform, 'is-email-registered');
  await run.open(compileUrl(platform.baseUrl, appId, taskId));
  await panel.enter('textarea[name=payload]', '{"email": "nobody@nowhere.example"}');
  expect(await run.run()).toBe('completed');
  expect(await run.result()).toBe('nobody@nowhere.example is not registered');
  await panel.press('Actions', 'tab');
  await panel.click(`[data-actions] [data-action="${taskId}"]`);
  await panel.press('Run with result');
  await panel.see('the result', `[data-run-result='"nobody@nowhere.example is not registered"']`);
});

test('in Firefox, Open starts the agent before the first script of another installation’s page', async () => {
  const pages = await startForeignPages();
  onTestFinished(() => pages.close());
  const run = await runTabOf('Elsewhere', pages.origin, 'a-token-of-elsewhere');
  await run.open(pages.debugPage('class'));
  await run.notice('TRACING_WRAPPED');
  expect(await run.run()).toBe('completed');
  await waitFor(
    'the run’s steps',
    async () => (await panel.all('[data-timeline] [data-step]', 'data-step')).length === FOREIGN_FUNCTIONS.length,
  );
  expect(await bed.firefox.content('return document.documentElement.dataset.stack;')).not.toContain('early-agent');
});
