/** A platform with faults, refused tokens, and one that never responds. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startPlatform } from '../../../lib/local-platform/index.ts';
import { FAULTS, faultTests } from '../../support/fault-tests.ts';
import { type FaultyPlatform, MANY_APPS, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
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

faultTests(() => ({ bed, faulty }), 'page', [FAULTS[0], FAULTS[2]]);

test('a platform that never responds shows PLATFORM_SLOW after its time limit, and can be tried again', async () => {
  faulty.fault = 'silent';
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Faulty' });
  expect((await panel.error()).code).toBe('PLATFORM_SLOW');
  faulty.fault = 'none';
  await panel.press('Try again');
  await panel.choose({ app: findAction(bed.platform, 'is-email-registered').app });
});

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

test('a platform that is down shows PLATFORM_UNREACHABLE', async () => {
  const gone = await startFaultyPlatform();
  await gone.close();
  await bed.enter({ name: 'Gone', baseUrl: gone.baseUrl });
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Gone' });
  expect((await panel.error()).code).toBe('PLATFORM_UNREACHABLE');
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, 'is-email-registered').app });
  expect(await panel.alert()).toBeNull();
});

test('a valid list of ten megabytes of apps can be searched', async () => {
  faulty.fault = 'many-apps';
  const size = (await (await fetch(`${faulty.baseUrl}/v1/apps`)).arrayBuffer()).byteLength;
  expect(size).toBeGreaterThan(10_000_000);
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Faulty', app: `App ${MANY_APPS - 1}` });
  expect(await panel.frame().$eval('input[name=app]', (input) => (input as HTMLInputElement).value)).toContain(
    'App 19999',
  );
});

test('an environment without a token shows TOKEN_MISSING without any request, and links to the options', async () => {
  await bed.enter({ name: 'Tokenless', baseUrl: `${faulty.baseUrl}/tokenless`, token: '' });
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Tokenless' });
  expect((await panel.error()).code).toBe('TOKEN_MISSING');
  expect(await panel.canPress('Open options')).toBe(true);
  expect(faulty.requests.filter(({ path }) => path.startsWith('/tokenless'))).toEqual([]);
});

test('a token of another environment shows TOKEN_REFUSED with that reason, and links to the options', async () => {
  const region = await startPlatform({ port: 0, data: 'memory' });
  try {
    expect(region.authToken).not.toBe(bed.platform.authToken);
    await bed.enter({ name: 'Other region', token: region.authToken });
    const panel = await bed.panel({ in: 'page' });
    await panel.choose({ environment: 'Other region' });
    const alert = await panel.error();
    expect(alert.code).toBe('TOKEN_REFUSED');
    expect(alert.text).toContain('from another environment');
    expect(await panel.canPress('Open options')).toBe(true);
  } finally {
    await region.close();
  }
});

test('a revoked token shows TOKEN_REFUSED, and links to the options', async () => {
  await bed.enter({ name: 'Revoked', token: 'revoked-0000-0000-0000' });
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Revoked' });
  expect((await panel.error()).code).toBe('TOKEN_REFUSED');
  expect(await panel.canPress('Open options')).toBe(true);
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
