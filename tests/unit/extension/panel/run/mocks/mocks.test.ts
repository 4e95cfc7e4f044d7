/** An action’s mocks: sets, switches, what the next run gets, and what is stored. */
import { effect } from '@preact/signals';
import { expect, describe, it } from 'vitest';
import { outgoing } from './outgoing.ts';
import { ACTION, APP, MAIL, newStore, openMocks } from './open-mocks.ts';

const FAILS = { target: { package: MAIL }, outcome: { error: { message: 'Mailbox full' } } };
const SKIPS = { target: { path: '/1/functions/0' }, outcome: { skip: true as const } };

describe('a set', () => {
  it('that is on gives its mocks to the next run, in order, without those that are off', async () => {
    const { mocks } = await openMocks();
    const id = mocks.add('offline mail', [FAILS, { ...SKIPS, isOff: true }, SKIPS]);
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([FAILS, SKIPS]);
    expect(mocks.count.value).toBe(2);
    expect(mocks.namesOn.value).toBe('offline mail');
    mocks.setOn(id, false);
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([]);
  });

  it('is there again when the panel is opened again, and on', async () => {
    const { mocks, store } = await openMocks();
    mocks.add('offline mail', [FAILS]);
    await mocks.refresh();
    const again = await openMocks({ store });
    expect(again.mocks.sets.value).toMatchObject([{ name: 'offline mail', mocks: [FAILS], isOn: true }]);
  });

  it('belongs to its action', async () => {
    const { mocks, store } = await openMocks();
    mocks.add('offline mail', [FAILS]);
    await mocks.refresh();
    const other = await openMocks({ store, subject: 'https://eu.example/101/8' });
    expect(other.mocks.sets.value).toEqual([]);
  });

  it('stays on when it’s renamed, and gets a number if another set has the name', async () => {
    const { mocks } = await openMocks();
    mocks.add('one');
    const id = mocks.add('two', [FAILS]);
    mocks.rename(id, ' one ');
    await mocks.refresh();
    expect(mocks.namesOn.value).toBe('one, one 2');
    mocks.rename(id, '');
    await mocks.refresh();
    expect(mocks.nameOf(id)).toBe('Mocks');
  });

  it('is duplicated, off, beside the original', async () => {
    const { mocks } = await openMocks();
    const id = mocks.add('one', [FAILS]);
    const copy = mocks.duplicate(id);
    await mocks.refresh();
    expect(mocks.sets.value).toMatchObject([
      { id, name: 'one', isOn: true },
      { id: copy, name: 'one copy', mocks: [FAILS], isOn: false },
    ]);
  });

  it('that was removed is back, and on, after an undo', async () => {
    const { mocks } = await openMocks();
    const id = mocks.add('one', [FAILS]);
    await mocks.remove(id);
    expect(mocks.sets.value).toEqual([]);
    expect(mocks.missing.value).toBe(0);
    expect(mocks.done.value?.text).toBe('Removed “one”.');
    mocks.done.value?.undo();
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([FAILS]);
    expect(mocks.done.value).toBeNull();
  });
});

describe('a shared set', () => {
  async function share() {
    const { mocks, store } = await openMocks();
    const id = mocks.add('offline mail', [FAILS]);
    await mocks.setScope(id, 'app');
    const other = await openMocks({ store, subject: 'https://eu.example/101/8' });
    return { mocks, id, other: other.mocks };
  }

  it('is listed in all actions of the app, and stays on where it was', async () => {
    const { mocks, other } = await share();
    expect(mocks.sets.value).toMatchObject([{ name: 'offline mail', scope: 'app', isOn: true }]);
    expect(other.sets.value).toMatchObject([{ name: 'offline mail', scope: 'app', isOn: false }]);
  });

  it('that another action removes is reported where it was on', async () => {
    const { mocks, id, other } = await share();
    await other.remove(id);
    await mocks.refresh();
    expect(mocks.missing.value).toBe(1);
    expect(mocks.hasProblem.value).toBe(true);
    mocks.forgetMissing();
    await mocks.refresh();
    expect(mocks.missing.value).toBe(0);
  });

  it.each(['app', 'action'] as const)('is listed once while it moves to its %s', async (scope) => {
    const { mocks, id } = await share();
    if (scope === 'app') await mocks.setScope(id, 'action');
    const counts: number[] = [];
    const stop = effect(() => void counts.push(mocks.sets.value.length));
    await mocks.setScope(id, scope);
    stop();
    expect(mocks.sets.value).toMatchObject([{ id, scope }]);
    expect(counts.filter((count) => count !== 1)).toEqual([]);
  });

  it('whose move was cut off is listed once, and can be moved and removed', async () => {
    const store = newStore();
    const { mocks } = await openMocks({ store });
    const id = mocks.add('offline mail', [FAILS]);
    await mocks.refresh();
    const before = (await store.debugging(ACTION, 'mocks')) ?? '';
    await mocks.setScope(id, 'app');
    const cutOff = async () => {
      await store.putDebugging(ACTION, 'mocks', before);
      return (await openMocks({ store })).mocks;
    };
    const moved = await cutOff();
    expect(moved.sets.value).toMatchObject([{ id, name: 'offline mail', scope: 'app', isOn: true }]);
    await moved.setScope(id, 'action');
    expect(moved.sets.value).toMatchObject([{ id, name: 'offline mail', scope: 'action', isOn: true }]);
    await moved.setScope(id, 'app');
    const removed = await cutOff();
    await removed.remove(id);
    expect(removed.sets.value).toEqual([]);
  });

  it('becomes the set of one action again', async () => {
    const { mocks, id, other } = await share();
    await mocks.setScope(id, 'action');
    await other.refresh();
    expect(mocks.sets.value).toMatchObject([{ id, scope: 'action', isOn: true }]);
    expect(other.sets.value).toEqual([]);
  });
});

describe('a dry run', () => {
  it('mocks what leaves the page, and the packages that are marked for the app', async () => {
    const { mocks, store } = await openMocks();
    mocks.setDryRun(true);
    mocks.setLeaving('com.example.function.charge-card', true);
    await mocks.refresh();
    expect(outgoing(mocks.activeMocks())).toEqual([
      'com.platform.function.send-email',
      'com.platform.function.send-notification',
      'com.platform.function.http-request',
      'com.platform.function.write-datasource',
      'com.example.function.charge-card',
    ]);
    const other = await openMocks({ store, subject: 'https://eu.example/101/8' });
    expect(other.mocks.leaving.value).toEqual(['com.example.function.charge-card']);
    expect(other.mocks.isDryRun.value).toBe(false);
  });

  it('comes after the sets, so that their mocks of the same package win', async () => {
    const { mocks } = await openMocks();
    mocks.setDryRun(true);
    mocks.add('offline mail', [FAILS]);
    await mocks.refresh();
    expect(mocks.activeMocks()[0]).toEqual(FAILS);
    expect(mocks.namesOn.value).toBe('dry run, offline mail');
    mocks.allOff();
    await mocks.refresh();
    expect(mocks.count.value).toBe(0);
  });
});

describe('the stored mocks', () => {
  it('are waited for by a run', async () => {
    const { mocks, store } = await openMocks();
    mocks.add('offline mail', [FAILS]);
    await mocks.refresh();
    const again = await openMocks({ store, isLoaded: false });
    expect(again.mocks.isLoaded.value).toBe(false);
    await again.mocks.whenLoaded();
    expect(again.mocks.isLoaded.value).toBe(true);
    expect(again.mocks.activeMocks()).toEqual([FAILS]);
  });

  it.each([
    ['cut off', '{"version": 1, "ids": ["a"], "fil', 'STORED_MOCKS_DAMAGED'],
    ['without their sets', '{"version": 1, "ids": ["a"], "on": [], "isDryRun": true}', 'STORED_MOCKS_DAMAGED'],
    ['of another form', '[1, 2]', 'STORED_MOCKS_DAMAGED'],
    ['of a newer version', '{"version": 2, "dryRun": true}', 'STORED_MOCKS_NEWER'],
  ])('%s are reported, block runs, and stay in the database', async (_how, text, code) => {
    const store = newStore();
    await store.putDebugging(ACTION, 'mocks', text);
    const { mocks, files } = await openMocks({ store });
    expect(mocks.unreadable.value).toMatchObject([{ error: { code }, text }]);
    expect(mocks.cannotApply.value).toMatch(/^Open Mocks/);
    mocks.setDryRun(true);
    await mocks.refresh();
    expect(await store.debugging(ACTION, 'mocks')).toBe(text);
    mocks.saveUnreadable(text);
    expect(files).toEqual([{ name: 'unreadable-mocks.json', text }]);
    await mocks.startOver();
    expect(mocks.cannotApply.value).toBeNull();
    expect(mocks.hasProblem.value).toBe(false);
    expect(await store.debugging(ACTION, 'mocks-unreadable')).toBe(text);
  });

  it('that two panels change have the changes of both', async () => {
    const store = newStore();
    const [one, other] = [await openMocks({ store }), await openMocks({ store })];
    one.mocks.add('one');
    await one.mocks.refresh();
    other.mocks.add('two');
    await other.mocks.refresh();
    await one.mocks.refresh();
    expect(one.mocks.sets.value.map(({ name }) => name)).toEqual(['one', 'two']);
  });

  it('that can’t be saved last until the panel is closed, and say so', async () => {
    const full = new Error('The disk is full.');
    const store = { debugging: async () => undefined, putDebugging: () => Promise.reject(full) };
    const { mocks } = await openMocks({ store });
    mocks.add('one', [FAILS]);
    await mocks.refresh();
    mocks.setDryRun(true);
    await mocks.refresh();
    expect(mocks.error.value?.message).toBe('The disk is full.');
    expect(mocks.activeMocks()).toHaveLength(5);
  });

  it('that can’t be loaded don’t block runs, and say so', async () => {
    const gone = new Error('There’s no database.');
    const store = { debugging: () => Promise.reject(gone), putDebugging: async () => {} };
    const { mocks } = await openMocks({ store });
    expect(mocks.error.value?.message).toBe('There’s no database.');
    expect(mocks.hasProblem.value).toBe(true);
    expect(mocks.cannotApply.value).toBeNull();
  });

  it('of the app are stored under its base URL and ID', async () => {
    const { mocks, store } = await openMocks();
    mocks.setLeaving('x', true);
    await mocks.refresh();
    expect(await store.debugging(APP, 'shared-mocks')).toContain('"leaving":["x"]');
  });
});

describe('a file', () => {
  it('with a set can be exported and imported, off and under a free name', async () => {
    const { mocks, files } = await openMocks();
    const id = mocks.add('offline mail', [FAILS, SKIPS]);
    mocks.add('other');
    await mocks.refresh();
    mocks.export(id);
    expect(await mocks.import(files[0]!.text)).toBeNull();
    expect(mocks.sets.value.map(({ name, isOn }) => [name, isOn])).toEqual([
      ['offline mail', true],
      ['other', true],
      ['offline mail 2', false],
    ]);
    expect(mocks.sets.value[2]!.mocks).toEqual([FAILS, SKIPS]);
  });

  it('that isn’t one of mocks changes nothing, and says why', async () => {
    const { mocks } = await openMocks();
    expect(await mocks.import('{"sets": ')).toMatchObject({ code: 'MOCKS_NOT_JSON' });
    expect(mocks.sets.value).toEqual([]);
    expect(mocks.done.value).toBeNull();
  });
});

describe('a mock of an outcome', () => {
  it('is added first, to a new set that is on, and can be undone', async () => {
    const { mocks } = await openMocks();
    await mocks.addMock({ mock: FAILS, lost: 0 }, { name: 'offline mail' });
    expect(mocks.done.value?.text).toBe('Added to “offline mail”.');
    expect(mocks.activeMocks()).toEqual([FAILS]);
    const [set] = mocks.sets.value;
    mocks.setOn(set!.id, false);
    await mocks.addMock({ mock: SKIPS, lost: 2 }, { id: set!.id });
    expect(mocks.done.value?.text).toBe('Added to “offline mail”. 2 values aren’t known in whole. Enter them.');
    expect(mocks.activeMocks()).toEqual([SKIPS, FAILS]);
    mocks.done.value?.undo();
    await mocks.refresh();
    expect(mocks.sets.value[0]!.mocks).toEqual([FAILS]);
  });
});

describe('another action', () => {
  it('has its own mocks once it’s selected', async () => {
    const { mocks, action } = await openMocks();
    mocks.add('one', [FAILS]);
    await mocks.refresh();
    action.value = 'https://eu.example/101/8';
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([]);
    expect(mocks.hasApp).toBe(true);
    action.value = 'https://eu.example/some/page';
    await mocks.refresh();
    expect(mocks.hasApp).toBe(false);
    action.value = ACTION;
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([FAILS]);
  });
});
