/** The popup on a local platform, and on one that offers only what the specification shows. */
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { MODES, type ModeBed, startModeBed } from './mode-bed.ts';

let modes: ModeBed;
afterEach(() => modes.bed.closeTabs());

test.each(MODES)('an update is published from the popup, in mode %s', async (mode) => {
  modes = await startModeBed(mode, { withoutDevTools: true });
  onTestFinished(() => modes.close());
  await modes.bed.enter({ name: 'Here', baseUrl: modes.proxy.baseUrl });
  const popup = await PopupPage.open(modes.bed.extension);
  await popup.chooseApp('Field Service');
  expect(await popup.read()).toMatch(/^Field Service: version 12 to 13, silent\. \d+ users/);
  await popup.write({ changelog: 'Visits can be signed.' });
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  expect(await popup.text()).toMatch(/Published version 13/);
  await popup.close();
  if (mode === 'local') expect(modes.beyond()).not.toEqual([]);
  else expect(modes.beyond()).toHaveLength(1);
});
