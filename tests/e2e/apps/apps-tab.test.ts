/** The Apps tab, in a real browser on a real platform. */
import { expect, test } from 'vitest';
import type { AnalyticsSession } from '../../../lib/platform-api/index.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { hostileSessions } from '../../support/data/hostile-apps.ts';
import { checkLinks, hostileResponse } from '../../support/hostile-links.ts';
import { requestsOf } from '../../support/network.ts';
import {
  APP,
  apps,
  checkFilters,
  faulty,
  filtersOf,
  newestOf,
  sessionsOf,
  usedLast,
  setUpAppsTab,
} from './apps-tab-bed.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

setUpAppsTab();

test('the table of apps can be searched and sorted, and remembers its columns', async () => {
  await apps.openTable('Faulty');
  expect(await apps.cells('[data-apps]', 'Name')).toEqual(['Field Service', 'Team Directory', 'Visitor Desk']);
  await apps.sortBy('Version');
  await waitFor(
    'the lowest version first',
    async () => (await apps.cells('[data-apps]', 'Version')).join() === '4,12,–',
  );
  await apps.sortBy('Version');
  await waitFor(
    'the highest version first',
    async () => (await apps.cells('[data-apps]', 'Version')).join() === '12,4,–',
  );
  await apps.type('[aria-label="Search apps"]', 'desk 102');
  await apps.says('[data-app-count]', '1 of 3 apps');
  await apps.type('[aria-label="Search apps"]', 'nowhere');
  await apps.says('.empty', 'No apps match “nowhere”');
  await apps.panel.press('Clear search');
  await apps.says('[data-app-count]', '3 apps');

  await apps.panel.press('Columns');
  for (const name of ['organizationId', 'startingPageId']) await click(apps.frame(), `[name=column-${name}]`);
  await waitFor(
    'the new columns',
    async () => (await apps.cells('[data-apps]', 'Starting page')).join() === '2001,2101,2201',
  );
  await apps.panel.reload();
  await waitFor(
    'them again',
    async () => (await apps.cells('[data-apps]', 'Organization').catch(() => [])).join() === '21,21,21',
  );
  await click(apps.frame(), `[data-app="${APP}"]`);
  await apps.panel.press('Copy ID');
  await waitFor('that it was copied', async () =>
    (await apps.frame().$$eval('.apps-table [role=status]', (all) => all.map((each) => each.textContent))).includes(
      'Copied',
    ),
  );
});

test('sessions can be filtered, sorted, opened, and exported as CSV and JSON', async () => {
  const all = await sessionsOf(APP);
  await apps.openTable('Faulty');
  await apps.openApp(APP);
  const users = usedLast(all);
  const behind = users.filter(
    ({ appVersion }) => appVersion !== null && appVersion.currentVersion !== null && appVersion.currentVersion <= 10,
  ).length;
  expect(await apps.read()).toMatch(
    new RegExp(`^${users.length} users, ${behind} at least 2 versions behind Updated `),
  );
  await apps.tab('Sessions');
  const newest = newestOf(all);
  await checkFilters(all, filtersOf(all).slice(0, 2));

  await apps.frame().select('[name=session-version]', String(newest - 1));
  await apps.sortBy('Email');
  const wanted = all.filter(({ appVersion }) => appVersion?.currentVersion === newest - 1);
  const first = wanted
    .map(({ user }) => user?.email)
    .filter((email) => email != null)
    .sort()[0]!;
  await waitFor('the first by name', async () => (await apps.cells('[data-sessions]', 'Email'))[0] === first);
  await click(apps.frame(), '[data-sessions] [data-index="0"]');
  const shown = wanted.find(({ user }) => user?.email === first)!;
  await apps.says(`[data-session-detail="${shown.id}"]`, shown.identifier!.userAgent!);

  const csv = await apps.saved('Export CSV');
  expect(csv.name).toMatch(/^field-service-101-sessions-\d{4}-\d\d-\d\d\.csv$/);
  const lines = csv.text.split('\r\n');
  expect([
    lines.length,
    lines[0]!.startsWith('\uFEFFid,email,currentVersion,'),
    lines[1]!.startsWith(`${shown.id},${first},${newest - 1},`),
  ]).toEqual([wanted.length + 2, true, true]);
  const json = await apps.saved('Export JSON');
  expect(json.name).toMatch(/\.json$/);
  expect((JSON.parse(json.text) as { sessions: AnalyticsSession[] }).sessions.map(({ id }) => id).toSorted()).toEqual(
    wanted.map(({ id }) => id).toSorted(),
  );
});

test('each chart has the theme’s colors, a text alternative, a table of its numbers, and a keyboard cursor', async () => {
  await apps.openTable('Faulty');
  await apps.openApp(APP);
  await apps.read();
  await apps.tab('Charts');
  await apps.says(
    '[data-chart=versions] [data-text-alternative]',
    /^320 sessions by \w+ \d+ \w+: .*\d+ on version 12, /,
  );
  await apps.says('[data-chart=adoption] [data-text-alternative]', /\d% of sessions had version 12 by /);
  await apps.says(
    '[data-chart=last-access] [data-text-alternative]',
    / of 320 sessions \(\d+%\) (?:was|were) used in the last 7 days/,
  );
  await apps.says('[data-chart=devices] [data-text-alternative]', / of 320 sessions \(\d+%\), /);
  await apps.says('[data-chart=browsers] tbody', /Firefox \d+% \d+/);
  /** How many pixels of each chart have the colour of its first series. */
  const drawn = (): Promise<number[]> =>
    apps.frame().$$eval('.chart canvas', (all) =>
      all.map((canvas) => {
        const probe = document.createElement('canvas').getContext('2d')!;
        probe.fillStyle = getComputedStyle(canvas).getPropertyValue('--series-1').trim();
        probe.fillRect(0, 0, 1, 1);
        const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
        const { data } = (canvas as HTMLCanvasElement)
          .getContext('2d')!
          .getImageData(0, 0, (canvas as HTMLCanvasElement).width, (canvas as HTMLCanvasElement).height);
        let found = 0;
        for (let at = 0; at < data.length; at += 4)
          if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) found++;
        return found;
      }),
    );
  for (const theme of ['dark', 'light']) {
    await apps.frame().evaluate((theme) => {
      document.documentElement.dataset['theme'] = theme;
    }, theme);
    await waitFor(
      `three charts in the colours of ${theme}`,
      async () => (await drawn()).map((pixels) => pixels > 100).join() === 'true,true,true',
    );
  }
  await apps.panel.resize(700);
  await waitFor('the narrower canvas', async () =>
    (
      await apps
        .frame()
        .$$eval('.chart .canvas', (all) =>
          all.map((each) => [each.clientWidth, each.querySelector('canvas')!.clientWidth]),
        )
    ).every(([location, canvas]) => location === canvas),
  );

  const cursor = '[data-chart=last-access] [role=slider]';
  const announced = (): Promise<string | null> =>
    apps.frame().$eval(cursor, (element) => element.getAttribute('aria-valuetext'));
  await apps.frame().focus(cursor);
  const today = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
  const dayOf = (back: number): string =>
    today.format(new Date().setDate(new Date().getDate() - back)).replaceAll(',', '');
  const counts = await sessionsOf(APP).then(
    (all) => (back: number) =>
      all.filter(
        ({ lastAccessedAt }) => today.format(new Date(lastAccessedAt ?? '')).replaceAll(',', '') === dayOf(back),
      ).length,
  );
  const says = (back: number): string =>
    `${dayOf(back)}: ${counts(back)} ${counts(back) === 1 ? 'session' : 'sessions'}`;
  for (const [key, back] of [
    ['End', 0],
    ['ArrowLeft', 1],
    ['ArrowLeft', 2],
    ['PageDown', 9],
    ['ArrowRight', 8],
  ] as const) {
    await apps.panel.devtools.keyboard.press(key);
    await waitFor(`${key} to go to ${says(back)}`, async () => (await announced()) === says(back));
  }
  await apps.says('[data-chart=last-access] .tip', dayOf(8));
  await apps.panel.press('Show as table: Last access per day');
  expect(
    await apps
      .frame()
      .$$eval('[data-chart=last-access] tbody tr', (rows) =>
        rows.slice(0, 3).map((row) => [...row.children].map((cell) => cell.textContent).join(': ')),
      ),
  ).toEqual([says(0), says(1), says(2)]);
});

test('hostile apps and sessions are shown as text, run nothing, load nothing, and don’t overflow', async () => {
  const requests = await requestsOf(apps.panel.devtools);
  faulty.given = hostileResponse;
  await apps.openTable('Faulty');
  await apps.says('[data-app-count]', '26 of 28 apps');
  const fits = async (): Promise<void> => {
    for (const width of [420, 1200]) {
      await apps.panel.resize(width);
      expect(await apps.sticksOut()).toEqual([]);
    }
  };
  await apps.panel.press('Columns');
  await click(apps.frame(), '[name=column-icon]');
  await fits();
  await apps.panel.press('Deleted: 2');
  await apps.says('[data-app-count]', '2 deleted apps');
  await apps.panel.press('Deleted: 2');
  await checkLinks(apps, /oddly$|file$/);
  await apps.openApp(900_008);
  await apps.read();
  await fits();
  await apps.tab('Sessions');
  await click(apps.frame(), '[data-sessions] [data-index="0"]');
  for (let row = 0; row < hostileSessions().length; row++) await apps.panel.devtools.keyboard.press('ArrowDown');
  await waitFor('the last one', () => apps.has(`[data-index="${hostileSessions().length - 1}"][aria-selected=true]`));
  await fits();
  await apps.saved('Export CSV');
  await apps.tab('Charts');
  await apps.says('[data-chart=last-access] [data-text-alternative]', 'Omitted: ');
  await fits();
  expect(await apps.frame().evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(requests.filter((url) => !/^(chrome-extension|devtools|data:image|blob)/.test(url))).toEqual([]);
});
