/** The OAuth2 tab on other pages: another library that is configured early, and a burst of events. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { counted, openTalker, origin, page, setUpOtherPages, tab } from '../../../e2e/oauth2/other-pages.ts';

setUpOtherPages();

test('a reload that watches from the first script on shows services that were configured early', async () => {
  await page.goto(`${origin}/foreign-early`);
  await tab.shows('that it can’t be read', '[data-tracing=late]');
  await waitFor('an explanation', async () =>
    (await tab.frame().$eval('.oauth2', (all) => all.textContent)).includes('Couldn’t read the services'),
  );
  await tab.press('Reload page');
  await tab.shows('the service', '[data-tracing=wrapped] ~ * [data-service=box], [data-service=box]');
  expect(await tab.frame().$eval('[data-oauth2-page]', (line) => line.getAttribute('data-tracing'))).toBe('wrapped');
});

test('of more events at once than are stored, the last ones are shown, and dropped ones are counted', async () => {
  await openTalker();
  await page.evaluate(() => {
    const { say } = globalThis as unknown as { say(event: object): void };
    for (let call = 0; call < 15_000; call++) {
      const event = { at: Date.now(), service: `s${call % 7}`, call };
      say({ ...event, kind: 'api-started', method: 'get', url: `https://api.example/items/${call}`, proxy: false });
      say({ ...event, kind: 'api-ended', status: 200, milliseconds: 3, bytes: 10, code: null });
    }
  });
  const { rows } = await waitFor('all events, shown or counted', async () => {
    const found = await counted();
    return found.dropped >= 20_000 && found.rows > 0 ? found : null;
  });
  // At most 10,000 entries are stored, and both entries of a call share a row.
  expect(rows).toBeLessThanOrEqual(10_000);
  await tab.fill('flow-search', 'items/14999');
  await waitFor('the last call found', async () => (await tab.flows()).length === 1);
});
