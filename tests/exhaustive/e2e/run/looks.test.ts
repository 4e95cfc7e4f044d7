/** Every state of the Run tab at every width, light and dark: accessibility, overflow, and pictures. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { RUN_STATES } from '../../../support/run-states.ts';
import { inspectSurface, panelSurface } from '../../../support/surface.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true });
  await bed.enter();
});
afterEach(() => bed.closeTabs());
afterAll(() => bed?.close());

test.each(RUN_STATES.map((states) => ({ states, names: states.map(({ name }) => name).join(', ') })))(
  'the Run tab is accessible and fits at every width, light and dark: $names',
  async ({ states }) => {
    const panel = await bed.panel({ in: 'page' });
    const surface = panelSurface(panel);
    const faults: string[] = [];
    for (const { name, show, again, covers } of states) {
      await show(panel, bed);
      const resize = async (width: number, height?: number): Promise<void> => {
        await surface.resize(width, height);
        await again?.(panel);
      };
      const found = await inspectSurface({ ...surface, document: panel.frame(), resize }, name);
      faults.push(
        ...found
          .filter((fault) => !covers || !fault.endsWith('is cut off or covered'))
          .map((fault) => `${name}: ${fault}`),
      );
      await resize(1200);
    }
    expect(faults).toEqual([]);
  },
);
