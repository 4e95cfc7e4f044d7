/** Opens the preview of the panel, whose page is an iframe. */
import type { Browser } from 'puppeteer-core';
import { PanelInTab } from '../panel-in-tab.ts';

export async function openPreview(browser: Browser, url: string): Promise<PanelInTab> {
  const page = await browser.newPage();
  await page.goto(`${url}?page=hidden&theme=light`);
  return new PanelInTab(page, page);
}
