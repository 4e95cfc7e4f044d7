/** The network of a page, over sessions of the DevTools protocol that only exist while they're needed. */
import type { Page } from 'puppeteer-core';
import { onTestFinished } from 'vitest';

/**
 * Loads a page of the local platform as the extension does: with the token only in the header of the navigation.
 * @param load navigates the page
 */
export async function withToken(page: Page, authToken: string, load: () => Promise<unknown>): Promise<void> {
  const session = await page.createCDPSession();
  await session.send('Network.enable');
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'Auth-token': authToken } });
  try {
    await load();
  } finally {
    await session.detach();
  }
}

export const openWithToken = (page: Page, url: string, authToken: string): Promise<void> =>
  withToken(page, authToken, () => page.goto(url));

/** The URLs of the page’s requests from now on, until the end of the test. */
export async function requestsOf(page: Page): Promise<readonly string[]> {
  const urls: string[] = [];
  const session = await page.createCDPSession();
  // The page may be closed by then.
  onTestFinished(() => session.detach().catch(() => undefined));
  session.on('Network.requestWillBeSent', ({ request }) => void urls.push(request.url));
  await session.send('Network.enable');
  return urls;
}

/** Loads a page whose scripts are refused. */
export async function openWithoutScripts(page: Page, url: string): Promise<void> {
  const session = await page.createCDPSession();
  session.on(
    'Fetch.requestPaused',
    ({ requestId }) => void session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }),
  );
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Script' }] });
  await page.goto(url);
  await session.detach();
}
