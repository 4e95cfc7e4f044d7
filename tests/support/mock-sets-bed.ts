/** What tests of sets of mocks work with: a platform of their own, whose emails they count. */
import { afterAll, afterEach, beforeAll } from 'vitest';
import { MocksPage } from '../../lib/browser-driver/pages/mocks-page.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { findAction, startTestBed, type TestBed } from './test-bed.ts';
import { outbox } from './ask.ts';

export const EMAIL = 'com.platform.function.send-email';

/** The file with these sets. */
export const fileOf = (...sets: object[]): string =>
  JSON.stringify({ format: 'platform-devtools/mocks', version: 1, sets });

export interface MockSetsBed {
  opened(action: string): Promise<{ panel: PanelPage; mocks: MocksPage }>;
  /** How many emails the app’s actions have sent. */
  sent(): Promise<number>;
}

/** Registers the hooks of a file of these tests. */
export function useMockSetsBed(): MockSetsBed {
  let bed: TestBed;
  beforeAll(async () => {
    bed = await startTestBed({ ownPlatform: true });
    await bed.enter();
  });
  afterEach(() => bed.closeTabs());
  afterAll(() => bed?.close());
  return {
    async opened(action) {
      const panel = await bed.panel({ in: 'page', action });
      return { panel, mocks: new MocksPage(panel) };
    },
    async sent() {
      const { appId } = findAction(bed.platform, 'notify-admins');
      return (await outbox(bed.platform, appId)).filter((kind) => kind === 'email').length;
    },
  };
}
