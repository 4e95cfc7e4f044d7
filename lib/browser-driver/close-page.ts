/** Closes pages that might close by themselves at the same time, as a popup does when its window loses the focus. */
import type { Page } from 'puppeteer-core';

export async function closePage(page: Page): Promise<void> {
  try {
    await page.close();
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('No target with given id found'))) throw error;
  }
}
