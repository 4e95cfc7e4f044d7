/** The states of the OAuth2 tab: another page, a service’s session and flows, calls, and the doctor. */
import { OAuth2Tab } from '../../../lib/browser-driver/pages/oauth2-tab.ts';
import { OAUTH2_SCREEN } from '../../../lib/local-platform/index.ts';
import { openWithToken } from '../network.ts';
import { PanelTour, type Place } from './tour.ts';

export async function visitOAuth2(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  const { panel } = tour;
  const { baseUrl, authToken } = place.bed.platform;
  await panel.inspected.goto('about:blank');
  await tour.reset();
  const tab = await OAuth2Tab.open(panel);
  await tour.look('oauth2-elsewhere', { buttons: ['Refresh'] });

  const screen = `${baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`;
  await openWithToken(panel.inspected, screen, authToken);
  await tab.shows('both services', '[data-service="demo-implicit"]');
  await tab.logIn('demo-code');
  await tab.flowOf('login', ({ tone }) => tone === 'success');
  await tour.look('panel-oauth2', { repeats: true });
  await panel.frame().click('[data-flows] [role=row][data-entry]');
  await tab.shows('the entry’s details', '[data-entry-details] dl');
  await tour.look('panel-oauth2-entry');
  await tab.press('Call API', 'tab');
  await tab.fill('api-path', 'error/403');
  await tab.press('Call');
  await tab.shows('the refusal', '[data-response=API_REFUSED]');
  await tour.look('panel-oauth2-call');
  await tab.choose('demo-implicit');
  await tour.click('[role=tab][id$="-doctor"]');
  await tab.press('Check demo-implicit');
  await tab.shows('the finding', '[data-finding=IMPLICIT_FLOW]');
  await tour.look('panel-oauth2-doctor');
  await panel.inspected.goto('about:blank');
}
