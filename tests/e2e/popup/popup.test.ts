/** Publishing from the popup, with a platform that fails. */
import { expect, test } from 'vitest';
import { mark, PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { hostileApps, hostileSessions, MARKUP } from '../../support/data/hostile-apps.ts';
import {
  APP,
  bed,
  expectToFit,
  faulty,
  open,
  openAgain,
  openForm,
  posts,
  setUpPopup,
  versionNow,
} from './popup-bed.ts';

setUpPopup();

test('the popup says where to start before there is an environment', async () => {
  const popup = await PopupPage.open(bed.extension);
  await waitFor('where to begin', async () => (await popup.text()).includes('Add an environment'));
  await expectToFit(popup);
  await popup.close();
  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
});

test('an update can be published with only the keyboard, and the popup then shows its version, ID, and time', async () => {
  const popup = await openAgain();
  const { keyboard } = popup.page;
  await waitFor('the apps', async () => /3 apps · Updated/.test(await popup.text()));
  expect(await popup.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('app');
  await keyboard.type('field');
  await keyboard.press('Enter');
  expect(await popup.read()).toMatch(
    /^Field Service: version 12 to 13, silent\. \d+ users, \d+ of them two or more versions behind\.$/,
  );
  await keyboard.type('Visits can be signed.');
  await expectToFit(popup);
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  expect(await popup.outcome()).toBe('published');
  expect(await popup.text()).toMatch(/Published version 13[\s\S]*App ID\s+101[\s\S]*Time/);
  expect(await versionNow()).toBe(13);
  await expectToFit(popup);
});

test('the popup opens with the last app and the draft of its release', async () => {
  const popup = await openForm();
  await popup.write({ type: 'visible', changelog: 'Half a senten' });
  await popup.close();
  const again = await openAgain();
  expect(
    await again.page.evaluate(() => [
      document.activeElement?.tagName,
      document.querySelector('textarea')?.value,
      document.querySelector<HTMLInputElement>('input[name=type]:checked')?.value,
      document.querySelector<HTMLInputElement>('input[name=app]')?.value,
    ]),
  ).toEqual(['TEXTAREA', 'Half a senten', 'visible', APP]);
});

test('a forced update needs a confirmation that Enter doesn’t give', async () => {
  const popup = await openForm();
  await popup.write({ type: 'forced', changelog: 'The map on small screens.' });
  const before = faulty.requests.length;
  await popup.press('Publish…');
  await popup.page.keyboard.press('Enter');
  await waitFor('the question', async () => (await popup.text()).includes('Force this update?'));
  expect(await popup.read()).toMatch(/Forced release 14 of Field Service to [\d,]+ users? on /);
  await expectToFit(popup);
  expect(faulty.requests.slice(before).filter(({ method }) => method === 'POST')).toEqual([]);
  await popup.press('Force version 14');
  expect(await popup.outcome()).toBe('published');
  expect(await versionNow()).toBe(14);
});

test('a publish that ends while the popup is closed sets the badge, and the popup shows it when it opens', async () => {
  const popup = await openForm();
  await popup.write({ type: 'silent', changelog: 'While the popup is closed.' });
  const held = Promise.withResolvers<void>();
  faulty.gate = (moment, { method }) => (moment === 'received' && method === 'POST' ? held.promise : undefined);
  await popup.press('Publish');
  await waitFor('the publish to run', async () => (await popup.state()) === 'running');
  await expectToFit(popup);
  await popup.close();
  await waitFor('the badge of a running publish', async () => (await mark(bed.extension)) === '…');
  held.resolve();
  faulty.gate = () => {};
  await waitFor('the mark of what ended', async () => (await mark(bed.extension)) === '✓');
  const again = await openAgain();
  expect(await again.outcome()).toBe('published');
  await waitFor('no mark any more', async () => (await mark(bed.extension)) === '');
});

test('a double click in two windows at the same time publishes once, and the slower window says that a publish is running', async () => {
  await open?.page.close();
  const windows = await Promise.all(
    [1, 2].map(async () => {
      const page = await bed.extension.browser.newPage();
      await page.goto(`chrome-extension://${bed.extension.extensionId}/popup.html`);
      return new PopupPage(page);
    }),
  );
  const version = await versionNow();
  const sentBefore = posts();
  for (const one of windows) {
    await one.page.bringToFront();
    await one.read();
    await one.write({ type: 'silent', changelog: 'Twice.' });
    await waitFor('the button', () =>
      one.page.$eval('button[type=submit]', (button) => button.getAttribute('aria-disabled') !== 'true'),
    );
  }
  // Once the publish has ended, the other window would be refused for another reason: its outcome is unseen.
  const { promise: refused, resolve: release } = Promise.withResolvers<void>();
  faulty.gate = (moment, { method }) => (moment === 'received' && method === 'POST' ? refused : undefined);
  await Promise.all(windows.map((one) => one.page.evaluate(clickTwice, 'button[type=submit]')));
  // The slower window is refused, unless it hears of the other window’s publish before its own click.
  for (const one of windows)
    await waitFor(
      'a publish that is running',
      async () => (await one.state()) === 'running' || (await one.alert()) === 'PUBLISH_UNDER_WAY',
    );
  release();
  for (const one of windows) expect(await one.outcome()).toBe('published');
  expect(await versionNow()).toBe(version + 1);
  expect(posts()).toBe(sentBefore + 1);
  for (const one of windows) await one.page.close();
});

/** Runs in a page. */
function clickTwice(selector: string): void {
  const button = document.querySelector<HTMLElement>(selector);
  button?.click();
  button?.click();
}

test('a connection cut after the platform acted leaves an unknown outcome, and Check again finds the version', async () => {
  const popup = await openForm();
  const before = await versionNow();
  await popup.write({ type: 'silent', changelog: 'Cut off.' });
  faulty.fault = 'cut-after';
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('unknown');
  await expectToFit(popup);
  faulty.fault = 'none';
  await popup.press('Check again');
  await waitFor('it to be settled', async () => (await popup.state()) === 'published');
  expect(await popup.text()).toContain(`Published version ${before + 1}`);
  expect(await versionNow()).toBe(before + 1);
});

test('names of 10,000 characters, with markup, or with direction marks are shown as text, and null as unknown', async () => {
  const popup = await openForm();
  faulty.given = ({ path }) =>
    path === '/v1/apps'
      ? { apps: hostileApps() }
      : path.includes('/sessions?')
        ? { sessions: hostileSessions() }
        : undefined;
  await popup.press('Refresh');
  await waitFor('the apps', async () => /\d\d apps · Updated/.test(await popup.text()));
  for (const [id, says] of [
    [900_002, 'Nulls: version '],
    [900_006, 'Long name Long name'],
    [900_007, 'WWWWWWWW'],
    [900_008, MARKUP],
    [900_009, 'خدمة الميدان'],
    [900_010, ': version 3 to 4'],
  ] as const) {
    await popup.chooseApp(String(id));
    expect(await popup.read()).toContain(says);
    expect(
      await popup.page.evaluate(() => [document.documentElement.scrollWidth <= innerWidth, 'hacked' in globalThis]),
    ).toEqual([true, false]);
  }
  faulty.given = ({ path }) => (path === '/v1/apps' ? { apps: [] } : undefined);
  await popup.press('Refresh');
  await waitFor('that there is none', async () => /0 apps · Updated/.test(await popup.text()));
  await popup.page.click('input[name=app]');
  expect(await popup.page.$eval('[role=listbox]', (list) => (list as HTMLElement).innerText)).toBe(
    'No apps for this token',
  );
  await expectToFit(popup);
  await popup.close();
});
