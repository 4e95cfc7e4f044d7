/** Changes whose connection ends before the response, which Firefox might send again. `CUTS=100` does more rounds. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutEveryChange, expectUnknownOnce, type SendFrom } from '../../../support/every-change.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';

const ROUNDS = Number(process.env['CUTS'] ?? 2);

let bed: FirefoxBed;
let faulty: FaultyPlatform;
beforeAll(async () => {
  bed = await startFirefoxBed({ ownPlatform: true, clock: new Date('2026-11-02T08:00:00Z') });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  faulty.ignoresKeys = true;
  await (await bed.openOptions()).addEnvironment('Local', faulty.baseUrl, bed.platform.authToken);
});
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
});

let opened = '';
const send: SendFrom = async (surface, name, takes) => {
  if (opened !== surface) await bed.firefox.navigate(bed.page(`${surface}.html`));
  opened = surface;
  return bed.firefox.content('return browser.runtime.sendMessage(arguments[0]);', {
    to: 'background',
    name,
    ...(takes && { takes }),
  });
};

test(
  'in Firefox, a change whose connection ends before the response reaches the platform once, and its outcome is unknown',
  { timeout: 60_000 + ROUNDS * 20_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round++)
      expectUnknownOnce(await cutEveryChange({ platform: bed.platform, faulty, send }, round));
  },
);

test('in Firefox, a slow change that a platform without “100 Continue” got twice is reported as unknown', async () => {
  faulty.ignoresExpect = true;
  faulty.fault = 'cut-after';
  let copies = 0;
  faulty.only = ({ method }) => method === 'POST' && copies++ === 0;
  faulty.gate = (moment) => (moment === 'processed' && copies === 1 ? pause(1_100) : undefined);
  const environments = await send<{ id: string }[]>('panel', 'environments.list');
  const result = await send('panel', 'logs.create', {
    environmentId: environments.ok && environments.value[0]!.id,
    appId: 101,
    log: { type: 'cut', data: {} },
  });
  expect(copies).toBe(2);
  expect(result).toMatchObject({
    ok: false,
    error: { code: 'OUTCOME_UNKNOWN', message: expect.stringContaining('Firefox may have sent the request twice.') },
  });
});

test('in Firefox, the request rules go with the environment', async () => {
  const rules = (): Promise<unknown[]> =>
    bed.firefox.content('return browser.declarativeNetRequest.getDynamicRules();');
  expect(await rules()).toHaveLength(2);
  const environments = await send<{ id: string }[]>('panel', 'environments.list');
  await bed.firefox.navigate(bed.page('options.html'));
  await bed.firefox.content('return browser.runtime.sendMessage(arguments[0]);', {
    to: 'background',
    name: 'environments.remove',
    takes: { id: environments.ok && environments.value[0]!.id },
  });
  expect(await rules()).toEqual([]);
});
