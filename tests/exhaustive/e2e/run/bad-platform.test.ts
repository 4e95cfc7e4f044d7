/** Every fault of a platform, in real DevTools. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { FAULTS, faultTests } from '../../../support/fault-tests.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
let faulty: FaultyPlatform;
beforeAll(async () => {
  bed = await startTestBed();
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
});
afterEach(() => bed.closeTabs());
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
});

faultTests(() => ({ bed, faulty }), 'devtools', FAULTS);
