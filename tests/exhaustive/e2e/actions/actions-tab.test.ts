/** The Actions tab with a platform that fails for a while, with an action that is gone, and with a virtual clock. */
import { expect, test } from 'vitest';
import { fill } from '../../../../lib/browser-driver/pages/fill.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { startFaultyPlatform } from '../../../support/servers/faulty-platform.ts';
import { sharedPlatform } from '../../../support/shared-platform.ts';
import { findAction } from '../../../support/test-bed.ts';
import {
  APP,
  ask,
  bed,
  clear,
  create,
  has,
  openTab,
  panel,
  refresh,
  says,
  select,
  tab,
  setUpActionsTab,
} from '../../../e2e/actions/actions-tab-bed.ts';
import { click } from '../../../../lib/browser-driver/pages/press.ts';

setUpActionsTab();

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });

test('the log updates while it is shown, recovers when the platform does, and shows all data as text', async () => {
  const faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
  await openTab(APP, 'Faulty');
  await tab('Logs');
  await panel.frame().select('select[name=log-type]', '*');
  await waitFor('a first response', () => has('[data-log-count]'));
  await panel.press('Live');
  const hostile = {
    note: '<img src=x onerror="document.title=1">',
    '\u202Eevil': 'א'.repeat(400),
    '<script>': { deep: [1] },
  };
  const { log } = await ask<{ log: { id: number } }>('/logs', 'POST', {
    type: 'dataSource.entry.create',
    data: hostile,
  });
  await waitFor('the new record', () => has(`[data-log="${log.id}"]`));
  await click(panel.frame(), `[data-log="${log.id}"]`);
  await says('[data-log-detail]', '<img src=x onerror=');
  expect(await panel.frame().$$eval('[data-logs] img, [data-logs] script', (all) => all.length)).toBe(0);

  await panel.press('Close record');
  await waitFor('the list alone', async () => !(await has('[data-log-detail]')));
  expect(await panel.frame().evaluate(() => document.activeElement?.getAttribute('data-log'))).toBe(String(log.id));

  faulty.fault = 'unavailable';
  await waitFor('the error', () => has('[role=alert][data-code=PLATFORM_UNAVAILABLE]'));
  expect(await has(`[data-log="${log.id}"]`)).toBe(true);
  faulty.fault = 'none';
  const next = await ask<{ log: { id: number } }>('/logs', 'POST', { type: 'x.y' });
  await waitFor('the record after the pause', () => has(`[data-log="${next.log.id}"]`));
  expect(await has('[role=alert]')).toBe(false);
  await ask('/logs', 'POST', { type: 'my.own', data: { foo: 1 } });
  await panel.frame().select('select[name=log-type]', '');
  await fill(panel.frame(), '[name=log-where]', '{"data": {"foo": 1}}');
  await panel.frame().focus('[name=log-type]');
  await waitFor('runs alone', () => has('[data-log-count="0"]'));
  await panel.frame().select('select[name=log-type]', '*');
  await waitFor('that record among everything', () => has('[data-log][data-type="my.own"]'));

  const requestCount = faulty.requests.length;
  await tab('All actions');
  faulty.fault = 'unavailable';
  await refresh();
  await waitFor('what the list became', () => has('[role=alert][data-code=PLATFORM_UNAVAILABLE]'));
  expect(faulty.requests.slice(requestCount).filter(({ path }) => path.includes('/logs')).length).toBeLessThanOrEqual(
    1,
  );
  await faulty.close();
});

test('an action that someone else removed, and one that can’t run on the platform, are reported with a hint', async () => {
  await clear();
  const gone = await create({ name: 'gone', functions: [say('x')] });
  const client = await create({ name: 'x'.repeat(255), functions: [say('x')], environment: 'client' });
  await openTab();
  await select(client.id);
  expect(await panel.canPress('Run now')).toBe(false);
  await says('[data-action-detail]', 'this action runs on the client only');
  expect(await panel.frame().evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  await select(gone.id);
  await panel.setPayload(`{"text": "${'x'.repeat(2_040)}"}`);
  await says('[data-action-detail]', /limited to 2,048 characters/);
  expect(await panel.canPress('Run with result')).toBe(false);
  await panel.setPayload('{}');
  await ask(`/actions/${gone.id}?by=id`, 'DELETE');
  await panel.press('Publish');
  await waitFor('the shorter list', async () => !(await has(`[data-action="${gone.id}"]`)));
  await says('[data-missing-action]', 'Nothing was found at this URL (status 404), or the token has no access to it');
});

test('a virtual clock is shown and moved through a week of schedules, and all times in the tab follow it', async () => {
  const { app, taskId } = findAction(bed.platform, 'weekly-report');
  await openTab(app);
  await says('[data-clock]', 'Fri 27 Mar 12:00 UTC');
  await says(`[data-action="${taskId}"]`, 'in 3 days · Mon 30 Mar 07:00');
  await select(taskId);
  await says('[data-next-runs] li', 'Mon 30 Mar 07:00 in 3 days');
  await panel.press('+1 week');
  await says('[data-clock]', /Fri 3 Apr 12:00 UTC.*Queued 9 scheduled runs\./);
  await says(`[data-action="${taskId}"]`, 'Mon 6 Apr 07:00');
  await panel.press('Next run');
  await says('[data-clock]', /Sat 4 Apr 00:00 UTC.*Queued 1 scheduled run\./);
  await tab('Logs');
  await waitFor('a record of each run of this app', async () => {
    await refresh();
    return (await panel.frame().$$('[data-log][data-type="app.task.completed"]')).length === 9;
  });
  const cut = () =>
    panel
      .frame()
      .$$eval('[data-log] [role=gridcell]:is(:first-child, :nth-child(2))', (cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
  expect(await cut()).toEqual([]);
  await panel.resize(420);
  expect(await panel.frame().evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  const unclocked = await sharedPlatform();
  await bed.enter({ name: 'Machine', baseUrl: unclocked.baseUrl, token: unclocked.authToken });
  await panel.reload();
  await panel.choose({ environment: 'Machine' });
  await waitFor('the time of the machine', async () => !(await has('[data-clock]')));
});
