/** Apps whose icons are dangerous addresses, and a check that their pages have no link to them. */
import { expect } from 'vitest';
import type { AppsTab } from '../../lib/browser-driver/pages/apps-tab.ts';
import { hostileApps, hostileSessions } from './data/hostile-apps.ts';

/** What a platform with hostile apps and sessions responds. */
export const hostileResponse = ({ path }: { path: string }): unknown =>
  /^\/v1\/apps(\?|$)/.test(path)
    ? { apps: hostileApps() }
    : path.includes('/analytics/sessions')
      ? { sessions: hostileSessions() }
      : undefined;

/** Opens the page of each app with such a name, from the table and back to it. */
export async function checkLinks(apps: AppsTab, names: RegExp): Promise<void> {
  const dangerous = hostileApps().flatMap(({ id, name }) => (names.test(String(name)) ? [id as number] : []));
  expect(dangerous.length).toBeGreaterThan(1);
  for (const id of dangerous) {
    await apps.openApp(id);
    expect(
      await apps
        .frame()
        .$$eval('.app-page > :not(header) a[href]', (all) =>
          all.map((each) => (each as HTMLAnchorElement).protocol).filter((protocol) => !/^https?:$/.test(protocol)),
        ),
    ).toEqual([]);
    await apps.panel.press('Back to all apps');
  }
}
