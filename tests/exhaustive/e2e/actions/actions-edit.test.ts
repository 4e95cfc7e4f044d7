/** The action editor by the keyboard and with a draft in both forms, and the trigger lab, also on a page of the app. */
import { expect, test } from 'vitest';
import { TEXT_LIMIT } from '../../../../lib/extension/panel/actions/edit/draft-text.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import {
  actions,
  bed,
  enter,
  fillJson,
  openActions,
  openEditor,
  openLab,
  panel,
  problemsAre,
  reset,
  runsOf,
  saved,
  search,
  setUpActionsEdit,
} from '../../../e2e/actions/actions-edit-bed.ts';
import { ask } from '../../../support/ask.ts';
import { click, press } from '../../../../lib/browser-driver/pages/press.ts';

setUpActionsEdit();

test('form and JSON edit one draft, which keeps broken JSON with its error, refuses one that is too large, and survives closing the panel', async () => {
  await openActions('Field Service');
  await openEditor();
  const frame = panel.frame();
  await panel.press('JSON');
  await fillJson(
    'action-json',
    '{"name": "from-json", "functions": [{"functionPackage": "com.platform.function.wait", "settings": {"ms": 1, "__proto__": {"x": 1}}, "note": 1}], }',
  );
  await problemsAre([['', /^Invalid JSON at line 1/]]);
  await panel.press('Form');
  expect(
    await waitFor('what the form says', () => frame.$eval('[data-unreadable]', (element) => element.textContent)),
  ).toContain('at line 1');
  await panel.press('Edit as JSON');
  await fillJson(
    'action-json',
    '{"name": "from-json", "functions": [{"functionPackage": "com.platform.function.wait", "settings": {"ms": 1, "__proto__": {"x": 1}}, "note": 1}]}',
  );
  await problemsAre([]);
  await fillJson('action-json', `{"name": "${'x'.repeat(TEXT_LIMIT)}"}`);
  expect((await waitFor('the refusal', () => panel.alert()))?.code).toBe('ACTION_TOO_LARGE');
  await panel.press('Form');
  expect(await frame.$eval('[name=action-name]', (input) => (input as HTMLInputElement).value)).toBe('from-json');

  await waitFor('the saved draft', () =>
    frame.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const opening = indexedDB.open('platform-devtools-runs');
          opening.addEventListener('success', () => {
            const all = opening.result.transaction('payloads').objectStore('payloads').getAll();
            all.addEventListener('success', () => {
              opening.result.close();
              resolve((all.result as { text: string }[]).some(({ text }) => text.includes('from-json')));
            });
          });
        }),
    ),
  );
  await panel.reload();
  await panel.choose({ app: 'Field Service' });
  await openEditor();
  await waitFor('the draft of before', async () => (await panel.frame().$('[data-code=DRAFT_RESTORED]')) !== null);
  await panel.devtools.keyboard.down('Control');
  await panel.devtools.keyboard.press('KeyS');
  await panel.devtools.keyboard.up('Control');
  await saved();
  expect(JSON.stringify((await actions(101)).find(({ name }) => name === 'from-json')?.functions)).toBe(
    '[{"functionPackage":"com.platform.function.wait","settings":{"ms":1,"__proto__":{"x":1}},"note":1}]',
  );
});

test('the trigger lab names the field that keeps an action from firing, and shows the log of the run that a record fired', async () => {
  await openActions('Visitor Desk');
  await openLab();
  const frame = panel.frame();
  await waitFor('the data sources', async () =>
    (await frame.$$eval('[name=example] option', (options) => options.map((option) => option.textContent))).some(
      (label) => label?.startsWith('New entry in'),
    ),
  );
  await waitFor('a record that the platform takes', () =>
    frame.$eval('[name=log-source]', (input) => (input as HTMLInputElement).value.includes('511')),
  );
  await search('log-source', '512');
  const keeps = (id: number) =>
    frame.$$eval(`[data-match="${id}"] [data-mismatch]`, (fields) => fields.map((field) => field.textContent));
  await waitFor(
    'the field that keeps it',
    async () => (await keeps(1102)).join() === 'dataSourceId must be 511, but is 512',
  );
  await search('log-source', '511');
  await frame.waitForSelector('[data-match="1102"][data-fires=true]');
  await panel.press('Fire');
  await frame.waitForSelector('[data-watch=all]', { timeout: 30_000 });
  const log = await frame.$eval('[data-run-log]', (row) => ({
    id: Number(row.getAttribute('data-run-log')),
    action: row.getAttribute('data-action'),
  }));
  expect(log.action).toBe('1102');
  expect((await runsOf(102, 1102))[0]).toMatchObject({
    id: log.id,
    type: 'app.task.completed',
    data: { actionId: 1102, mode: 'scheduled' },
  });

  await panel.press('JSON');
  await fillJson('lab-json', '{"type": "my.own.type", "dataSourceId": 999}');
  await panel.press('Fire');
  expect(await waitFor('the refusal', () => panel.alert())).toMatchObject({
    code: 'INVALID',
    text: expect.stringContaining('There is no data source 999 in app 102.'),
  });
  expect(await frame.$eval('.lab-json', (json) => json.textContent)).toContain('This app has no data source 999');
  await panel.press('Analytics event');
  expect(await panel.alert()).toBeNull();
});

test('the trigger lab sends an analytics event to the preview page, and shows what it fired there', async () => {
  await openActions('Visitor Desk');
  await openLab();
  const frame = panel.frame();
  await panel.press('Analytics event');
  expect(await panel.canPress('Fire')).toBe(false);
  await panel.press('Open preview page');
  await frame.waitForSelector('.lab-page[data-mode=preview]', { timeout: 20_000 });
  expect(panel.inspected.url()).toBe(`${bed.platform.baseUrl}/v1/apps/102/preview`);
  await enter('event-category', 'badge');
  await enter('event-action', 'print');
  await enter('event-page', '2102');
  await frame.waitForSelector('[data-match="1103"][data-fires=true]');
  // The start screen of the app reports a page view too.
  const before = await waitFor('the page view of the start screen', async () => {
    const runs = await runsOf(102, 1103);
    return runs.length > 0 ? runs : null;
  });
  await frame.focus('[name=event-category]');
  await panel.devtools.keyboard.down('Control');
  await panel.devtools.keyboard.press('Enter');
  await panel.devtools.keyboard.up('Control');
  await frame.waitForSelector('[data-fired=analytics] [data-action="1103"]');
  expect(await runsOf(102, 1103)).toHaveLength(before.length + 1);
});

test('an action can be created with only the keyboard', async () => {
  await openActions('Visitor Desk');
  const frame = panel.frame();
  const { keyboard } = panel.devtools;
  const on = (selector: string) =>
    waitFor(`the keyboard on ${selector}`, async () => {
      if (await frame.evaluate((selector) => document.activeElement?.matches(selector), selector)) return true;
      await keyboard.press('Tab');
      return false;
    });
  const chord = async (modifier: 'Alt' | 'Control', key: 'ArrowUp' | 'KeyS') => {
    await keyboard.down(modifier);
    await keyboard.press(key);
    await keyboard.up(modifier);
  };
  await frame.focus('[role=tab][aria-selected=true]');
  await waitFor('the keyboard on New action', async () => {
    if ((await frame.evaluate(() => document.activeElement?.textContent))?.includes('New action')) return true;
    await keyboard.press('Tab');
    return false;
  });
  await keyboard.press('Enter');
  await frame.waitForSelector('[data-edit=new] [name=action-name]');
  await on('[name=action-name]');
  await keyboard.type('by-keyboard');
  const button = (name: string) =>
    waitFor(`the keyboard on ${name}`, async () => {
      if ((await frame.evaluate(() => document.activeElement?.textContent)) === name) return true;
      await keyboard.press('Tab');
      return false;
    });
  await button('Function');
  await keyboard.press('Enter');
  await on('[name=step-package]');
  await keyboard.type('wait');
  await keyboard.press('Enter');
  await frame.focus('[data-edit] [name=action-name]');
  await button('Function');
  await keyboard.press('Enter');
  await on('[name=step-package]');
  await keyboard.type('return-string');
  await keyboard.press('Enter');
  await frame.focus('[data-edit] [name=action-name]');
  await button('Function');
  await keyboard.press('Enter');
  await on('[name=step-package]');
  await frame.focus('[data-edit] [name=action-name]');
  await on('[role=treeitem]');
  await keyboard.press('Delete');
  await waitFor('the third step removed', async () => (await frame.$('[data-step-path="/functions/2"]')) === null);
  await frame.focus('[data-edit] [name=action-name]');
  await on('[role=treeitem]');
  await keyboard.press('End');
  await waitFor(
    'the second step selected',
    async () => (await frame.$('[data-step-path="/functions/1"][aria-selected=true]')) !== null,
  );
  await chord('Alt', 'ArrowUp');
  await frame.waitForSelector('[data-step-path="/functions/0"][aria-selected=true]');
  expect(await frame.evaluate(() => document.activeElement?.getAttribute('data-step-path'))).toBe('/functions/0');
  await chord('Control', 'KeyS');
  await saved();
  expect((await actions(102)).find(({ name }) => name === 'by-keyboard')?.functions).toMatchObject([
    { functionPackage: 'com.platform.function.return-string' },
    { functionPackage: 'com.platform.function.wait' },
  ]);
});

test('after an action is saved, Run reloads its debug page, and a change by someone else shows what changed', async () => {
  const say = (message: string) => [{ functionPackage: 'com.platform.function.return-string', settings: { message } }];
  await ask(bed.platform, '/v1/apps/101/actions', 'POST', { name: 'edited-and-run', functions: say('old') });
  const { id } = (await actions(101)).find(({ name }) => name === 'edited-and-run')!;
  await reset();
  await panel.choose({ environment: 'Local', app: 'Field Service', action: 'edited-and-run' });
  await panel.open();
  await panel.run();
  expect(await panel.result()).toBe('"old"');
  const frame = panel.frame();
  await press(frame, 'Actions', { role: 'tab' });
  await click(frame, `[data-actions] [data-action="${id}"]`);
  await panel.press('Edit');
  await panel.press('JSON');
  await fillJson('action-json', JSON.stringify({ name: 'edited-and-run', functions: say('mine') }));
  await panel.press('Save');
  await saved();
  await press(frame, 'Run', { role: 'tab' });
  await frame.waitForSelector('[data-code=ACTION_CHANGED]');
  expect(await panel.text()).toContain('Run reloads the page first');
  await panel.run();
  expect(await panel.result()).toBe('"mine"');
  expect(await panel.text()).toContain('page reloaded first');
  expect(await frame.$('[data-code=ACTION_CHANGED]')).toBeNull();

  await ask(bed.platform, `/v1/apps/101/actions/${id}`, 'PUT', { functions: say('theirs') });
  await panel.run();
  expect(await panel.result()).toBe('"mine"');
  await frame.waitForSelector('[data-code=ACTION_CHANGED]');
  await panel.press('Show changes');
  const changes = await frame.$$eval('.difference-list li', (items) => items.map((item) => item.textContent));
  expect(changes).toEqual(['±changed [0].settings.message "mine" → "theirs"']);
  await panel.press('Reload and run');
  await waitFor('the result of the changed action', () =>
    frame.$eval('[data-result]', (element) => element.getAttribute('data-result') === '"theirs"'),
  );
});
