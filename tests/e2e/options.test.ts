import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { OptionsPage } from '../../lib/browser-driver/options-page.ts';
import { until } from '../../lib/browser-driver/until.ts';
import { startFaultyPlatform } from '../support/faulty-platform.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterEach(() => world.closeTabs());
afterAll(() => world?.close());

test('a connection can be tested before anything is saved', async () => {
  const options = await OptionsPage.open(world.extension);
  await options.fillIn({
    name: 'Local',
    preset: 'local',
    baseUrl: world.platform.baseUrl,
    token: world.platform.authToken,
  });
  await options.press('Test connection');
  await until('the number of apps', async () => /\b3 apps\b/.test(await options.status()));
});

test('a revoked token is refused with a code and what to do', async () => {
  const options = await OptionsPage.open(world.extension);
  await options.fillIn({
    name: 'Local',
    preset: 'local',
    baseUrl: world.platform.baseUrl,
    token: 'this-token-was-revoked',
  });
  await options.press('Test connection');
  const [code] = await until('the refusal', async () =>
    (await options.errors()).length > 0 ? options.errors() : null,
  );
  expect(code).toBe('TOKEN_REFUSED');
});

test('a platform that is down is told as such', async () => {
  const gone = await startFaultyPlatform();
  await gone.close();
  const options = await OptionsPage.open(world.extension);
  await options.fillIn({ name: 'Gone', preset: 'custom', baseUrl: gone.baseUrl, token: 'some-token-or-other' });
  await options.press('Test connection');
  const [code] = await until('the failure', async () =>
    (await options.errors()).length > 0 ? options.errors() : null,
  );
  expect(code).toBe('PLATFORM_UNREACHABLE');
});
