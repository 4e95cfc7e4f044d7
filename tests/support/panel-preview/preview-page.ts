/** Drives the panel in a plain tab, as `PanelPage` does in DevTools. */
import type { Browser, Page } from 'puppeteer-core';
import { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';

export class PreviewPage extends PanelPage {
  static async open(browser: Browser, url: string): Promise<PreviewPage> {
    const page = await browser.newPage();
    await page.goto(`${url}?page=hidden&theme=light`);
    return new PreviewPage(page);
  }

  private constructor(page: Page) {
    const nothing = async (): Promise<void> => {};
    super(page, { devtools: page, frame: () => page.mainFrame(), show: nothing, park: nothing, unpark: nothing });
  }

  override async resize(width: number, height = 800): Promise<void> {
    await this.devtools.setViewport({ width, height });
  }
}
