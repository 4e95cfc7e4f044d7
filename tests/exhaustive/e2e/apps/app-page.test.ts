/**
 * The page that follows a release, wrong links to an app, and notifications beside an open popup, when the worker is killed,
 * and when all data is erased.
 */
import { expect, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { mark, PopupPage } from '../../../../lib/browser-driver/pages/popup-page.ts';
import { stopWorker } from '../../../../lib/browser-driver/worker.ts';
import {
  APP,
  ask,
  asker,
  bed,
  faulty,
  newest,
  notified,
  page,
  publishUnseen,
  seeOutcome,
  setUpAppPage,
} from '../../../e2e/apps/app-page-bed.ts';

setUpAppPage();

test('a published version links to a page that follows its rollout at once', async () => {
  const popup = await PopupPage.open(bed.extension);
  await popup.chooseApp(APP);
  await popup.write({ type: 'forced', changelog: 'Visits can be signed.' });
  await popup.press('Publish…');
  await popup.press('Force version 13');
  expect(await popup.outcome()).toBe('published');
  expect(await notified()).toEqual([]);
  const app = await popup.follow('Show who has it');
  await waitFor('who has it', async () =>
    /\d+ of \d+ users \(\d+%\) have version 13 or newer/.test(await app.$eval('main', (main) => main.innerText)),
  );
  expect(await app.title()).toBe('Field Service – Platform DevTools');
  expect(await app.$eval('[data-adoption]', (element) => element.getAttribute('data-adoption'))).toBe('watching');
});

const clearAll = (): Promise<void> =>
  ask(async ({ notifications }) => {
    for (const id of Object.keys((await notifications?.getAll()) ?? {})) await notifications?.clear(id);
  });

test.each([
  ['no app', 'app.html', 'no-link'],
  ['an environment that is gone', 'app.html?environment=gone&app=101&version=13', 'no-environment'],
])('a link to %s says so', async (_what, path, state) => {
  const app = await bed.extension.browser.newPage();
  await app.goto(page(path));
  await waitFor('what is wrong', () => app.$(`[data-state=${state}]`));
});

test('no notification reports what an open popup has shown', async () => {
  const popup = await PopupPage.open(bed.extension);
  await popup.read();
  expect(await popup.page.$eval('input[name=notify]', (input) => input.checked)).toBe(true);
  await popup.write({ type: 'silent', changelog: 'In sight.' });
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  await waitFor('it to be seen', async () => (await newest()).seen);
  expect((await newest()).told).toBe(false);
  expect(await notified()).toEqual([]);
  await popup.close();
});

test('after a worker was killed, the next one shows the notification exactly once', async () => {
  const { letGo } = await publishUnseen('Killed.');
  await stopWorker(bed.extension);
  letGo();
  await newest();
  // At once, or two seconds later where the browser still counted the popup as open.
  await waitFor('one notification', async () => (await notified()).length === 1);
  await clearAll();
  await stopWorker(bed.extension);
  await newest();
  expect(await notified()).toEqual([]);
  expect(await mark(bed.extension)).toBe('?');
  await seeOutcome('unknown');
});

test('erasing all data removes the notification and its permission, and without permission the badge is used', async () => {
  const first = await publishUnseen('Erased.');
  first.letGo();
  const [id] = await waitFor('the notification', async () => ((await notified()).length > 0 ? notified() : null));
  await asker.goto(page('options.html'));
  await ask(async ({ notifications }) => notifications?.onClosed.addListener((id) => (document.title = id)));
  expect(await ask(({ runtime }) => runtime.sendMessage({ to: 'background', name: 'data.erase' }))).toMatchObject({
    ok: true,
  });
  await waitFor('the notification to be gone', async () => (await asker.title()) === id);
  expect(await ask(({ permissions }) => permissions.contains({ permissions: ['notifications'] }))).toBe(false);

  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
  const popup = await PopupPage.open(bed.extension);
  await popup.chooseApp(APP);
  expect(await popup.page.$eval('input[name=notify]', (input) => input.checked)).toBe(false);
  await popup.close();
  const second = await publishUnseen('Without a word.');
  second.letGo();
  await waitFor('the mark', async () => (await mark(bed.extension)) === '✓');
  await seeOutcome('published');
});
