/** Accessibility and layout of the panel and the options page at every width, light and dark, with pictures for people. */
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OptionsPage } from '../../lib/browser-driver/pages/options-page.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { violations } from '../support/accessibility.ts';
import { picturePath } from '../support/picture-path.ts';
import { findAction, startTestBed, type TestBed } from '../support/test-bed.ts';

const WIDTHS = [420, 700, 1200];
const THEMES = ['light', 'dark'] as const;

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
});
afterAll(() => bed?.close());

interface Surface {
  document: Page | Frame;
  resize(width: number): Promise<void>;
  shoot(path: `${string}.png`): Promise<unknown>;
}

const panelSurface = (panel: PanelPage): Surface => ({
  document: panel.frame(),
  resize: (width) => panel.resize(width),
  shoot: (path) => panel.picture(path),
});
const optionsSurface = ({ page }: OptionsPage): Surface => ({
  document: page,
  resize: (width) => page.setViewport({ width, height: 800 }),
  shoot: (path) => page.screenshot({ path, fullPage: true }),
});

/** Accessibility violations and overflow at each width and in each theme. */
async function inspect({ document, resize, shoot }: Surface, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await resize(width);
    for (const theme of THEMES) {
      await setTheme(document, theme);
      await shoot(picturePath(`${name}-${theme}-${width}`));
      const overflow = await document.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) found.push(`${theme} ${width}: ${overflow} pixels too wide`);
      found.push(...(await violations(document)).map((violation) => `${theme} ${width}: ${violation}`));
    }
  }
  return found;
}

/** As the panel does it when DevTools names its theme. */
const setTheme = (surface: Page | Frame, theme: 'light' | 'dark'): Promise<void> =>
  surface.evaluate((theme) => {
    document.documentElement.dataset['theme'] = theme;
  }, theme);

test('the panel without any environment is accessible at every width, light and dark', async () => {
  const panel = await bed.panel();
  expect(await inspect(panelSurface(panel), 'panel-first')).toEqual([]);
});

test('the options page is accessible at every width, light and dark: empty, with an error, and with an environment', async () => {
  const options = await OptionsPage.open(bed.extension);
  const surface = optionsSurface(options);
  const { baseUrl, authToken: token } = bed.platform;
  expect(await inspect(surface, 'options-empty')).toEqual([]);
  await options.fillIn({ name: 'Local', preset: 'local', baseUrl: 'http://example.com', token });
  await options.press('Save');
  await waitFor('an error of the form', () => options.page.$('[role=alert], [aria-invalid=true]'));
  expect(await inspect(surface, 'options-invalid')).toEqual([]);
  await options.add({ name: 'Local', preset: 'local', baseUrl, token });
  expect(await inspect(surface, 'options-saved')).toEqual([]);
  await options.page.close();
});

test('the panel is accessible at every width, light and dark: on another page, opened, completed, and failed', async () => {
  const panel = await bed.panel();
  const surface = panelSurface(panel);
  await panel.choose({ environment: 'Local' });
  expect(await inspect(surface, 'panel-elsewhere')).toEqual([]);

  const { app } = findAction(bed.platform, 'notify-admins');
  await panel.choose({ app, action: 'notify-admins' });
  await panel.open();
  expect(await inspect(surface, 'panel-opened')).toEqual([]);
  await panel.run();
  expect(await inspect(surface, 'panel-completed')).toEqual([]);

  await panel.resize(1200);
  await panel.choose({ action: 'throws-on-bad-address' });
  await panel.press('Open');
  await waitFor('the other action', async () => (await panel.inspected.title()).includes('throws-on-bad-address'));
  await panel.pipelineShown();
  expect(await panel.run()).toBe('failed');
  expect(await inspect(surface, 'panel-failed')).toEqual([]);
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
