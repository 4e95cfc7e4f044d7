/** The action editor, in a real browser on a real platform. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import {
  bed,
  actions,
  enter,
  fillJson,
  openActions,
  openEditor,
  panel,
  problemsAre,
  saved,
  search,
  select,
  setUpActionsEdit,
} from './actions-edit-bed.ts';
import { ask } from '../../support/ask.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

setUpActionsEdit();

/** Completes the name of the first setting in the settings' editor. */
async function completeSetting(): Promise<void> {
  const frame = panel.frame();
  await fillJson('step-settings', '');
  await panel.devtools.keyboard.type('{"m');
  // By mouse, because for a moment after the list opened, Enter is still the text’s.
  // The editor accepts it when it’s pressed, and removes it.
  await frame.locator('.cm-tooltip-autocomplete [aria-selected=true]').click();
  await panel.devtools.keyboard.type('sent');
  await waitFor('the completed setting', () =>
    frame.$eval('[name=step-settings]', (field) => field.textContent === '{"message": "sent"'),
  );
}

test('the form creates an action with triggers, a schedule across a DST change, and steps, and shows each error at its field', async () => {
  await openActions('Field Service');
  await openEditor();
  const frame = panel.frame();
  await enter('action-name', 'two words');
  await enter('action-frequency', '0 7 * *');
  await problemsAre([
    ['/frequency', /five fields.*This one has 4/],
    ['/name', /^name must be 1 to 255/],
  ]);
  expect(
    await frame.$eval(
      '[name=action-name]',
      (input) => document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent,
    ),
  ).toMatch(/^name must be/);
  expect(
    await frame.$$eval('[data-error-path]', (locations) =>
      locations.map((location) => location.getAttribute('data-error-path')),
    ),
  ).toEqual(['/name', '/frequency']);
  expect(await panel.canPress('Create')).toBe(false);
  await click(frame, '[data-problem="/frequency"] button');
  expect(await frame.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('action-frequency');

  await enter('action-name', 'sunday-report');
  await enter('action-frequency', '30 2 * 3 SUN');
  await search('action-timezone', 'Amsterdam');
  await waitFor(
    'the next runs, one of them skipped',
    async () =>
      (await frame.$$eval('[data-next-runs] li', (rows) => rows.map((row) => row.getAttribute('data-flag')))).filter(
        (flag) => flag === 'skipped',
      ).length > 0,
  );
  await enter('action-frequency', '30 2 * 10 SUN');
  const repeated = await waitFor('a run that occurs twice', () =>
    frame.$eval('[data-next-runs] [data-flag=repeated]', (row) => row.textContent),
  );
  expect(repeated).toMatch(/02:30.*occurs twice/);

  await select('add-trigger', '2');
  await fillJson('where-2', '{"type": "dataSource.entry.create", "dataSourceId": 1}');
  await waitFor('what is said of a data source that is not there', async () =>
    (await frame.$eval('[data-trigger="1"]', (trigger) => trigger.textContent)).includes(
      'This app has no data source 1, so this trigger never fires.',
    ),
  );
  await panel.press('Remove trigger 2');
  await select('add-trigger', '2');
  await frame.waitForSelector('[name=where-2]');
  expect(
    await frame.$eval('[name=where-2]', (field) =>
      field instanceof HTMLTextAreaElement ? field.value : field.textContent,
    ),
  ).toMatch(/"dataSourceId": 501/);
  await fillJson('where-2', '{"type": "dataSource.entry.create", "dataSourceId": ');
  await problemsAre([['/triggers/1/where', /Invalid JSON.*expected a value/]]);
  await fillJson('where-2', '{"type": "dataSource.entry.create", "dataSourceId": 501}');
  await problemsAre([]);

  await panel.press('Function');
  await search('step-package', 'return-string');
  await completeSetting();
  await fillJson('step-settings', '{"message": "{{records.length}}", "note": "kept"}');
  await panel.press('Loop');
  await enter('step-items', 'records');
  await panel.press('Inside');
  await panel.press('If');
  await panel.press('Inside');
  await click(frame, '[data-step-path="/functions/1/functions/0/conditions/0"]');
  await enter('step-condition', 'currentItem.data.status ===');
  await panel.press('Function');
  await search('step-package', 'com.example.none');
  // The form shows the platform’s messages before any request, each once at its step.
  const condition = '/functions/1/functions/0/conditions/0/condition';
  const unlisted: [string, RegExp] = [
    '/functions/1/functions/0/conditions/0/functions/0',
    /^No function is registered under “com.example.none”/,
  ];
  await problemsAre([[condition, /./], unlisted]);
  // Warnings don’t prevent saving.
  expect(await frame.$$eval('[data-warning]', (all) => all.map((one) => one.getAttribute('data-warning')))).toEqual([
    '/functions/0/settings/note',
  ]);
  expect(
    await frame.$$eval('[data-step-form] .problem', (all) => all.map((one) => one.textContent).filter(Boolean)),
  ).toEqual(['No function is registered under “com.example.none”.']);
  expect(await panel.canPress('Create')).toBe(false);
  await click(frame, '[data-step-path="/functions/1/functions/0/conditions/0"]');
  await enter('step-condition', "currentItem.data.status === 'done'");
  await problemsAre([unlisted]);
  // The list may be older than the package: the platform has the last word.
  await panel.press('Create');
  await waitFor('the refusal', async () => (await panel.alert())?.code === 'INVALID');
  await problemsAre([unlisted]);
  expect(await panel.alert()).toMatchObject({
    code: 'INVALID',
    text: expect.stringContaining('The request is invalid'),
  });
  await click(frame, '[data-step-path="/functions/1/functions/0/conditions/0/functions/0"]');
  await search('step-package', 'com.platform.function.wait');
  await fillJson('step-settings', '{"ms": 1}');
  await panel.press('Create');
  await saved();
  const made = (await actions(101)).find(({ name }) => name === 'sunday-report');
  expect(made).toMatchObject({
    frequency: '30 2 * 10 SUN',
    timezone: 'Europe/Amsterdam',
    revision: 1,
    triggers: [
      { trigger: 'schedule' },
      { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 501 } },
    ],
    functions: [
      {
        functionPackage: 'com.platform.function.return-string',
        settings: { message: '{{records.length}}', note: 'kept' },
      },
      {
        type: 'loop',
        items: 'records',
        functions: [
          {
            type: 'if',
            conditions: [
              {
                condition: "currentItem.data.status === 'done'",
                functions: [{ functionPackage: 'com.platform.function.wait', settings: { ms: 1 } }],
              },
            ],
          },
        ],
      },
    ],
  });
  await panel.press('Close editor');
  await frame.waitForSelector(`[data-actions] [data-action="${made!.id}"]`);
});

test('when two people change an action at once, the second one sees both versions and chooses', async () => {
  await ask(bed.platform, '/v1/apps/101/actions', 'POST', { name: 'two-editors', functions: [] });
  const { id } = (await actions(101)).find(({ name }) => name === 'two-editors')!;
  await openActions('Field Service');
  const frame = panel.frame();
  await click(frame, `[data-actions] [data-action="${id}"]`);
  await panel.press('Edit');
  await frame.waitForSelector(`[data-edit="${id}"]`);
  await enter('action-frequency', '0 8 * * *');
  await ask(bed.platform, `/v1/apps/101/actions/${id}`, 'PUT', { environment: 'server' });
  await panel.press('Save');
  const locations = await waitFor('what differs', async () => {
    const found = await frame.$$eval('[data-difference]', (rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent)),
    );
    return found.length > 0 ? found : null;
  });
  expect(locations).toEqual([
    ['/environment', '"server"', '"any"'],
    ['/frequency', 'null', '"0 8 * * *"'],
  ]);
  await panel.press('Overwrite with yours');
  await saved();
  expect((await actions(101)).find((one) => one.id === id)).toMatchObject({
    environment: 'any',
    frequency: '0 8 * * *',
    revision: 3,
  });
  await enter('action-name', 'number-range');
  await panel.press('Save');
  await problemsAre([['/name', /already has an action named number-range/]]);
});
