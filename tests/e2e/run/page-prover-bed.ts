/** What tests of proofs in a page work with: a page of a real Chromium that forbids all code but its own, and its prover. */
import type { Browser, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { Evaluator } from '../../../lib/extension/inspector/index.ts';
import { PageProver } from '../../../lib/extension/panel/migrate/page-prover.ts';
import { builtProver } from '../../support/agent-page.ts';
import { type StrictPages, startStrictPages } from '../../support/servers/strict-pages.ts';
import { sharedChromium } from '../../support/shared-chromium.ts';

let browser: Browser;
let pages: StrictPages;

export let page: Page;

export let prover: PageProver;

/** Registers what is done before and after the tests of a file. */
export function setUpPageProver(): void {
  beforeAll(async () => {
    pages = await startStrictPages();
    ({ browser } = await sharedChromium());
  });
  afterAll(() => pages?.close());
  afterEach(() => page?.close());
}

/** Opens the page of a test. */
export async function open(limits = {}): Promise<void> {
  page = await browser.newPage();
  await page.goto(pages.url);
  // Only DevTools’ own evaluation passes the page’s policy, as this one.
  const evaluator = new Evaluator({ eval: (expression) => page.evaluate(expression) }, limits);
  prover = new PageProver(
    { transport: { evaluate: (expression) => evaluator.evaluate(expression) }, loadProver: builtProver },
    { isAllowed: (url) => url === pages.url },
  );
}
