/** Changes to lists of mock sets, and to the mocks of a set. None changes its arguments. */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { StoredSet } from './stored-mocks.ts';

type Sets = readonly StoredSet[];

/** The name, or the name with a number if another set has it. */
export function freeName(name: string, sets: Sets): string {
  const names = new Set(sets.map((set) => set.name));
  const base = name.trim() || 'Mocks';
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? base : `${base} ${count}`;
    if (!names.has(candidate)) return candidate;
  }
}

export function newSet(name: string, mocks: Mock[], sets: Sets): StoredSet {
  return { id: crypto.randomUUID(), name: freeName(name, sets), mocks };
}

export const withoutSet = (sets: Sets, id: string): Sets => sets.filter((set) => set.id !== id);

export function withName(sets: Sets, id: string, name: string): Sets {
  const free = freeName(name, withoutSet(sets, id));
  return sets.map((set) => (set.id === id ? { ...set, name: free } : set));
}

export const withMocks = (sets: Sets, id: string, change: (mocks: readonly Mock[]) => Mock[]): Sets =>
  sets.map((set) => (set.id === id ? { ...set, mocks: change(set.mocks) } : set));

/** Inserts a copy of a set after it. */
export function withCopy(sets: Sets, id: string, copyId: string): Sets {
  return sets.flatMap((set) =>
    set.id === id ? [set, { ...set, id: copyId, name: freeName(`${set.name} copy`, sets) }] : [set],
  );
}

export function withMember(ids: readonly string[], id: string, isMember: boolean): string[] {
  const rest = ids.filter((each) => each !== id);
  return isMember ? [...rest, id] : rest;
}

/** Moves a mock up or down, because the first one that applies is used. */
export function moved(mocks: readonly Mock[], index: number, by: 1 | -1): Mock[] {
  const mock = mocks[index];
  const rest = mocks.toSpliced(index, 1);
  return mock && index + by >= 0 && index + by < mocks.length ? rest.toSpliced(index + by, 0, mock) : [...mocks];
}
