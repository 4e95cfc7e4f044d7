/** The page of an app without access to it, and the notification of a publish, in a browser of their own. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { violations } from '../../support/accessibility.ts';
import { ask, bed, newest, notified, page, publishUnseen, seeOutcome, setUpAppPage } from './app-page-bed.ts';
import { press } from '../../../lib/browser-driver/pages/press.ts';

setUpAppPage();

test('the app page reports an app that is gone, and loads one as soon as access is allowed', async () => {
  const environment = await ask(
    async ({ runtime }) => (await runtime.sendMessage({ to: 'background', name: 'environments.list' })).value[0]!.id,
  );
  const app = await bed.extension.browser.newPage();
  await app.goto(page(`app.html?environment=${environment}&app=999999&version=13`));
  await waitFor('that it is gone', () => app.$('[data-state=no-app]'));
  const origins = ['http://127.0.0.1/*', 'http://localhost/*'];
  await ask(`({ permissions }) => permissions.remove(${JSON.stringify({ origins })})` as never);
  await app.goto(page(`app.html?environment=${environment}&app=101&version=13`));
  await waitFor('that it may not be read', () => app.$('[data-code=HOST_PERMISSION_MISSING]'));
  expect(await violations(app)).toEqual([]);
  await press(app, 'Allow access');
  await waitFor('the app', () => app.$('[data-state=ready] [data-app-page="101"]'));
});

test('a notification reports a publish that ended while the popup was closed, and disappears when it was seen', async () => {
  const { letGo } = await publishUnseen('While the popup is closed.');
  expect(await notified()).toEqual([]);
  letGo();
  const shown = await waitFor('the notification', async () => ((await notified()).length > 0 ? notified() : null));
  expect(shown).toEqual([`publish.${(await newest()).id}`]);
  await seeOutcome('published');
  await waitFor('no notification any more', async () => (await notified()).length === 0);
});
