/** A developer’s hour with the debugger in Firefox. */
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { debuggingHour } from '../../../support/debugging-hour.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';

let bed: FirefoxBed;

debuggingHour(
  async () => {
    bed = await startFirefoxBed({ ownPlatform: true });
    const { firefox, platform } = bed;
    await (await bed.openOptions()).addEnvironment('Local', platform.baseUrl, platform.authToken);
    await firefox.navigate('about:blank');
    return { platform, panel: await FirefoxPanel.open(firefox) };
  },
  () => bed?.close(),
);
