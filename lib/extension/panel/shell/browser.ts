/** Owns the panel's way to the browser's API: the browser's own where it has one, else the polyfill, which is then loaded. */
import type { Browser } from 'webextension-polyfill';

export async function loadBrowser(): Promise<Browser> {
  const { browser } = globalThis as { browser?: Browser };
  return browser?.devtools ? browser : (await import('../../messaging/browser.ts')).browser;
}
