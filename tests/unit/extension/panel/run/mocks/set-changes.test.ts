/** Changes of lists of sets and mocks. */
import { describe, expect, it } from 'vitest';
import {
  freeName,
  moved,
  newSet,
  withCopy,
  withMember,
  withMocks,
  withName,
  withoutSet,
} from '../../../../../../lib/extension/panel/run/mocks/set-changes.ts';
import type { StoredSet } from '../../../../../../lib/extension/panel/run/mocks/stored-mocks.ts';

const mock = (path: string) => ({ target: { path }, outcome: {} });
const SETS: readonly StoredSet[] = Object.freeze([
  { id: 'a', name: 'mail', mocks: [mock('/0')] },
  { id: 'b', name: 'mail 2', mocks: [] },
]);
const namesOf = (sets: readonly StoredSet[]): string[] => sets.map(({ id, name }) => `${id} ${name}`);

describe('the name of a set', () => {
  it('gets the first number that’s free', () => {
    expect(freeName('mail', SETS)).toBe('mail 3');
    expect(freeName(' other ', SETS)).toBe('other');
    expect(freeName('  ', SETS)).toBe('Mocks');
    expect(newSet('mail', [], SETS)).toMatchObject({ name: 'mail 3', mocks: [] });
  });

  it('doesn’t collide with the set’s own', () => {
    expect(namesOf(withName(SETS, 'a', 'mail'))).toEqual(['a mail', 'b mail 2']);
    expect(namesOf(withName(SETS, 'b', 'mail'))).toEqual(['a mail', 'b mail 2']);
  });
});

describe('a change', () => {
  it('concerns only one set', () => {
    expect(namesOf(withoutSet(SETS, 'a'))).toEqual(['b mail 2']);
    expect(namesOf(withCopy(SETS, 'a', 'c'))).toEqual(['a mail', 'c mail copy', 'b mail 2']);
    expect(withMocks(SETS, 'b', (mocks) => [...mocks, mock('/1')]).map(({ mocks }) => mocks.length)).toEqual([1, 1]);
    expect(withMocks(SETS, 'gone', () => [mock('/1')])).toEqual(SETS);
  });

  it('adds a member once, at the end', () => {
    expect(withMember(['a', 'b'], 'a', true)).toEqual(['b', 'a']);
    expect(withMember(['a', 'b'], 'a', false)).toEqual(['b']);
  });

  it('moves a mock by one, and not beyond the ends', () => {
    const mocks = ['/0', '/1', '/2'].map(mock);
    const order = (index: number, by: 1 | -1) =>
      moved(mocks, index, by).map(({ target }) => 'path' in target && target.path);
    expect(order(1, -1)).toEqual(['/1', '/0', '/2']);
    expect(order(1, 1)).toEqual(['/0', '/2', '/1']);
    expect(order(0, -1)).toEqual(['/0', '/1', '/2']);
    expect(order(2, 1)).toEqual(['/0', '/1', '/2']);
    expect(order(7, -1)).toEqual(['/0', '/1', '/2']);
  });
});
