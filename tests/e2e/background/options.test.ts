import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OptionsPage } from '../../../lib/browser-driver/pages/options-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test('a connection can be tested before anything is saved', async () => {
  const options = await OptionsPage.open(bed.extension);
  await options.fillIn({
    name: 'Local',
    preset: 'local',
    baseUrl: bed.platform.baseUrl,
    token: bed.platform.authToken,
  });
  await options.press('Test connection');
  await waitFor('the number of apps', async () => /\b3 apps\b/.test(await options.status()));
});

test('a test of a connection with a revoked token reports TOKEN_REFUSED', async () => {
  const options = await OptionsPage.open(bed.extension);
  await options.fillIn({
    name: 'Local',
    preset: 'local',
    baseUrl: bed.platform.baseUrl,
    token: 'this-token-was-revoked',
  });
  await options.press('Test connection');
  const [code] = await waitFor('the refusal', async () =>
    (await options.errors()).length > 0 ? options.errors() : null,
  );
  expect(code).toBe('TOKEN_REFUSED');
});

test('a test of a connection to a platform that is down reports PLATFORM_UNREACHABLE', async () => {
  const gone = await startFaultyPlatform();
  await gone.close();
  const options = await OptionsPage.open(bed.extension);
  await options.fillIn({ name: 'Gone', preset: 'custom', baseUrl: gone.baseUrl, token: 'some-token-or-other' });
  await options.press('Test connection');
  const [code] = await waitFor('the failure', async () =>
    (await options.errors()).length > 0 ? options.errors() : null,
  );
  expect(code).toBe('PLATFORM_UNREACHABLE');
});
