/** Visits every state of every surface, and checks its accessibility and layout, narrow and wide, light and dark. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { RUN_TOURS, TOURS } from '../support/states/index.ts';
import { faultsOf } from '../support/surface.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  panel = await bed.panel({ in: 'page' });
});
afterAll(() => bed?.close());

test.each([...TOURS, ...RUN_TOURS])(
  '%s: each state is accessible and fits, narrow and wide, light and dark',
  async (_surface, visit) => {
    const found: string[] = [];
    await visit({
      bed,
      panel,
      look: async (surface, name, options) => {
        found.push(...(await faultsOf(surface, 'brief', options)).map((fault) => `${name}: ${fault}`));
      },
    });
    expect(found).toEqual([]);
  },
);
