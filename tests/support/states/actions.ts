/** The states of the Actions tab: its table, an action’s detail, logs, the editor, the trigger lab, and questions. */
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { startFaultyPlatform } from '../servers/faulty-platform.ts';
import { PanelTour, type Place } from './tour.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
const fail = (message: string) => ({ functionPackage: 'com.platform.function.fail', settings: { message } });
const loop = (...functions: object[]) => ({ type: 'loop', items: 'shelves', functions });
/** The app whose actions these states replace. */
const APP = 'Team Directory';
/** Leaves its actions as they are. */
const OTHER_APP = 'Visitor Desk';

const RESTOCK = {
  name: 'weekly-restock',
  functions: [loop(say('{{currentItem}}'))],
  frequency: '30 2 * * SUN',
  timezone: 'America/New_York',
  triggers: [
    { trigger: 'schedule' },
    { trigger: 'manual' },
    { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 3 } },
  ],
  environment: 'server',
};

export async function visitActions(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  const path = `/v1/apps/${place.bed.platform.apps.find(({ name }) => name === APP)!.id}/actions`;
  const id = await prepare(tour, path);
  // With a URL of its own: the panel asks before runs on a page that also belongs to a production environment.
  const production = await startFaultyPlatform(place.bed.platform.baseUrl);
  await place.bed.enter({ name: 'Acme EU', production: true, baseUrl: production.baseUrl });
  await tour.reset();
  await tour.panel.choose({ environment: 'Local', app: APP });
  await tour.tab('Actions');
  await tour.shows('[data-actions] [data-action]');
  await tour.look('actions-table', { buttons: ['Refresh', 'New action'] });
  await visitDetail(tour, id);
  await visitProduction(tour, id);
  await tour.panel.choose({ environment: 'Local', app: APP });
  await production.close();
  await visitEditor(tour, path, id);
  await visitLab(tour);
}

/** Makes the app’s actions, one of which is published and changed since. Returns its ID. */
async function prepare(tour: PanelTour, path: string): Promise<number> {
  for (const { id } of (await tour.ask<{ actions: Action[] }>(path)).actions)
    await tour.ask(`${path}/${id}?by=id`, 'DELETE');
  const { action } = await tour.ask<{ action: Action }>(path, 'POST', RESTOCK);
  await tour.ask(`${path}/${action.id}/publish`, 'POST', { publish: true });
  const functions = [say('first'), loop(say('{{currentItem}}'), fail('none left'))];
  await tour.ask(`${path}/${action.id}?by=id`, 'PUT', { functions });
  for (const name of ['count-lamps', 'old-import', 'send-digest'])
    await tour.ask(path, 'POST', { name, functions: [say('x')], active: name !== 'old-import' });
  return action.id;
}

async function visitDetail(tour: PanelTour, id: number): Promise<void> {
  await tour.click(`[data-actions] [data-action="${id}"]`);
  await tour.panel.setPayload('{"shelves": ["a", "b"]}');
  await tour.panel.press('Run with result');
  await tour.shows('[data-run-failed]');
  await tour.look('actions-detail');
  await tour.tab('Logs');
  await tour.click('[data-logs] [role=row][data-log]');
  await tour.shows('[data-log-detail]');
  await tour.look('actions-logs');
  await tour.tab('All actions');
}

async function visitProduction(tour: PanelTour, id: number): Promise<void> {
  const { panel } = tour;
  await panel.choose({ environment: 'Acme EU', app: APP });
  await tour.click(`[data-actions] [data-action="${id}"]`);
  await waitFor('its badges', async () => (await panel.frame().$$('.action-detail .badge.danger')).length === 3);
  await panel.press('Unpublish');
  await tour.shows('dialog[open]');
  await tour.look('production-question');
  await tour.click('dialog [name=unlock]');
  await panel.press('Unpublish action');
  await tour.shows('[data-unlocked]');
  await tour.look('production-unlocked');
  await panel.press('Lock Acme EU');
}

async function visitEditor(tour: PanelTour, path: string, id: number): Promise<void> {
  const { panel } = tour;
  await tour.click(`[data-actions] [data-action="${id}"]`);
  await panel.press('New action');
  await tour.shows('[data-edit=new] [name=action-name]');
  await tour.look('actions-edit', { buttons: ['Create', 'Close editor'], repeats: true });
  await fill(panel.frame(), '[name=action-name]', 'two words');
  await fill(panel.frame(), '[name=action-frequency]', '30 2 * 10 SUN');
  await panel.press('Function');
  await tour.shows('[name=step-package]');
  await waitFor('the problems', async () => (await panel.frame().$$('[data-problem]')).length > 1);
  await tour.look('actions-edit-refused');
  await panel.press('Discard changes');
  await panel.press('Close editor');

  await tour.click(`[data-actions] [data-action="${id}"]`);
  await panel.press('Edit');
  await tour.shows(`[data-edit="${id}"]`);
  await fill(panel.frame(), '[name=action-frequency]', '0 8 * * *');
  await tour.ask(`${path}/${id}?by=id`, 'PUT', { environment: 'any' });
  await panel.press('Save');
  await tour.shows('[data-difference]');
  await tour.look('actions-edit-conflict');
  await panel.press('Overwrite with yours');
  await panel.press('Close editor');
}

async function visitLab(tour: PanelTour): Promise<void> {
  const { panel } = tour;
  await panel.choose({ app: OTHER_APP });
  await tour.tab('Trigger lab');
  await tour.shows('[data-match]');
  await tour.look('actions-lab', { buttons: ['Fire'], repeats: true });
  await panel.press('Analytics event');
  await panel.press('Open preview page');
  await tour.shows('.lab-page[data-mode=preview]');
  for (const [name, text] of [
    ['event-category', 'badge'],
    ['event-action', 'print'],
    ['event-page', '2102'],
  ] as const)
    await fill(panel.frame(), `[name=${name}]`, text);
  await tour.shows('[data-match="1103"][data-fires=true]');
  await panel.press('Fire');
  await tour.shows('[data-fired=analytics] [data-action="1103"]');
  await tour.look('actions-lab-event');
  await panel.inspected.goto('about:blank');
}
