/** Every fault of a platform in real DevTools, a silent one, a long list, and a token of another environment. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startPlatform } from '../../../../lib/local-platform/index.ts';
import { FAULTS, faultTests } from '../../../support/fault-tests.ts';
import { type FaultyPlatform, MANY_APPS, startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';
import { findAction, startTestBed, type TestBed } from '../../../support/test-bed.ts';

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

faultTests(() => ({ bed, faulty }), 'devtools', FAULTS);

test('a platform that never responds shows PLATFORM_SLOW after its time limit, and can be tried again', async () => {
  faulty.fault = 'silent';
  const panel = await bed.panel({ in: 'page' });
  await panel.choose({ environment: 'Faulty' });
  expect((await panel.error()).code).toBe('PLATFORM_SLOW');
  faulty.fault = 'none';
  await panel.tryAgain();
  await panel.choose({ app: findAction(bed.platform, 'is-email-registered').app });
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

test('a token of another environment shows TOKEN_REFUSED with that reason, and links to the options', async () => {
  const region = await startPlatform({ port: 0, data: 'memory' });
  try {
    expect(region.authToken).not.toBe(bed.platform.authToken);
    await bed.enter({ name: 'Other region', token: region.authToken });
    const panel = await bed.panel({ in: 'page' });
    await panel.choose({ environment: 'Other region' });
    const alert = await panel.error();
    expect(alert.code).toBe('TOKEN_REFUSED');
    expect(alert.text).toContain('belongs to this platform');
    expect(await panel.canPress('Open options')).toBe(true);
  } finally {
    await region.close();
  }
});
