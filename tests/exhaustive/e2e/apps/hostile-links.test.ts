/** The pages of all apps whose icons are dangerous addresses. */
import { expect, test } from 'vitest';
import { AppsTab } from '../../../../lib/browser-driver/pages/apps-tab.ts';
import { checkLinks, hostileResponse } from '../../../support/hostile-links.ts';
import { startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';
import { startTestBed } from '../../../support/test-bed.ts';

test('no page of an app has a link to a dangerous address', async () => {
  const bed = await startTestBed();
  const faulty = await startFaultyPlatform(bed.platform.baseUrl);
  try {
    faulty.given = hostileResponse;
    await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
    const apps = new AppsTab(await bed.panel({ in: 'page' }));
    await apps.openTable('Faulty');
    await checkLinks(apps, /script|page$|oddly$|megabyte$|file$|extension$/);
    expect(await apps.frame().evaluate(() => 'hacked' in globalThis)).toBe(false);
  } finally {
    await bed.close();
    await faulty.close();
  }
});
