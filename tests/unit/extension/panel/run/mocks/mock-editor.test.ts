/** The editor of mocks: what is selected, drafts that aren’t valid yet, and files. */
import { describe, expect, it } from 'vitest';
import { MockEditor } from '../../../../../../lib/extension/panel/run/mocks/mock-editor.ts';
import { MAIL, openMocks } from './open-mocks.ts';

const FAILS = { target: { package: MAIL }, outcome: { error: { message: 'Mailbox full' } } };
const SKIPS = { target: { path: '/1' }, outcome: { skip: true as const } };

async function openEditor(...sets: string[]) {
  const opened = await openMocks();
  const ids = sets.map((name) => opened.mocks.add(name, [FAILS, SKIPS]));
  await opened.mocks.refresh();
  const editor = new MockEditor(opened.mocks);
  const paths = () => editor.set.value?.mocks.map(({ target }) => ('path' in target ? target.path : target.package));
  return { ...opened, editor, ids, paths };
}

describe('the editor', () => {
  it('has the first set and its first mock, and then those that were selected', async () => {
    const { editor, ids } = await openEditor('one', 'two');
    expect([editor.set.value?.name, editor.index.value]).toEqual(['one', 0]);
    editor.select(ids[1]!, 1);
    expect([editor.set.value?.name, editor.index.value]).toEqual(['two', 1]);
    editor.select(ids[1]!, 7);
    expect(editor.index.value).toBe(1);
  });

  it('selects another set once the selected one is removed', async () => {
    const { editor, mocks, ids } = await openEditor('one', 'two');
    editor.select(ids[1]!);
    await mocks.remove(ids[1]!);
    expect(editor.set.value?.name).toBe('one');
    await mocks.remove(ids[0]!);
    expect([editor.set.value, editor.index.value, editor.draft.value]).toEqual([null, null, null]);
  });

  it('saves a draft as soon as it’s valid, and until then keeps the mock as it was', async () => {
    const { editor, mocks } = await openEditor('one');
    editor.edit({ outcome: 'value', value: '{"sent": ' });
    await mocks.refresh();
    expect(editor.draft.value?.value).toBe('{"sent": ');
    expect(editor.problems.value?.value).toBeDefined();
    expect(mocks.sets.value[0]!.mocks[0]).toEqual(FAILS);
    editor.edit({ value: '{"sent": true}' });
    await mocks.refresh();
    expect(mocks.sets.value[0]!.mocks).toEqual([{ target: FAILS.target, outcome: { value: { sent: true } } }, SKIPS]);
    expect(editor.problems.value).toEqual({ changes: [] });
  });

  it('forgets a draft that isn’t valid once another mock is selected, or it’s closed', async () => {
    const { editor, ids } = await openEditor('one');
    editor.open();
    editor.edit({ condition: 'a ===' });
    editor.select(ids[0]!, 1);
    editor.select(ids[0]!, 0);
    expect(editor.draft.value?.condition).toBe('');
    editor.edit({ condition: 'a ===' });
    editor.close();
    expect([editor.isOpen.value, editor.draft.value?.condition]).toEqual([false, '']);
  });

  it('edits nothing without a mock', async () => {
    const { editor } = await openEditor();
    editor.edit({ target: 'x' });
    await editor.move(1);
    await editor.remove();
    await editor.duplicate();
    expect(editor.draft.value).toBeNull();
  });

  it('moves, duplicates, and removes the selected mock, which stays selected', async () => {
    const { editor, paths } = await openEditor('one');
    await editor.move(1);
    expect([paths(), editor.index.value]).toEqual([['/1', MAIL], 1]);
    await editor.move(1);
    expect([paths(), editor.index.value]).toEqual([['/1', MAIL], 1]);
    await editor.duplicate();
    expect([paths(), editor.index.value]).toEqual([['/1', MAIL, MAIL], 2]);
    await editor.remove();
    expect([paths(), editor.index.value]).toEqual([['/1', MAIL], 1]);
  });

  it('adds a mock for the selected step, else for the first function, and selects it', async () => {
    const { editor, paths } = await openEditor('one');
    await editor.addFor('/1/functions/0');
    expect([paths(), editor.index.value]).toEqual([[MAIL, '/1', '/1/functions/0'], 2]);
    await editor.addFor(null);
    expect(paths()?.at(-1)).toBe('/0');
  });

  it('adds a set for the first mock, which is on', async () => {
    const { editor, mocks } = await openEditor();
    await editor.add(SKIPS);
    expect(mocks.sets.value).toMatchObject([{ name: 'Mocks', isOn: true, mocks: [SKIPS] }]);
    expect(editor.draft.value?.target).toBe('/1');
  });

  it('turns a mock off, and on again', async () => {
    const { editor, mocks } = await openEditor('one');
    editor.setOff(1, true);
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([FAILS]);
    expect(editor.index.value).toBe(1);
    editor.setOff(1, false);
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([FAILS, SKIPS]);
  });

  it('turns a mock off, although its draft isn’t valid', async () => {
    const { editor, mocks } = await openEditor('one');
    editor.edit({ condition: 'a ===' });
    editor.setOff(0, true);
    await mocks.refresh();
    expect(mocks.activeMocks()).toEqual([SKIPS]);
  });

  it('selects what a file had, and says why another one can’t be read until that’s dismissed', async () => {
    const { editor, mocks, files } = await openEditor('one', 'two');
    mocks.export();
    await editor.import(files[0]!.text);
    expect(editor.set.value).toMatchObject({ name: 'two 2', isOn: false });
    await editor.import('[]');
    expect(editor.importError.value).toMatchObject({ code: 'MOCKS_NOT_ONE' });
    expect(mocks.sets.value).toHaveLength(4);
    editor.dismissImport();
    expect(editor.importError.value).toBeNull();
  });
});
