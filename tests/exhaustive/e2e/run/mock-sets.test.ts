/** Sets of mocks that the actions of an app share, those in files, those with problems, and files that can’t be imported. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { EMAIL, fileOf, useMockSetsBed } from '../../../support/mock-sets-bed.ts';
import { click } from '../../../../lib/browser-driver/pages/press.ts';

const MAIL = '/2/functions/0/conditions/0/functions/0';

const { opened, sent } = useMockSetsBed();

test('a set that the app shares keeps two of its actions from sending email', async () => {
  const first = await opened('notify-admins');
  expect(await first.panel.run()).toBe('completed');
  await first.mocks.selectStep(MAIL, '0');
  await first.mocks.mockOutcome('offline mail');
  await first.mocks.openEditor();
  expect(await first.mocks.mocks()).toEqual([`send-email ${MAIL} returns nothing`]);
  await first.mocks.setScope('app');
  expect(await first.panel.text()).toContain('A path is a place in one pipeline.');
  await first.mocks.setTarget('every send-email');
  expect(await first.panel.text()).not.toContain('A path is a place in one pipeline.');
  expect(await first.mocks.mocks()).toEqual(['every send-email returns nothing']);
  await first.mocks.closeEditor();
  const before = await sent();
  await first.mocks.says('Mocks: offline mail 1 on');
  expect(await first.panel.run()).toBe('completed');
  expect(await sent()).toBe(before);

  const { panel, mocks } = await opened('weekly-report');
  await mocks.says('Mocks');
  await mocks.turn('offline mail', true);
  await mocks.says('Mocks: offline mail 1 on');
  expect(await panel.run()).toBe('completed');
  expect((await panel.steps()).filter(({ text }) => /\bmocked\b/.test(text)).map(({ path }) => path)).toEqual(['/3']);
  expect(await sent()).toBe(before);
  await mocks.turn('offline mail', false);
  expect(await panel.run()).toBe('completed');
  expect(await sent()).toBe(before + 1);
  await mocks.openEditor();
  expect(await mocks.sets()).toEqual([{ name: 'offline mail', isShared: true, isOn: false }]);
});

test('exported sets come back from their file', async () => {
  const { panel, mocks } = await opened('weekly-report');
  const sets = [
    {
      name: 'offline',
      mocks: [{ target: { package: EMAIL }, condition: 'visits > 3', outcome: { error: { message: 'no mail' } } }],
    },
    { name: '<img src=x onerror=alert(1)>', mocks: [{ target: { path: '/0' }, outcome: { skip: true }, delay: 20 }] },
  ];
  await mocks.openEditor();
  await mocks.removeSets();
  await mocks.importText(fileOf(...sets));
  await waitFor('the imported sets', async () => (await mocks.sets()).length === 2);
  expect(await mocks.sets()).toEqual(sets.map(({ name }) => ({ name, isShared: false, isOn: false })));
  expect(await panel.frame().$$eval('main img', (images) => images.length)).toBe(0);
  const all = await mocks.exported();
  expect(all.name).toBe('mocks.json');
  expect(JSON.parse(all.text)).toEqual(JSON.parse(fileOf(...sets)));
  await mocks.selectSet('offline');
  expect(JSON.parse((await mocks.exported('Export set')).text)).toEqual(JSON.parse(fileOf(sets[0]!)));

  await mocks.removeSets();
  await mocks.importText(all.text);
  await waitFor('the sets again', async () => (await mocks.sets()).length === 2);
  await panel.press('Undo');
  await waitFor('no set', async () => (await mocks.sets()).length === 0);
});

test('mocks that match nothing, and those that others shadow, are listed as problems', async () => {
  const { panel, mocks } = await opened('weekly-report');
  const value = (value: string): object => ({ outcome: { value } });
  await mocks.openEditor();
  await mocks.removeSets();
  await mocks.importText(
    fileOf(
      { name: 'first', mocks: [{ target: { path: '/3' }, ...value('by path') }] },
      {
        name: 'second',
        mocks: [
          { target: { package: EMAIL }, ...value('by package') },
          { target: { path: '/9' }, ...value('nowhere') },
        ],
      },
    ),
  );
  await waitFor('both sets', async () => (await mocks.sets()).length === 2);
  await mocks.closeEditor();
  await mocks.turn('first', true);
  await mocks.says('Mocks: first 1 on');
  await mocks.turn('second', true);
  await mocks.says('Mocks: first, second 3 on, with problems');
  await mocks.openEditor();
  expect(await mocks.problems()).toEqual([
    { code: 'MOCK_SHADOWED', text: 'second: The mock never applies, because another one comes first: “first” 1.' },
    { code: 'MOCK_UNMATCHED', text: 'second: The pipeline has no step that matches step /9.' },
  ]);
  await mocks.selectSet('second');
  expect(await mocks.mocks()).toEqual([
    expect.stringMatching(/^every send-email .*because another one comes first: “first” 1\.$/),
    expect.stringMatching(/^\/9 .*The pipeline has no step that matches step \/9\.$/),
  ]);
  // A problem doesn’t keep the run from starting with what applies.
  await mocks.closeEditor();
  const before = await sent();
  expect(await panel.run()).toBe('completed');
  expect(await sent()).toBe(before);
});

test('a bad file of mocks is refused with a reason and a hint, the sets stay, and the panel is usable', async () => {
  const { panel, mocks } = await opened('weekly-report');
  const good = fileOf({ name: 'kept', mocks: [{ target: { package: EMAIL }, outcome: { value: 'mocked' } }] });
  await mocks.openEditor();
  await mocks.removeSets();
  await mocks.importText(good);
  await waitFor('the imported set', async () => (await mocks.sets()).length === 1);
  const bad: [text: string, code: string, says: RegExp][] = [
    [good.slice(0, -20), 'MOCKS_NOT_JSON', /isn’t JSON, or it’s cut off\. Export the mocks again/],
    [good.replace('"version":1', '"version":99'), 'MOCKS_NEWER', /format version 99.* Update Platform DevTools/],
    ['{"a":1}', 'MOCKS_NOT_ONE', /isn’t a file of mocks\. Choose a file/],
    [good.replace('"target"', '"__proto__":{"isOff":true},"target"'), 'MOCKS_DAMAGED', /Export the mocks again/],
    [good.replace('"kept"', '{"<img src=x onerror=alert(1)>":1}'), 'MOCKS_DAMAGED', /needs a name of 1 to 200/],
    [good.replace('"target"', '"<img src=x onerror=alert(1)>"'), 'MOCKS_DAMAGED', /Export the mocks again/],
  ];
  for (const [text, code, says] of bad) {
    await mocks.importText(text);
    const alert = await waitFor(code, async () => {
      const found = await panel.alert();
      return found?.code === code && says.test(found.text) && found;
    });
    expect(alert.text).toMatch(says);
    expect((await mocks.sets()).map(({ name }) => name)).toEqual(['kept']);
    await click(panel.frame(), '[role=alert] ::-p-aria(Dismiss[role="button"])');
    await waitFor('no alert', async () => (await panel.alert()) === null);
  }
  expect(await panel.frame().$$eval('main img', (images) => images.length)).toBe(0);
  await mocks.closeEditor();
  await mocks.turn('kept', true);
  const before = await sent();
  expect(await panel.run()).toBe('completed');
  expect(await sent()).toBe(before);
});
