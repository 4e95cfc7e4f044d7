/** A developer’s hour with the debugger in Chromium. */
import { ChromiumPanel } from '../../../../lib/browser-driver/pages/chromium-panel.ts';
import { debuggingHour } from '../../../support/debugging-hour.ts';
import { startTestBed, type TestBed } from '../../../support/test-bed.ts';

let bed: TestBed;

debuggingHour(
  async () => {
    bed = await startTestBed({ ownPlatform: true });
    await bed.enter();
    return { platform: bed.platform, panel: new ChromiumPanel(await bed.panel()) };
  },
  () => bed?.close(),
);
