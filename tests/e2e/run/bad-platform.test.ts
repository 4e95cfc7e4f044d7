/** A platform with faults, one that is down or silent, and tokens that are missing or refused. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { FAULTS, faultTests } from '../../support/fault-tests.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let faulty: FaultyPlatform;
beforeAll(async () => {
  bed = await startTestBed();
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
  await bed.enter({ name: 'Local' });
});
beforeEach(() => {
  faulty.fault = 'none';
});
afterEach(() => bed.closeTabs());
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
});

faultTests(() => ({ bed, faulty }), 'page', [FAULTS[2]]);

test('opening a page that doesn’t arrive can be canceled, doesn’t navigate the tab, and can be repeated', async () => {
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({
    environment: 'Faulty',
    app: findAction(bed.platform, 'is-email-registered').app,
    action: 'is-email-registered',
  });
  faulty.fault = 'silent';
  await panel.press('Open');
  await panel.press('Cancel');
  await waitFor('the button Open', () => panel.canPress('Open'));
  expect(await panel.alert()).toBeNull();
  expect(panel.inspected.url()).toBe('about:blank');
  faulty.fault = 'none';
  await panel.open();
});

test('a platform that is down, and a token that is missing or revoked, are reported, with the options for a token', async () => {
  const gone = await startFaultyPlatform();
  await gone.close();
  await bed.enter({ name: 'Gone', baseUrl: gone.baseUrl });
  await bed.enter({ name: 'Tokenless', baseUrl: `${faulty.baseUrl}/tokenless`, token: '' });
  await bed.enter({ name: 'Revoked', token: 'revoked-0000-0000-0000' });
  const panel = await bed.panel({ in: 'page' });
  const shows = async (environment: string, code: string): Promise<void> => {
    await panel.choose({ environment });
    await waitFor(`${code} for ${environment}`, async () => (await panel.alert())?.code === code);
  };
  await shows('Gone', 'PLATFORM_UNREACHABLE');
  await shows('Tokenless', 'TOKEN_MISSING');
  expect(await panel.canPress('Open options')).toBe(true);
  expect(faulty.requests.filter(({ path }) => path.startsWith('/tokenless'))).toEqual([]);
  await shows('Revoked', 'TOKEN_REFUSED');
  expect(await panel.canPress('Open options')).toBe(true);
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, 'is-email-registered').app });
  expect(await panel.alert()).toBeNull();
});

test('a token is only sent to the base URL that it was entered for', async () => {
  const other = await startFaultyPlatform(bed.platform.baseUrl);
  try {
    const panel = await bed.panel({ url: `${other.baseUrl}/`, in: 'page' });
    await panel.choose({
      environment: 'Local',
      app: findAction(bed.platform, 'is-email-registered').app,
      action: 'is-email-registered',
    });
    await panel.open();
    await panel.inspected.goto(`${other.baseUrl}/v1/apps/102/tasks/1101/compile?html`);
    expect(other.requests.length).toBeGreaterThan(1);
    expect(other.requests.filter((request) => request.token !== undefined)).toEqual([]);
  } finally {
    await other.close();
  }
});
