/** Accessibility and layout at every width, light and dark, of what needs the extension (panel-preview.test.ts has the rest). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OptionsPage } from '../../lib/browser-driver/pages/options-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { inspectSurface, panelSurface, type Surface } from '../support/surface.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
});
afterAll(() => bed?.close());

const optionsSurface = ({ page }: OptionsPage): Surface => ({
  document: page,
  resize: (width) => page.setViewport({ width, height: 800 }),
  shoot: (path) => page.screenshot({ path, fullPage: true }),
});

test('the panel without any environment is accessible at every width, light and dark', async () => {
  const panel = await bed.panel();
  expect(await inspectSurface(panelSurface(panel), 'panel-first')).toEqual([]);
});

test('the options page is accessible at every width, light and dark: empty, with an error, and with an environment', async () => {
  const options = await OptionsPage.open(bed.extension);
  const surface = optionsSurface(options);
  const { baseUrl, authToken: token } = bed.platform;
  expect(await inspectSurface(surface, 'options-empty')).toEqual([]);
  await options.fillIn({ name: 'Local', preset: 'local', baseUrl: 'http://example.com', token });
  await options.press('Save');
  await waitFor('an error of the form', () => options.page.$('[role=alert], [aria-invalid=true]'));
  expect(await inspectSurface(surface, 'options-invalid')).toEqual([]);
  await options.add({ name: 'Local', preset: 'local', baseUrl, token });
  expect(await inspectSurface(surface, 'options-saved')).toEqual([]);
  await options.page.close();
});

test('the panel has the theme of DevTools', async () => {
  const dark = await startTestBed({ browser: { scheme: 'dark' } });
  try {
    const panel = await dark.panel();
    expect(await panel.frame().evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    expect(await panel.frame().evaluate(() => getComputedStyle(document.body).colorScheme)).toContain('dark');
  } finally {
    await dark.close();
  }
});
