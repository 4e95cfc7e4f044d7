/** Publishing from the popup in Firefox, with its notifications. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type FirefoxBed, startFirefoxBed } from '../../support/firefox-bed.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { ask } from '../../support/ask.ts';

export function popupTests(): void {
  let bed: FirefoxBed;
  let faulty: FaultyPlatform;
  beforeAll(async () => {
    bed = await startFirefoxBed({ ownPlatform: true });
    faulty = await startFaultyPlatform(bed.platform.baseUrl);
    await (await bed.openOptions()).addEnvironment('Local', faulty.baseUrl, bed.platform.authToken);
  });
  afterAll(async () => {
    await faulty?.close();
    await bed?.close();
  });

  const inPage = <T>(script: string): Promise<T> => bed.firefox.content<T>(script);
  const versionNow = async (): Promise<number | undefined> => {
    const { apps } = await ask<{ apps: { id: number; version: number }[] }>(bed.platform, '/v1/apps');
    return apps.find(({ id }) => id === 101)?.version;
  };

  test('in Firefox, the popup publishes an update and links to its users', async () => {
    const popup = await bed.openPopup();
    await waitFor('the apps', async () => /3 apps · Updated/.test(await popup.text()));
    await popup.enter('input[name=app]', 'field');
    await popup.key('input[name=app]', 'Enter');
    await waitFor('what will happen', () =>
      popup.evaluate<boolean>(
        "return /^Field Service: version 12 to 13, silent/.test(document.querySelector('[data-summary=ready]')?.textContent);",
      ),
    );
    await popup.enter('textarea', 'Visits can be signed.');
    await popup.click('button[type=submit]');
    expect(await popup.outcome()).toBe('published');
    expect(await popup.text()).toMatch(/Published version 13[\s\S]*App ID\s+101/);
    expect(await versionNow()).toBe(13);
    expect(
      await popup.evaluate("return new URLSearchParams(document.querySelector('.outcome a').search).get('version');"),
    ).toBe('13');
    await popup.click('.outcome button');
    await popup.close();
  });

  test('in Firefox, a publish that ends while the popup is closed shows a notification and a badge until the popup shows it', async () => {
    const popup = await bed.openPopup();
    await waitFor('what will happen', () =>
      popup.evaluate<boolean>("return document.querySelector('[data-summary=ready]') !== null;"),
    );
    await popup.click('input[name=notify]');
    await waitFor('the notifications to be allowed', () =>
      popup.evaluate<boolean>("return document.querySelector('input[name=notify]').checked;"),
    );
    await popup.enter('textarea', 'While the popup is closed.');
    const held = Promise.withResolvers<void>();
    const request = Promise.withResolvers<void>();
    faulty.gate = (moment, { method }) => {
      if (moment !== 'received' || method !== 'POST') return undefined;
      request.resolve();
      return held.promise;
    };
    await popup.click('button[type=submit]');
    await request.promise;
    await popup.close();
    held.resolve();
    const shown = await waitFor('the notification', async () => {
      const all = Object.entries(
        await inPage<Record<string, { title: string; message: string }>>('return browser.notifications.getAll();'),
      );
      return all.length > 0 ? all.map(([, { title, message }]) => [title, message]) : null;
    });
    expect(shown).toEqual([
      ['Update published', '\u2068Field Service\u2069: version 14, silent. Click to see who has it.'],
    ]);
    expect(await inPage('return browser.action.getBadgeText({});')).toBe('✓');
    // A notification handles clicks only after its window has loaded.
    await waitFor('the notification to be clickable', () =>
      bed.firefox.chrome<boolean>(
        `const { document } = [...Services.wm.getEnumerator(null)].find(({ location }) => location.href.endsWith('/alert.xhtml'));
      if (document.readyState !== 'complete') return false;
      document.getElementById('alertBox').click();
      return true;`,
      ),
    );
    const opened = await waitFor('the page of the app', () =>
      bed.firefox.chrome<string | null>(
        "const { spec } = gBrowser.selectedBrowser.currentURI; return spec.includes('/app.html?') ? spec : null;",
      ),
    );
    expect(opened).toMatch(/&app=101&version=14$/);
    const again = await bed.openPopup();
    expect(await again.outcome()).toBe('published');
    await waitFor('neither of them', () =>
      inPage<boolean>(
        "return browser.action.getBadgeText({}).then(async (text) => text === '' && Object.keys(await browser.notifications.getAll()).length === 0);",
      ),
    );
    await again.click('.outcome button');
    await again.click('input[name=notify]');
    await waitFor('the permission to be given up', () =>
      inPage<boolean>(
        "return browser.permissions.contains({ permissions: ['notifications'] }).then((isAllowed) => !isAllowed);",
      ),
    );
    await again.close();
  });
}
