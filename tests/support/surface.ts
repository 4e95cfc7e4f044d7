/** Checks a page’s accessibility and overflow at each width and in each theme, and takes screenshots for manual review. */
import type { Frame, Page } from 'puppeteer-core';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { violations } from './accessibility.ts';
import { layoutFaults } from './layout-faults.ts';
import { picturePath } from './picture-path.ts';

const WIDTHS = [420, 700, 1200];
/** DevTools docked at the bottom of a wide window, docked in a small one, and docked at the side of a small one. */
const SMALL_SIZES: readonly (readonly [width: number, height: number])[] = [
  [1400, 272],
  [600, 400],
  [420, 400],
];
const THEMES = ['light', 'dark'] as const;

export interface Surface {
  document: Page | Frame;
  resize(width: number, height?: number): Promise<void>;
  shoot(path: `${string}.png`): Promise<unknown>;
}

export const panelSurface = (panel: PanelPage): Surface => ({
  document: panel.frame(),
  resize: (width, height) => panel.resize(width, height),
  shoot: (path) => panel.picture(path),
});

/** One line per violation and per overflow. */
export async function inspectSurface({ document, resize, shoot }: Surface, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await resize(width);
    for (const theme of THEMES) {
      await setTheme(document, theme);
      await shoot(picturePath(`${name}-${theme}-${width}`));
      const overflow = await document.evaluate(() => globalThis.document.documentElement.scrollWidth - innerWidth);
      if (overflow > 0) found.push(`${theme} ${width}: ${overflow} pixels too wide`);
      found.push(...(await violations(document, theme)).map((violation) => `${theme} ${width}: ${violation}`));
    }
    found.push(...(await layoutFaults(document, [])).map((fault) => `${width}: ${fault}`));
  }
  return found;
}

/**
 * Takes screenshots of the panel at small sizes, light and dark. Returns one line per control that’s missing, cut off,
 * or covered.
 * @param buttons names of buttons that must be visible without scrolling
 */
export async function inspectSmallSurface(
  { document, resize, shoot }: Surface,
  name: string,
  buttons: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const [width, height] of SMALL_SIZES) {
    await resize(width, height);
    for (const theme of THEMES) {
      await setTheme(document, theme);
      await shoot(picturePath(`${name}-${theme}-${width}x${height}`));
    }
    found.push(...(await layoutFaults(document, buttons)).map((fault) => `${width}×${height}: ${fault}`));
  }
  return found;
}

/** Sets the theme as the panel does when DevTools names it. */
export const setTheme = (surface: Page | Frame, theme: 'light' | 'dark'): Promise<void> =>
  surface.evaluate((theme) => {
    document.documentElement.dataset['theme'] = theme;
  }, theme);
