/** Takes the pictures for the listings in the extension stores, and makes those that aren’t screenshots. */
import { mkdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Browser } from 'puppeteer-core';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { setTheme } from './surface.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** `npm run pictures` copies this folder. */
const CHOSEN = resolve(ROOT, 'test-results/pictures/store');
/** For manual review: each picture in the theme that isn’t shown in the stores. */
const OTHERS = resolve(ROOT, 'test-results/pictures/store-other-theme');

export const SCREENSHOT = { width: 1280, height: 800 };
export const PROMO = { width: 440, height: 280 };
export type Theme = 'light' | 'dark';

export async function storePicture(name: string, isChosen = true): Promise<`${string}.png`> {
  const folder = isChosen ? CHOSEN : OTHERS;
  await mkdir(folder, { recursive: true });
  return `${folder}/${name}.png`;
}

/** DevTools with the panel, at the size of the stores. */
export async function shootPanel(panel: PanelPage, name: string, chosen: Theme): Promise<void> {
  await panel.resize(SCREENSHOT.width, SCREENSHOT.height);
  for (const theme of [chosen === 'light' ? 'dark' : 'light', chosen] as const) {
    await panel.devtools.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    await setTheme(panel.frame(), theme);
    await panel.picture(await storePicture(name, theme === chosen));
  }
}

/** A picture of a document that has the extension’s colors and icon. */
export async function shootDocument(
  browser: Browser,
  name: string,
  size: { width: number; height: number },
  { theme, isChosen, body }: { theme: Theme; isChosen: boolean; body: string },
): Promise<void> {
  const tokens = await readFile(resolve(ROOT, 'assets/tokens.css'), 'utf8');
  const page = await browser.newPage();
  await page.setViewport(size);
  await page.setContent(
    `<!doctype html><html data-theme="${theme}"><style>${tokens}${STYLES}</style><body>${body}</body></html>`,
    { waitUntil: 'load' },
  );
  await page.screenshot({ path: await storePicture(name, isChosen) });
  await page.close();
}

export const icon = async (): Promise<string> => readFile(resolve(ROOT, 'assets/icon.svg'), 'utf8');
export const imageUrl = (png: Uint8Array): string => `data:image/png;base64,${Buffer.from(png).toString('base64')}`;

const STYLES = `
  * { box-sizing: border-box; margin: 0; }
  body { height: 100vh; font-family: var(--font); color: var(--text); background: var(--surface); overflow: hidden; }
  .popup { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 72px; height: 100%; padding: 0 96px; }
  .popup svg { width: 72px; height: 72px; }
  .popup h1 { margin: 28px 0 20px; font-size: 52px; line-height: 1.1; letter-spacing: -0.02em; }
  .popup li, .popup p { font-size: 22px; line-height: 1.5; color: var(--muted); }
  .popup img { border: 1px solid var(--border); border-radius: 12px; box-shadow: var(--shadow); }
  .promo { display: flex; flex-direction: column; justify-content: center; height: 100%; padding: 0 32px; color: #fff; background: linear-gradient(135deg, #24399b, #0f1b52); }
  .promo .name { display: flex; align-items: center; gap: 16px; font-size: 30px; font-weight: 650; letter-spacing: -0.02em; white-space: nowrap; }
  .promo svg { width: 60px; height: 60px; flex: none; }
  .promo p { margin-top: 20px; font-size: 19px; line-height: 1.4; }`;
