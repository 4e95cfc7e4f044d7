/** Checks surfaces for accessibility, overflow, and layout, and takes pictures of them for manual review. */
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
  /** Default: a panel’s widths, from narrow to wide. */
  widths?: readonly number[];
  resize(width: number, height?: number): Promise<void>;
  shoot(path: `${string}.png`): Promise<unknown>;
}

/** A page of the extension in a tab. */
export const pageSurface = (page: Page, widths?: readonly number[]): Surface => ({
  document: page,
  ...(widths && { widths }),
  resize: (width, height = 800) => page.setViewport({ width, height }),
  shoot: (path) => page.screenshot({ path, fullPage: true }),
});

export const panelSurface = (panel: PanelPage): Surface => ({
  document: panel.frame(),
  resize: (width, height) => panel.resize(width, height),
  shoot: (path) => panel.picture(path),
});

/**
 * How thoroughly a state is looked at: by axe at the largest width in light, and for its layout there and at the smallest
 * one; or everything at every width in both themes.
 */
export type Depth = 'brief' | 'thorough';

export interface LookOptions {
  /** Names of buttons that must be visible in a small panel without scrolling; without them, it isn’t looked at. */
  buttons?: readonly string[];
  /** Something is open that covers other controls. */
  covers?: boolean;
  /** Other states show most of its views, so that only a thorough visit looks at it. */
  repeats?: boolean;
}

/** One line per fault: what axe finds, and overflow and cut-off controls. */
export async function faultsOf(
  surface: Surface,
  depth: Depth,
  { buttons, covers = false, repeats = false }: LookOptions = {},
): Promise<string[]> {
  const isBrief = depth === 'brief';
  if (isBrief && repeats) return [];
  const { document, resize, widths = WIDTHS } = surface;
  const found: string[] = [];
  const add = (where: string, faults: readonly string[]): void =>
    void found.push(...faults.map((fault) => `${where}: ${fault}`));
  for (const width of widths) {
    // What is narrow has the fewest columns, so the wide one is looked at for everything.
    const isWide = width === widths.at(-1);
    if (isBrief && !isWide && width !== widths[0]) continue;
    await resize(width);
    const overflow = await settled(document);
    if (overflow > 0) add(`${width}`, [`${overflow} pixels too wide`]);
    const faults = await layoutFaults(document, []);
    add(`${width}`, covers ? faults.filter((fault) => !fault.endsWith('is cut off or covered')) : faults);
    for (const theme of THEMES) {
      if (isBrief && !(theme === 'light' && isWide)) continue;
      await setTheme(document, theme);
      add(`${theme} ${width}`, await violations(document, theme));
    }
    if (!isBrief) await setTheme(document, 'light');
  }
  for (const [width, height] of buttons ? SMALL_SIZES : []) {
    await resize(width, height);
    await settled(document);
    add(`${width}×${height}`, await layoutFaults(document, buttons ?? []));
  }
  return found;
}

/** Waits for the next paint, and returns how many pixels the document is too wide. */
const settled = (document: Page | Frame): Promise<number> =>
  document.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return globalThis.document.documentElement.scrollWidth - innerWidth;
  });

/**
 * Takes pictures of every width in both themes.
 * @param isSmall whether to take those of a small panel, too
 */
export async function takePictures(surface: Surface, name: string, isSmall: boolean): Promise<void> {
  const { document, resize, shoot, widths = WIDTHS } = surface;
  const sizes = [...widths.map((width) => [width] as const), ...(isSmall ? SMALL_SIZES : [])];
  for (const [width, height] of sizes) {
    await resize(width, height);
    for (const theme of THEMES) {
      await setTheme(document, theme);
      await shoot(picturePath(`${name}-${theme}-${height === undefined ? width : `${width}x${height}`}`));
    }
  }
  await setTheme(document, 'light');
}

/** Sets the theme as the panel does when DevTools names it. */
export const setTheme = (surface: Page | Frame, theme: 'light' | 'dark'): Promise<void> =>
  surface.evaluate((theme) => {
    document.documentElement.dataset['theme'] = theme;
  }, theme);
