/** Publishing from the popup: closed at other moments, with other failures of the platform, and to production. */
import { beforeAll, expect, test } from 'vitest';
import { OptionsPage } from '../../../../lib/browser-driver/pages/options-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
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
} from '../../../e2e/popup/popup-bed.ts';

setUpPopup();
beforeAll(async () => {
  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
  const popup = await openAgain();
  await popup.chooseApp(APP);
});

test.each(['while the app is read again', 'after the platform has acted'])(
  'closing the popup %s doesn’t change the publish, which happens once and is shown when the popup opens',
  async (moment) => {
    const popup = await openForm();
    const [version, before] = [await versionNow(), posts()];
    await popup.write({ type: 'silent', changelog: `Closed ${moment}.` });
    const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
    const { promise: closed, resolve: letGo } = Promise.withResolvers<void>();
    faulty.gate = (when, { method, path }) => {
      const isIt =
        moment === 'while the app is read again'
          ? path === '/v1/apps' && when === 'received'
          : method === 'POST' && when === 'processed';
      if (!isIt) return undefined;
      reach();
      return closed;
    };
    await popup.press('Publish');
    await reached;
    await popup.close();
    faulty.gate = () => {};
    letGo();
    const again = await openAgain();
    expect(await again.outcome()).toBe('published');
    expect(await versionNow()).toBe(version + 1);
    expect(posts()).toBe(before + 1);
  },
);

test('a publish that never arrived stays unknown, blocks the next one, and can be discarded', async () => {
  const popup = await openForm();
  const before = await versionNow();
  await popup.write({ type: 'silent', changelog: 'Never arrived.' });
  faulty.fault = 'bad-gateway';
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('unknown');
  faulty.fault = 'none';
  await popup.press('Check again');
  await waitFor('what was seen', async () => (await popup.text()).includes('no change of the app since'));
  await popup.press('Dismiss');
  await popup.read();
  expect(await popup.page.$eval('textarea', (element) => element.value)).toBe('Never arrived.');
  expect(await versionNow()).toBe(before);
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  expect(await versionNow()).toBe(before + 1);
});

test('when the platform is unavailable, nothing is sent, and release notes of 100 kB are preserved for the next try', async () => {
  const before = await versionNow();
  const popup = await openForm();
  await popup.write({ type: 'silent', changelog: 'x'.repeat(100_000) });
  faulty.fault = 'unavailable';
  faulty.only = () => true;
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('failed');
  expect(await popup.alert()).toBe('PLATFORM_UNAVAILABLE');
  await expectToFit(popup);
  faulty.fault = 'none';
  await popup.press('Back to release');
  await popup.read();
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  expect(await versionNow()).toBe(before + 1);
});

test('every release to production needs a confirmation', async () => {
  await open?.page.close();
  const options = await OptionsPage.open(bed.extension);
  await options.add({
    name: 'Live',
    preset: 'custom',
    baseUrl: faulty.baseUrl,
    token: bed.platform.authToken,
    production: true,
  });
  await options.page.close();
  const popup = await openAgain();
  const live = await waitFor('the other environment in the list', () =>
    popup.page.$$eval('select[name=environment] option', (all) =>
      all.find(({ textContent }) => textContent === 'Live')?.getAttribute('value'),
    ),
  );
  await popup.page.select('select[name=environment]', live);
  await waitFor('the apps of the other environment', async () => /3 apps/.test(await popup.text()));
  await popup.chooseApp('Visitor');
  await popup.write({ changelog: 'For all.' });
  await popup.press('Publish…');
  await waitFor('the question', async () => (await popup.text()).includes('Publish to production?'));
  await expectToFit(popup);
  await popup.press('Publish version 5');
  expect(await popup.outcome()).toBe('published');
});
