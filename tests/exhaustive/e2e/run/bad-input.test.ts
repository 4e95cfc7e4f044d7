/** A result that the platform would refuse, and the URL of an app’s page. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { OAUTH2_SCREEN } from '../../../../lib/local-platform/index.ts';
import { pasteUrl } from '../../../support/paste-url.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';
import { press } from '../../../../lib/browser-driver/pages/press.ts';

const ACTION = 'is-email-registered';
let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test('a result over 6 MB is shown with its size and a note that the platform would refuse it', async () => {
  const panel = await bed.panel({ in: 'page', action: ACTION });
  await panel.inspected.evaluate(() => {
    const { Functions } = (
      globalThis as unknown as { Platform: { Functions: { register(name: string, fn: () => unknown): void } } }
    ).Platform;
    Functions.register('com.platform.function.return-string', () => 'x'.repeat(7 * 1024 * 1024));
  });
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  expect(await panel.run()).toBe('completed');
  const notice = await waitFor('the limit', () =>
    panel
      .frame()
      .$eval('[data-code=RESULT_TOO_LARGE]', (element) => element.textContent)
      .catch(() => null),
  );
  expect(notice).toContain('6.0 MB');
  expect(await panel.text()).toContain('7.0 MB of JSON');
});

test('the URL of an app’s page is opened, and reloaded with its token', async () => {
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Local' });
  const address = `${bed.platform.baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`;
  await pasteUrl(panel, address);
  const service = (): Promise<unknown> => panel.inspected.$('#demo-code .session');
  await waitFor('the page of the demo services', service);
  expect(panel.inspected.url()).toBe(address);
  await waitFor(
    'its app in the box',
    async () =>
      (await panel.frame().$eval('input[name=app]', (input) => (input as HTMLInputElement).value)) === 'Field Service',
  );
  const isOld = await panel.inspected.evaluateHandle(() => document);
  await press(panel.frame(), 'OAuth2', { role: 'tab' });
  await panel.press('Reload page');
  await waitFor('a new document', () => isOld.evaluate(() => false).catch(() => true));
  await waitFor('the page again', service);
});
