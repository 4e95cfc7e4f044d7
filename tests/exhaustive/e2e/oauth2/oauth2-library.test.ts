/** The OAuth2 library in Chromium, with every failure of a service. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type AppTab, type OAuth2TestBed, startOAuth2TestBed } from '../../../e2e/oauth2/oauth2-app.ts';
import {
  checkBrokenStorage,
  checkFormats,
  checkRefusals,
  endFaults,
  REDIRECTS,
  TOKEN_FORMATS,
  TOKEN_REFUSALS,
} from '../../../e2e/oauth2/oauth2-failures.ts';

let bed: OAuth2TestBed;
let tab: AppTab;
beforeAll(async () => void (bed = await startOAuth2TestBed('chromium')));
afterEach(() => endFaults(bed));
afterAll(() => bed?.close());

it('reports each failure in the redirect by its own code', async () => {
  tab = await bed.open();
  await tab.configure('demo-implicit', { redirectUrl: `${bed.origin}/callback` });
  await checkRefusals(bed, tab, 'redirect', REDIRECTS);
  await tab.close();
});

it('reports each failure at the token endpoint by its cause, and understands each format of a response', async () => {
  tab = await bed.open();
  await checkRefusals(bed, tab, 'token', TOKEN_REFUSALS);
  await checkFormats(bed, tab, TOKEN_FORMATS);
  expect(await tab.received()).toContain('demo-code auth.login');
  await tab.close();
});

it('keeps its session in memory when the storage is full, and says so', () => checkBrokenStorage(bed, 'full'));
