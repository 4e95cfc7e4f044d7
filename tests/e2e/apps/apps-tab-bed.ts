/** What tests of the Apps tab work with: a platform with a clock that fails on request. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { AnalyticsSession } from '../../../lib/platform-api/index.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { AppsTab } from '../../../lib/browser-driver/pages/apps-tab.ts';
import { ask } from '../../support/ask.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

export const APP = 101;

export let bed: TestBed;

export let faulty: FaultyPlatform;

export let apps: AppsTab;

/** Registers what is done before and after the tests of a file. */
export function setUpAppsTab(): void {
  beforeAll(async () => {
    bed = await startTestBed({ clock: new Date() });
    faulty = await startFaultyPlatform(bed.platform.baseUrl);
    await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
    apps = new AppsTab(await bed.panel({ in: 'page' }));
  });
  beforeEach(async () => {
    faulty.fault = 'none';
    faulty.only = () => true;
    faulty.given = () => undefined;
    faulty.gate = () => {};
    await apps.panel.resize(1200);
  });
  afterAll(async () => {
    await bed?.close();
    await faulty?.close();
  });
}

export async function sessionsOf(appId: number): Promise<AnalyticsSession[]> {
  const path = `/v1/apps/${appId}/analytics/sessions`;
  return (await ask<{ sessions: AnalyticsSession[] }>(bed.platform, path)).sessions;
}

/** The last session of each user; one without an email counts as a user. The newest version is 12, and two behind it is 10. */
export function usedLast(all: AnalyticsSession[]): AnalyticsSession[] {
  const byUser = Map.groupBy(all, ({ id, user }) => user?.email ?? id);
  return [...byUser.values()].flatMap((own) =>
    own.toSorted((a, b) => String(b.lastAccessedAt).localeCompare(String(a.lastAccessedAt))).slice(0, 1),
  );
}

const count = (): Promise<number> =>
  apps.frame().$eval('[data-session-count]', (element) => Number(element.getAttribute('data-session-count')));

export interface SessionFilter {
  what: string;
  holds: (session: AnalyticsSession) => boolean;
  set: () => Promise<unknown>;
}

export const newestOf = (all: AnalyticsSession[]): number =>
  Math.max(...all.map(({ appVersion }) => appVersion?.currentVersion ?? 0));

async function pick(name: string, value: string): Promise<void> {
  await click(apps.frame(), `[name=${name}]`);
  await click(apps.frame(), `[role=option][data-value="${value}"]`);
}

/** Every filter of sessions, each with a value that some of them have. */
export function filtersOf(all: AnalyticsSession[]): SessionFilter[] {
  const newest = newestOf(all);
  const day = (text: string | null): string => new Date(text ?? '').toLocaleDateString('sv-SE');
  const middle = all.map(({ lastAccessedAt }) => day(lastAccessedAt)).sort()[60]!;
  return [
    {
      what: 'words',
      holds: ({ user, identifier }) =>
        (user?.email?.includes('novak') ?? false) && identifier?.device?.family === 'iPhone',
      set: () => apps.type('[name=session-query]', 'novak iphone'),
    },
    {
      what: 'device',
      holds: ({ identifier }) => identifier?.device?.family === 'Pixel 9',
      set: () => pick('session-device', 'Pixel 9'),
    },
    {
      what: 'version',
      holds: ({ appVersion }) => appVersion?.currentVersion === newest - 1,
      set: () => apps.frame().select('[name=session-version]', String(newest - 1)),
    },
    {
      what: 'versions behind',
      holds: ({ appVersion }) => appVersion?.currentVersion != null && newest - appVersion.currentVersion >= 2,
      set: () => apps.frame().select('[name=session-behind]', '2'),
    },
    {
      what: 'system',
      holds: ({ identifier }) => identifier?.os?.family === 'iOS',
      set: () => pick('session-os', 'iOS'),
    },
    {
      what: 'browser',
      holds: ({ identifier }) => identifier?.browser?.family === 'Firefox',
      set: () => pick('session-browser', 'Firefox'),
    },
    {
      what: 'last access from',
      holds: ({ lastAccessedAt }) => day(lastAccessedAt) >= middle,
      set: () => apps.type('[name=session-from]', middle),
    },
    {
      what: 'last access to',
      holds: ({ lastAccessedAt }) => day(lastAccessedAt) <= middle,
      set: () => apps.type('[name=session-to]', middle),
    },
  ];
}

/** On the tab of sessions. */
export async function checkFilters(all: AnalyticsSession[], filters: SessionFilter[]): Promise<void> {
  for (const { what, holds, set } of filters) {
    const expected = all.filter(holds).length;
    expect(expected > 0 && expected < all.length, what).toBe(true);
    await set();
    await waitFor(`${expected} sessions by ${what}`, async () => (await count()) === expected);
    await apps.panel.press('Clear filters');
    await waitFor('all of them', async () => (await count()) === all.length);
  }
}
