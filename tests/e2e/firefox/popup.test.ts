import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { until } from '../../../lib/browser-driver/until.ts';
import { startPlatform } from '../../../lib/local-platform/index.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { FirefoxPopup } from '../../../lib/browser-driver/firefox/popup-page.ts';
import { type Firefox, startFirefox } from '../../../lib/browser-driver/firefox/marionette.ts';

const ADDON = 'devtools@platform.example';
const HOST = '7be0a3d4-1f0e-4c0f-8a52-0d6f0f5ab1c2';
const page = (path: string): string => `moz-extension://${HOST}/${path}`;

let platform: Awaited<ReturnType<typeof startPlatform>>;
let faulty: FaultyPlatform;
let firefox: Firefox;
beforeAll(async () => {
  platform = await startPlatform({ port: 0, data: 'memory' });
  faulty = await startFaultyPlatform(platform.baseUrl);
  firefox = await startFirefox(ensureBrowser('firefox'), { [ADDON]: HOST });
  // Firefox shows them itself: a machine without a desktop has nobody else who does.
  await firefox.chrome("Services.prefs.setBoolPref('alerts.useSystemBackend', false);");
  await firefox.install(inject('firefoxExtension'));
  await firefox.navigate(page('options.html'));
  await until('the form', () =>
    firefox.content<boolean>(
      "document.querySelector('button')?.click(); return document.querySelector('input[name=name]') !== null;",
    ),
  );
  await firefox.click('select[name=preset] option[value=local]');
  await firefox.type('input[name=name]', 'Local');
  await firefox.type('input[name=baseUrl]', faulty.baseUrl);
  await firefox.type('[name=token]', platform.authToken);
  await firefox.click('button[type=submit]');
  await until('the saved environment', () =>
    firefox.content<boolean>('return document.body.innerText.includes(arguments[0]);', platform.authToken.slice(-4)),
  );
});
afterAll(async () => {
  await firefox?.close();
  await faulty?.close();
  await platform?.close();
});

const openPopup = (): Promise<FirefoxPopup> => FirefoxPopup.open(firefox, ADDON, page('popup.html'));
const inPage = <T>(script: string): Promise<T> => firefox.content<T>(script);
const versionNow = async (): Promise<number | undefined> => {
  const answer = await fetch(`${platform.baseUrl}/v1/apps`, { headers: { 'Auth-token': platform.authToken } });
  return ((await answer.json()) as { apps: { id: number; version: number }[] }).apps.find(({ id }) => id === 101)
    ?.version;
};

test('the popup of the toolbar publishes an update, and links to who has it', async () => {
  const popup = await openPopup();
  await until('the apps', async () => /3 apps, read just now/.test(await popup.text()));
  await popup.enter('input[name=app]', 'field');
  await popup.key('input[name=app]', 'Enter');
  await until('what will happen', () =>
    popup.evaluate<boolean>(
      "return /^Field Service, version 12 to 13, silent/.test(document.querySelector('[data-will-happen=read]')?.textContent);",
    ),
  );
  await popup.enter('textarea', 'Visits can be signed.');
  await popup.click('button[type=submit]');
  expect(await popup.outcome()).toBe('published');
  expect(await popup.text()).toMatch(/Version 13 is published[\s\S]*App id\s+101/);
  expect(await versionNow()).toBe(13);
  expect(
    await popup.evaluate("return new URLSearchParams(document.querySelector('.outcome a').search).get('version');"),
  ).toBe('13');
  await popup.click('.outcome button');
  await popup.close();
});

test('one that ends while the popup is closed is told by a notification and the mark on the button, until the popup has shown it', async () => {
  const popup = await openPopup();
  await until('what will happen', () =>
    popup.evaluate<boolean>("return document.querySelector('[data-will-happen=read]') !== null;"),
  );
  await popup.click('input[name=tell]');
  await until('the notifications to be allowed', () =>
    popup.evaluate<boolean>("return document.querySelector('input[name=tell]').checked;"),
  );
  await popup.enter('textarea', 'While nobody looks.');
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  faulty.gate = (moment, { method }) => {
    if (moment !== 'asked' || method !== 'POST') return undefined;
    asked.resolve();
    return held.promise;
  };
  await popup.click('button[type=submit]');
  await asked.promise;
  await popup.close();
  held.resolve();
  const shown = await until('the notification', async () => {
    const all = Object.entries(
      await inPage<Record<string, { title: string; message: string }>>('return browser.notifications.getAll();'),
    );
    return all.length > 0 ? all.map(([, { title, message }]) => [title, message]) : null;
  });
  expect(shown).toEqual([
    ['An update was published', '\u2068Field Service\u2069: version 14, silent. Click to see who has it.'],
  ]);
  expect(await inPage('return browser.action.getBadgeText({});')).toBe('✓');
  await firefox.chrome(
    "[...Services.wm.getEnumerator(null)].find(({ location }) => location.href.endsWith('/alert.xhtml')).document.getElementById('alertBox').click();",
  );
  const opened = await until('the page of the app', () =>
    firefox.chrome<string | null>(
      "const { spec } = gBrowser.selectedBrowser.currentURI; return spec.includes('/app.html?') ? spec : null;",
    ),
  );
  expect(opened).toMatch(/&app=101&version=14$/);
  const again = await openPopup();
  expect(await again.outcome()).toBe('published');
  await until('neither of them', () =>
    inPage<boolean>(
      "return browser.action.getBadgeText({}).then(async (text) => text === '' && Object.keys(await browser.notifications.getAll()).length === 0);",
    ),
  );
  await again.click('.outcome button');
  await again.click('input[name=tell]');
  await until('the permission to be given up', () =>
    inPage<boolean>(
      "return browser.permissions.contains({ permissions: ['notifications'] }).then((isAllowed) => !isAllowed);",
    ),
  );
  await again.close();
});
