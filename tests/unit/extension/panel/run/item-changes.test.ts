/** Changes of arrays in the context, item by item. */
import { describe, expect, it } from 'vitest';
import { changeRows } from '../../../../../lib/extension/panel/run/item-changes.ts';
import type { ContextDifference } from '../../../../../lib/extension/panel/run/context-changes.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';
import { remote } from './remote.ts';

/** The rows of an array that was replaced as a whole. */
function rowsOf(before: unknown[], after: unknown[]) {
  const contexts = { before: remote({ list: before }), after: remote({ list: after }) };
  const difference: ContextDifference = {
    path: '/list',
    kind: 'changed',
    before: remote(before),
    after: remote(after),
  };
  return changeRows([difference], () => contexts);
}
const shape = (rows: ReturnType<typeof changeRows>) =>
  rows.map(({ kind, path, summary }) => summary ?? `${kind} ${path}`);

describe('changes of an array', () => {
  it('say which items were added, removed, and changed, by their ID', () => {
    const before = [
      { id: 1, name: 'Ada' },
      { id: 2, name: 'Bram' },
      { id: 3, name: 'Cleo' },
    ];
    const after = [
      { id: 2, name: 'Bram' },
      { id: 3, name: 'Chloe' },
      { id: 4, name: 'Daan' },
    ];
    expect(shape(rowsOf(before, after))).toEqual([
      '3 items · 1 added, 1 removed, 1 changed',
      'changed /list/1/name',
      'added /list/2',
      'removed /list/0',
    ]);
    expect(rowsOf(before, after)[1]).toMatchObject({ level: 1, before: remote('Cleo'), after: remote('Chloe') });
  });

  it('identify items without an ID by their content', () => {
    expect(shape(rowsOf(['a', 'b', 'b'], ['b', 'c', 'b', 'b']))).toEqual([
      '3 → 4 items · 2 added, 1 removed',
      'added /list/1',
      'added /list/3',
      'removed /list/0',
    ]);
  });

  it('are listed as before if only properties of items changed, or items weren’t all recorded', () => {
    const contexts = { before: remote({ list: [{ id: 1 }] }), after: remote({ list: [{ id: 1, sent: true }] }) };
    const sent: ContextDifference = { path: '/list/0/sent', kind: 'added', after: remote(true) };
    expect(shape(changeRows([sent], () => contexts))).toEqual(['added /list/0/sent']);
    const cut = { ...remote([1]), length: 9 } as ContextDifference['before'];
    const replaced: ContextDifference = { path: '', kind: 'changed', before: cut, after: remote([2]) };
    expect(shape(changeRows([replaced], () => ({ before: cut!, after: remote([2]) })))).toEqual(['changed ']);
  });

  it('restore no contexts if no array changed', () => {
    const difference: ContextDifference = { path: '/a', kind: 'added', after: remote(1) };
    const contexts = () => {
      throw new Error('restored');
    };
    expect(shape(changeRows([difference], contexts))).toEqual(['added /a']);
  });

  it('compare 5,000 items quickly', () => {
    const items = (from: number) =>
      Array.from({ length: 5_000 }, (_, index) => ({ id: from + index, data: { index } }));
    expect(cpuTime(() => expect(rowsOf(items(0), items(2_500)).length).toBeGreaterThan(100))).toBeLessThan(2_000);
  });
});
