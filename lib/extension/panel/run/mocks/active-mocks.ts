/** Finds which mocks of an action apply, in which order, and what is wrong with them. */
import { checkMocks, type MockProblem } from '../../../../debugging/mocks/check-mocks.ts';
import { dryRunMocks } from '../../../../debugging/mocks/dry-run.ts';
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { ActionMocks, AppMocks, StoredSet } from './stored-mocks.ts';

/** Whether only this action has a set, or all actions of its app. */
export type MockScope = 'action' | 'app';

export interface ListedSet extends StoredSet {
  scope: MockScope;
  isOn: boolean;
}

export interface ActiveMock {
  mock: Mock;
  /** Where it’s from; null for *Dry run*. */
  from: { setId: string; index: number } | null;
}

/** A problem of a mock of a set. */
export interface SetProblem {
  setId: string;
  index: number;
  code: MockProblem['code'];
  message: string;
}

export function listedSets(action: ActionMocks, app: AppMocks): ListedSet[] {
  const on = new Set(action.on);
  const list = (sets: readonly StoredSet[], scope: MockScope): ListedSet[] =>
    sets.map((set) => ({ ...set, scope, isOn: on.has(set.id) }));
  // While a set moves between the two, both have it.
  const shared = new Set(app.sets.map(({ id }) => id));
  const own = action.sets.filter(({ id }) => !shared.has(id));
  return [...list(own, 'action'), ...list(app.sets, 'app')];
}

/**
 * Those of *Dry run* come last, because the first one that applies wins.
 * @param leaving the packages that *Dry run* also mocks; null if it’s off
 */
export function activeMocksOf(sets: readonly ListedSet[], leaving: readonly string[] | null): ActiveMock[] {
  const chosen = sets.flatMap(({ id, isOn, mocks }) =>
    isOn ? mocks.map((mock, index) => ({ mock, from: { setId: id, index } })) : [],
  );
  const dry = leaving === null ? [] : dryRunMocks(leaving).map((mock) => ({ mock, from: null }));
  return [...chosen.filter(({ mock }) => !mock.isOff), ...dry];
}

/**
 * @param pipeline null if it’s unknown
 * @param sets to name the mocks that apply instead
 */
export function problemsOf(active: readonly ActiveMock[], pipeline: unknown, sets: readonly ListedSet[]): SetProblem[] {
  if (pipeline === null || active.length === 0) return [];
  const problems = checkMocks(
    active.map(({ mock }) => mock),
    pipeline,
  );
  const nameOf = (index: number): string => {
    const from = active[index]?.from;
    return from ? `“${sets.find(({ id }) => id === from.setId)?.name ?? ''}” ${from.index + 1}` : 'Dry run';
  };
  return problems.flatMap(({ index, code, message, others = [] }) => {
    const from = active[index]?.from;
    // A package of *Dry run* that the pipeline doesn’t have isn’t a problem.
    if (!from) return [];
    const names = others.map(nameOf).join(', ');
    return [{ ...from, code, message: Object.hasOwn(OTHERS, code) ? `${OTHERS[code]}: ${names}.` : message }];
  });
}

/** Problems with other mocks, which have names here instead of numbers. */
const OTHERS: Partial<Record<MockProblem['code'], string>> = {
  MOCK_SHADOWED: 'The mock never applies, because another one comes first',
  MOCK_DUPLICATE: 'Another mock is the same',
};
