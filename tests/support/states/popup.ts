/** The states of the popup, in a tab as wide as the popup. */
import type { ExtensionBrowser } from '../../../lib/browser-driver/chromium.ts';
import { PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { hostileApps, hostileSessions } from '../data/hostile-apps.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../servers/faulty-platform.ts';
import { type Depth, pageSurface } from '../surface.ts';
import type { Place } from './tour.ts';

export const POPUP_WIDTHS = [380];
/** The app that gets new versions. */
const APP = 'Team Directory';

export async function openPopupPage({ browser, extensionId }: ExtensionBrowser): Promise<PopupPage> {
  const page = await browser.newPage();
  await page.setViewport({ width: 380, height: 600 });
  await page.goto(`chrome-extension://${extensionId}/popup.html`);
  await page.waitForSelector('textarea, [data-outcome], main .actions, form.unlock');
  return new PopupPage(page);
}

/** Begins without any environment, and leaves the one of the platform. */
export async function visitPopup(place: Place): Promise<void> {
  const first = await openPopupPage(place.bed.extension);
  await waitFor('where to begin', async () => (await first.text()).includes('Add an environment'));
  await place.look(pageSurface(first.page, POPUP_WIDTHS), 'popup-first');
  await first.close();
  const faulty = await startFaultyPlatform(place.bed.platform.baseUrl);
  try {
    await place.bed.enter({ name: 'Proxy', baseUrl: faulty.baseUrl });
    if (place.depth === 'thorough') await place.bed.enter({ name: 'Live', baseUrl: faulty.baseUrl, production: true });
    const popup = await openPopupPage(place.bed.extension);
    const look = (name: string) => place.look(pageSurface(popup.page, POPUP_WIDTHS), `popup-${name}`);
    await visitReleases(popup, faulty, look);
    await visitQuestions(popup, place.depth, look);
    await popup.close();
  } finally {
    await faulty.close();
  }
  await place.bed.enter();
}

type LookAt = (name: string) => Promise<void>;

async function visitReleases(popup: PopupPage, faulty: FaultyPlatform, look: LookAt): Promise<void> {
  await popup.chooseApp(APP);
  await popup.write({ type: 'silent', changelog: 'Visits can be signed.' });
  await look('form');
  const held = Promise.withResolvers<void>();
  faulty.gate = (moment, { method }) => (moment === 'received' && method === 'POST' ? held.promise : undefined);
  await popup.press('Publish');
  await waitFor('the publish to run', async () => (await popup.state()) === 'running');
  await look('running');
  faulty.gate = () => {};
  held.resolve();
  await popup.outcome();
  await look('published');
  await popup.press('Publish another update');

  await popup.read();
  await popup.write({ type: 'silent', changelog: 'Cut off.' });
  faulty.only = ({ method }) => method === 'POST';
  faulty.fault = 'bad-gateway';
  await popup.press('Publish');
  await waitFor('an unknown outcome', async () => (await popup.state()) === 'unknown');
  await look('unknown');
  faulty.fault = 'none';
  await popup.press('Check again');
  await waitFor('what was seen', async () => (await popup.text()).includes('no change of the app since'));
  const before = faulty.requests.length;
  await popup.press('Dismiss');
  // What the popup knew of the app stays until it’s read again, which must not fail.
  await waitFor('the app to be read again', () => faulty.requests.length > before);

  await popup.read();
  faulty.only = () => true;
  faulty.fault = 'unavailable';
  await popup.press('Publish');
  await waitFor('the failure', async () => (await popup.state()) === 'failed');
  await look('failed');
  faulty.fault = 'none';
  await popup.press('Back to release');
}

async function visitQuestions(popup: PopupPage, depth: Depth, look: LookAt): Promise<void> {
  await popup.read();
  await popup.write({ type: 'forced', changelog: 'The map on small screens.' });
  await popup.press('Publish…');
  await waitFor('the question', async () => (await popup.text()).includes('Force this update?'));
  await look('confirm');
  await popup.press('Back');
  if (depth === 'brief') return;
  await chooseEnvironment(popup, 'Live');
  await waitFor('the apps of the other environment', async () => /3 apps/.test(await popup.text()));
  await popup.chooseApp('Visitor');
  await popup.write({ type: 'silent', changelog: 'For all.' });
  await popup.press('Publish…');
  await waitFor('the question', async () => (await popup.text()).includes('Publish to production?'));
  await look('production');
  await popup.press('Back');
}

/** Long and foreign names, and no apps at all. */
export async function visitHostilePopup(place: Place): Promise<void> {
  const faulty = await startFaultyPlatform(place.bed.platform.baseUrl);
  try {
    faulty.given = ({ path }) =>
      path === '/v1/apps'
        ? { apps: hostileApps() }
        : path.includes('/sessions?')
          ? { sessions: hostileSessions() }
          : undefined;
    await place.bed.enter({ name: 'Odd', baseUrl: faulty.baseUrl });
    const popup = await openPopupPage(place.bed.extension);
    const look = (name: string) => place.look(pageSurface(popup.page, POPUP_WIDTHS), `popup-${name}`);
    await chooseEnvironment(popup, 'Odd');
    await waitFor('the apps', async () => /\d\d apps · Updated/.test(await popup.text()));
    for (const id of [900_006, 900_009]) {
      await popup.chooseApp(String(id));
      await popup.read();
      await look(`hostile-${id}`);
    }
    faulty.given = ({ path }) => (path === '/v1/apps' ? { apps: [] } : undefined);
    await popup.press('Refresh');
    await waitFor('that there is none', async () => /0 apps · Updated/.test(await popup.text()));
    await popup.page.click('input[name=app]');
    await look('no-apps');
    await popup.close();
  } finally {
    await faulty.close();
  }
}

async function chooseEnvironment(popup: PopupPage, name: string): Promise<void> {
  const id = await popup.page.$$eval(
    'select[name=environment] option',
    (all, name) => all.find(({ textContent }) => textContent === name)!.getAttribute('value')!,
    name,
  );
  await popup.page.select('select[name=environment]', id);
}
