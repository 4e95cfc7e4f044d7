/** The Actions tab, in a real browser on a real platform. */
import { expect, test } from 'vitest';
import { fill } from '../../../lib/browser-driver/pages/fill.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import {
  APP,
  ask,
  clear,
  create,
  has,
  openTab,
  panel,
  refresh,
  says,
  select,
  shown,
  tab,
  setUpActionsTab,
} from './actions-tab-bed.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

setUpActionsTab();

const say = (message: string) => ({ functionPackage: 'com.platform.function.return-string', settings: { message } });

const fail = (message: string) => ({ functionPackage: 'com.platform.function.fail', settings: { message } });

test('an action can be created, run, published, changed, compared, unpublished, and removed', async () => {
  await clear();
  await openTab();
  await says('.empty', 'No actions yet');
  await panel.press('New action');
  await fill(panel.frame(), '[name=action-name]', 'restock');
  await panel.press('Create');
  await waitFor(
    'the action on the platform',
    async () => (await ask<{ actions: Action[] }>('/actions')).actions.length === 1,
  );
  await panel.press('Close editor');
  const { id } = (await ask<{ actions: Action[] }>('/actions')).actions[0]!;
  await waitFor('its detail', () => has(`[data-action-detail="${id}"]`));

  await ask(`/actions/${id}?by=id`, 'PUT', { functions: [say('{{count}} ordered')] });
  await refresh();
  await says('.facts', '1 step');
  await panel.setPayload('{"count": 12}');
  await panel.press('Run with result');
  await waitFor(
    'the result',
    async () =>
      (await panel.frame().$eval('[data-run-result]', (element) => element.getAttribute('data-run-result'))) ===
      '"12 ordered"',
  );
  await panel.press('Run now');
  await waitFor('the queued run', () => has('[data-run-id]'));
  await waitFor('its log record', () => has('[data-run-id] [data-log-detail]'));
  await says('[data-run-id]', 'app.action.completed');

  await says('[aria-label=Publication]', 'Live apps can’t use this action yet');
  expect(await has('[data-setting-warnings]')).toBe(false);
  await panel.press('Publish');
  await says(`[data-action="${id}"]`, /\bpublished/);
  expect((await ask<{ action: Action }>(`/actions/${id}?by=id`)).action.published).toMatchObject({
    functions: [say('{{count}} ordered')],
  });
  expect(await panel.canPress('Publish')).toBe(false);

  await ask(`/actions/${id}?by=id`, 'PUT', {
    functions: [say('first'), say('{{count}} sent')],
    frequency: '30 1 * * *',
    timezone: 'Europe/Amsterdam',
    environment: 'server',
  });
  await refresh();
  await says(`[data-action="${id}"]`, 'changed');
  const changes = await panel
    .frame()
    .$$eval('[data-publish-diff] [data-change]', (all) =>
      all.map((each) => (each as HTMLElement).innerText.replace(/\s+/g, ' ')),
    );
  expect(changes.some((text) => /timezone .*"UTC".*"Europe\/Amsterdam"/.test(text))).toBe(true);
  expect(changes.some((text) => text.includes('{{count}} sent'))).toBe(true);
  expect(
    await panel
      .frame()
      .$eval(
        '[aria-label="Run on the platform"]',
        (run) =>
          (document.querySelector('[data-publish-diff]')?.getBoundingClientRect().top ?? 0) >
          run.getBoundingClientRect().bottom,
      ),
  ).toBe(true);
  expect(await panel.frame().$$eval('[data-next-runs] li', (all) => all.length)).toBe(5);
  await says('[data-next-runs]', '01:30');

  await panel.frame().click('[aria-label=Revisions] summary');
  await panel.press('Compare revision 2');
  await says('[data-revision-diff]', '30 1 * * *');
  await panel.press('Restore revision 2');
  await says('[data-revision="4"]', 'restored from revision 2');
  expect((await ask<{ action: Action }>(`/actions/${id}?by=id`)).action).toMatchObject({
    functions: [say('{{count}} ordered')],
    frequency: null,
  });

  await changeProduction(id);
  await panel.press('Remove action…');
  await says('dialog', 'You can’t undo this.');
  expect((await ask<{ actions: Action[] }>('/actions')).actions).toHaveLength(1);
  await panel.press('Remove action');
  await says('.empty', 'No actions yet');
  expect((await ask<{ actions: Action[] }>('/actions')).actions).toEqual([]);
});

/** Unpublishes the action on a production environment, which asks once until it's unlocked. */
async function changeProduction(id: number): Promise<void> {
  await panel.choose({ environment: 'Acme EU', app: APP });
  await waitFor('the table', () => has(`[data-action="${id}"]`));
  await select(id);
  await waitFor('its badges', async () => (await panel.frame().$$('.action-detail .badge.danger')).length === 3);
  await panel.press('Unpublish');
  await says('dialog', 'Unpublish “restock” on Acme EU? Live apps and schedules no longer start it.');
  await panel.frame().page().keyboard.press('Escape');
  await waitFor('the question to close', async () => !(await has('dialog')));
  await panel.press('Unpublish');
  await click(panel.frame(), 'dialog [name=unlock]');
  await panel.press('Unpublish action');
  await says(`[data-action="${id}"]`, 'unpublished');
  await says('[data-unlocked]', 'Production unlocked · 15 min');
  await panel.press('Publish');
  await says(`[data-action="${id}"]`, /\bpublished/);
  await panel.press('Lock Acme EU');
  await waitFor('the badge to be gone', async () => !(await has('[data-unlocked]')));
}

test('a failed run shows why, and opens on the Run tab with its payload', async () => {
  await clear();
  const { id } = await create({ name: 'breaks', functions: [fail('No lamps left')] });
  const { id: works } = await create({ name: 'works', functions: [say('x')] });
  await ask(`/actions/${works}/run-with-result?by=id`, 'POST', {});
  await openTab();
  await select(id);
  await panel.setPayload('{"shelf": 7}');
  await panel.press('Run with result');
  await says('[data-run-failed=ACTION_FAILED]', /No lamps left.*\/0 com\.platform\.function\.fail/);

  await tab('Logs');
  await panel.frame().select('select[name=log-time]', '3600000');
  await waitFor('the completed run', () => has('[data-log][data-type="app.action.completed"]'));
  await panel.frame().select('select[name=log-outcome]', 'failed');
  await waitFor('failed runs only', async () => !(await has('[data-log][data-type="app.action.completed"]')));
  await click(panel.frame(), '[data-logs] [role=row][data-log]');
  await says('[data-log-detail]', /app\.task\.failed.*No lamps left/);
  await panel.press('Open in Run');
  await waitFor('the debug page', () => panel.inspected.url().includes(`/tasks/${id}/compile`));
  await panel.pipelineShown();
  await waitFor('the payload in the editor', async () =>
    JSON.stringify(
      await panel
        .frame()
        .$eval('[name=payload]', (element) =>
          element instanceof HTMLTextAreaElement ? element.value : (element as HTMLElement).innerText,
        ),
    ).includes('shelf'),
  );
  // The debug page also belongs to the production environment, which has the same URL.
  await panel.start();
  await panel.press('Run action');
  expect(await panel.ended()).toBe('failed');
  await waitFor('the failure in the list of runs', async () => (await panel.runs())[0]?.text.includes('No lamps left'));

  await panel.reload();
  expect(await panel.frame().$eval('[role=tab][aria-selected=true]', (element) => element.textContent)).toBe('Run');
});

test('the Actions tab works with only the keyboard', async () => {
  await clear();
  for (const name of ['alpha', 'beta', 'gamma']) await create({ name, functions: [say(name)] });
  await openTab();
  const { keyboard } = panel.devtools;
  const focus = (): Promise<string> =>
    panel
      .frame()
      .evaluate(
        () =>
          (document.activeElement as HTMLElement | null)?.getAttribute('data-action') ??
          document.activeElement?.getAttribute('aria-label') ??
          (document.activeElement as HTMLElement | null)?.innerText ??
          '',
      );
  const tabTo = async (expected: (focused: string) => boolean): Promise<void> => {
    for (let presses = 0; presses < 40; presses++) {
      if (expected(await focus())) return;
      await keyboard.press('Tab');
    }
    throw new Error(`Not reached; the focus is on ${await focus()}.`);
  };
  const selected = () =>
    panel
      .frame()
      .$eval('[data-actions] [aria-selected=true]', (row) => row.textContent ?? '')
      .catch(() => '');
  await panel.frame().focus('[role=tab][aria-selected=true]');
  await tabTo((focused) => focused === 'Search actions');
  await tabTo((focused) => focused.startsWith('Name'));
  await keyboard.press('Enter');
  await waitFor('names downwards', () => has('[role=columnheader][aria-sort=descending]'));
  await tabTo((focused) => /^\d+$/.test(focused));
  await keyboard.press('Home');
  await waitFor('the first', async () => (await selected()).startsWith('gamma'));
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await waitFor('the last', async () => (await selected()).startsWith('alpha'));
  await waitFor('its detail', async () => (await shown('[data-action-detail] h2')) === 'alpha');
  await keyboard.press('Enter');
  await waitFor('its editor', () => has('[data-edit]'));
});
