/** The states of *Migrate to V3*: an action’s code with its proof, the plan to switch over, and the overview of an app. */
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { PanelTour, type Place } from './tour.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });
/** The app whose actions these states replace. */
const APP = 'Team Directory';
/** Has actions, but no recorded runs. */
const OTHER_APP = 'Visitor Desk';

const COUNT = {
  name: 'count-orders',
  functions: [
    {
      type: 'if',
      conditions: [{ condition: 'count > 2', functions: [say('{{count}} orders, many')] }],
      elseFunctions: [say('{{count}} orders')],
    },
  ],
};
/** Can’t be translated without a person. */
const UNCLEAR = { name: 'unclear', functions: [{ type: 'if', conditions: [{ condition: 'count >', functions: [] }] }] };
const LIVE = {
  name: 'orders',
  functions: [say('done')],
  environment: 'server',
  triggers: [{ trigger: 'log', where: { type: 'order.created' } }, { trigger: 'manual' }],
};

export async function visitMigration(place: Place): Promise<void> {
  const tour = new PanelTour(place);
  const app = `/v1/apps/${place.bed.platform.apps.find(({ name }) => name === APP)!.id}`;
  const path = `${app}/actions`;
  // A live version, without which nothing becomes live.
  await tour.ask(`${app}/publish`, 'POST', { release: { type: 'silent', changelog: 'First.' } });
  for (const { id } of (await tour.ask<{ actions: Action[] }>(path)).actions)
    await tour.ask(`${path}/${id}?by=id`, 'DELETE');
  await tour.reset();
  await tour.panel.choose({ environment: 'Local', app: APP });
  await tour.tab('Actions');
  await tour.tab('Migration');
  await tour.shows('.empty');
  await tour.look('migration-overview-empty', { repeats: true });

  await tour.ask(path, 'POST', COUNT);
  await tour.ask(path, 'POST', UNCLEAR).catch(() => undefined);
  const { action } = await tour.ask<{ action: Action }>(path, 'POST', LIVE);
  await tour.ask(`${path}/${action.id}/publish`, 'POST', { publish: true });
  for (const count of [1, 5])
    await tour.ask(`${path}/${COUNT.name}/run-with-result`, 'POST', { payload: { count }, record: true });
  await tour.tab('All actions');
  await tour.panel.press('Refresh');
  await tour.shows('[data-actions] [data-action]');
  await visitOverview(tour);
  await visitCode(tour);
  await visitPlan(tour, path, action.id);
}

/** Opens a page of the app, in which code can be proved with the button. */
async function openPage(tour: PanelTour, button: string): Promise<void> {
  await tour.panel.press('Open debug page');
  await waitFor('a page of the app', () => tour.panel.canPress(button));
}

async function visitOverview(tour: PanelTour): Promise<void> {
  await tour.tab('Migration');
  await tour.shows('[data-migrations]');
  await openPage(tour, 'Check all');
  await tour.panel.press('Check all');
  await tour.shows('[data-row-status=proved]');
  await waitFor('the end of the check', () => tour.panel.canPress('Check all'));
  await tour.look('migration-overview', { buttons: ['Check all'] });
  if (tour.isBrief) return;
  await tour.panel.choose({ app: OTHER_APP });
  await waitFor('its actions', async () => (await tour.panel.text()).includes('welcome-visitor'));
  await openPage(tour, 'Check all');
  await tour.panel.press('Check all');
  await tour.shows('[data-code=NO_RUNS]');
  await waitFor('the end of the check', () => tour.panel.canPress('Check all'));
  await tour.look('migration-overview-no-runs');
  await tour.panel.choose({ app: APP });
}

const statusBecomes = (tour: PanelTour, expected: string): Promise<unknown> =>
  waitFor(`the status ${expected}`, async () =>
    (await tour.panel.frame().$eval('.migrate-head .badge', (badge) => badge.textContent ?? '')).includes(expected),
  );

async function replaceInCode(tour: PanelTour, change: (code: string) => string): Promise<void> {
  const editor = (await tour.panel.frame().waitForSelector('.cm-content'))!;
  const code = await editor.evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
  );
  await editor.focus();
  const { keyboard } = tour.panel.devtools;
  await keyboard.down('Control');
  await keyboard.press('a');
  await keyboard.up('Control');
  await keyboard.sendCharacter(change(code));
}

async function visitCode(tour: PanelTour): Promise<void> {
  const { panel } = tour;
  await click(panel.frame(), '[data-migrations] [role=row][data-row-status] ::-p-text(count-orders)');
  // The tab has a page of the other app.
  if (!tour.isBrief) await openPage(tour, 'Prove');
  await panel.press('Prove');
  await tour.shows('[data-proof=ended]');
  await statusBecomes(tour, 'Proved');
  await tour.look('migrate-proof', { repeats: true });
  await replaceInCode(tour, (code) => code.replace('orders, many', 'orders, too many'));
  await panel.press('Prove again');
  await statusBecomes(tour, 'Differs');
  await tour.click('[data-path="/0/conditions/0/functions/0"]');
  await waitFor('the difference', async () => (await panel.text()).includes('5 orders, too many'));
  await tour.look('migrate-differs');
  if (!tour.isBrief) {
    await replaceInCode(tour, (code) => code.replace('async function execute', 'asink function execute'));
    await tour.shows('.migrate-head .primary[aria-disabled=true]');
    await tour.look('migrate-invalid');
  }
  await panel.press('Start over…');
  await panel.press('Start over');
  await panel.press('Back');
}

async function visitPlan(tour: PanelTour, path: string, id: number): Promise<void> {
  const { panel } = tour;
  const step = (name: string, state: string) => tour.shows(`[data-step=${name}][data-state=${state}]`);
  const agree = (button: string) => tour.click(`dialog[open] ::-p-aria(${button}[role="button"])`);
  await tour.click(`[data-migrations] [data-action="${id}"] ::-p-text(orders)`);
  await tour.tab('Switch over');
  await tour.shows('[data-step]');
  await tour.look('switch-over-plan');
  if (tour.isBrief) return;
  await panel.press('Create draft');
  await agree('Create draft');
  await step('draft', 'done');
  await tour.tab('Code and proof');
  await replaceInCode(tour, (code) => `// Changed since.\n${code}`);
  await tour.tab('Switch over');
  await tour.shows('[data-code=DRAFT_OUTDATED]');
  await tour.look('switch-over-outdated');
  await panel.press('Update draft');
  await agree('Update draft');
  await waitFor('no notice', async () => !(await panel.frame().$('[data-code=DRAFT_OUTDATED]')));
  await panel.press('Publish for calls');
  await agree('Publish for calls');
  await step('answer', 'done');
  await panel.press('All are moved');
  await step('switch', 'next');
  await tour.click('[data-step=switch] ::-p-aria(Switch over[role="button"])');
  await agree('Switch over');
  await step('switch', 'done');
  await tour.look('switch-over-back');
  // As if someone else made V2 live again.
  await tour.ask(`${path}/${id}?by=id`, 'PUT', { active: true });
  await tour.ask(`${path}/${id}/publish?by=id`, 'POST', { publish: true });
  await panel.reload();
  await tour.tab('Actions');
  await panel.choose({ app: APP });
  await tour.click(`[data-actions] [data-action="${id}"]`);
  await panel.press('Migrate to V3');
  await tour.tab('Switch over');
  await tour.shows('[data-code=SWITCH_DRIFTED]');
  await tour.look('switch-over-drifted');
}
