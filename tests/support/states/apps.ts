/** The states of the Apps tab, also with hostile data, and of the page of an app. */
import { AppsTab } from '../../../lib/browser-driver/pages/apps-tab.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { hostileResponse } from '../hostile-links.ts';
import { startFaultyPlatform } from '../servers/faulty-platform.ts';
import { pageSurface } from '../surface.ts';
import { PanelTour, type Place } from './tour.ts';

const APP = 101;
const HOSTILE_APP = 900_008;

export async function visitApps(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  await tour.panel.resize(1200);
  await visitAppsOf(tour, 'Local', 'apps', APP);
}

export async function visitHostileApps(place: Place): Promise<void> {
  const faulty = await startFaultyPlatform(place.bed.platform.baseUrl);
  try {
    faulty.given = hostileResponse;
    await place.bed.enter({ name: 'Hostile', baseUrl: faulty.baseUrl });
    await visitAppsOf(new PanelTour(place), 'Hostile', 'apps-hostile', HOSTILE_APP);
  } finally {
    await faulty.close();
  }
}

async function visitAppsOf(tour: PanelTour, environment: string, name: string, id: number): Promise<void> {
  const apps = new AppsTab(tour.panel);
  const isOwn = id === APP;
  await apps.openTable(environment);
  await tour.shows('[data-apps] [data-app]');
  await tour.look(`${name}-table`, isOwn ? { buttons: ['Refresh', 'Open'] } : {});
  await tour.panel.press('Columns');
  await tour.look(`${name}-columns`, { covers: true });
  await apps.openApp(id);
  await apps.read();
  if (isOwn) {
    await tour.panel.press('Watch version 12');
    await apps.says('[data-adopted]', 'have version 12');
  }
  await tour.look(`${name}-page`);
  await apps.tab('Sessions');
  await tour.click('[data-session]');
  await tour.shows('[data-session-detail]');
  await tour.look(`${name}-sessions`);
  await apps.tab('Charts');
  await waitFor('the charts', () => apps.has('[data-chart=last-access]'));
  if (isOwn) {
    await waitFor('the drawing', () => apps.has('[data-chart=versions] canvas'));
    await apps.frame().focus('[data-chart=versions] [role=slider]');
    await tour.panel.devtools.keyboard.press('ArrowLeft');
  }
  await tour.look(`${name}-charts`);
}

/** The page of an app in a tab of its own. */
export async function visitAppPage({ bed, depth, look }: Place): Promise<void> {
  const { browser, extensionId } = bed.extension;
  const page = await browser.newPage();
  const open = (query: string) => page.goto(`chrome-extension://${extensionId}/app.html${query}`);
  await open('');
  await page.waitForSelector('[data-state=no-link]');
  await look(pageSurface(page), 'app-no-link');
  if (depth === 'thorough') {
    await open(`?environment=gone&app=${APP}&version=13`);
    await page.waitForSelector('[data-state=no-environment]');
    await look(pageSurface(page), 'app-no-environment');
  }
  const environment = await page.evaluate(async () => {
    const { runtime } = (
      globalThis as unknown as {
        chrome: { runtime: { sendMessage(message: object): Promise<{ value: { id: string; name: string }[] }> } };
      }
    ).chrome;
    const { value } = await runtime.sendMessage({ to: 'background', name: 'environments.list' });
    return value.find(({ name }) => name === 'Local')!.id;
  });
  if (depth === 'thorough') {
    await open(`?environment=${environment}&app=999999&version=13`);
    await page.waitForSelector('[data-state=no-app]');
    await look(pageSurface(page), 'app-no-app');
  }
  await open(`?environment=${environment}&app=${APP}&version=12`);
  await page.waitForSelector('[data-adoption=watching] [data-adopted], [data-adopted]');
  await look(pageSurface(page), 'app-published');
  await page.close();
}
