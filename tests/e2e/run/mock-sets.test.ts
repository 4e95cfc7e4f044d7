/** Sets of mocks that the actions of an app share. Files of sets are up to the exhaustive tests. */
import { expect, test } from 'vitest';
import { useMockSetsBed } from '../../support/mock-sets-bed.ts';

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
