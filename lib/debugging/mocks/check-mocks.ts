/** Finds what is wrong with mocks before a run: what isn't valid, what matches no step, and what never applies. */
import { compileCondition, type ConditionError } from '../../pipeline/index.ts';
import { type ListedStep, listSteps, withNested } from '../pipelines/steps.ts';
import { isRecord } from '../../shared/objects.ts';
import { targetText } from './mock-error.ts';
import type { Mock } from './types.ts';

export interface MockProblem {
  /** Index of the mock. */
  index: number;
  code:
    | 'MOCK_CONDITION_INVALID'
    | 'MOCK_VALUE_LOST'
    /** It has no outcome, delay, or change. */
    | 'MOCK_EMPTY'
    /** The pipeline has no such step. */
    | 'MOCK_UNMATCHED'
    /** The same as another one. */
    | 'MOCK_DUPLICATE'
    /** Others always apply instead. */
    | 'MOCK_SHADOWED';
  message: string;
  /** 1-based position in the condition. */
  column?: number;
  /** Indexes of the mocks that are the same, or that apply instead. */
  others?: number[];
}

/** At most one problem for each mock. Those that are off are only checked for what isn't valid. */
export function checkMocks(mocks: readonly Mock[], pipeline: unknown): MockProblem[] {
  const steps = withNested(listSteps(pipeline));
  return mocks.flatMap((mock, index) => {
    const found = invalid(mock) ?? (mock.isOff ? null : unused(mocks, index, steps));
    return found ? [{ index, ...found }] : [];
  });
}

type Found = Omit<MockProblem, 'index'> | null;

function invalid({ condition, outcome, delay, changes }: Mock): Found {
  try {
    if (condition !== undefined) compileCondition(condition);
  } catch (thrown) {
    const { message, column } = thrown as ConditionError;
    return { code: 'MOCK_CONDITION_INVALID', message: `The condition isn’t valid: ${message}`, column };
  }
  if (outcome && 'value' in outcome && isRecord(outcome.value) && outcome.value['$'] === 'lost')
    return {
      code: 'MOCK_VALUE_LOST',
      message: 'The recording doesn’t have the value. A step that the mock applies to will fail.',
    };
  const isEmpty = !outcome && !delay && !changes?.length;
  return isEmpty ? { code: 'MOCK_EMPTY', message: 'The mock has no outcome, delay, or context change.' } : null;
}

function unused(mocks: readonly Mock[], index: number, steps: readonly ListedStep[]): Found {
  const mock = mocks[index]!;
  const matched = steps.filter((step) => isTarget(mock, step));
  if (matched.length === 0)
    return { code: 'MOCK_UNMATCHED', message: `The pipeline has no step that matches ${targetText(mock)}.` };
  const before = mocks.slice(0, index);
  const same = before.findIndex((other) => !other.isOff && isSame(other, mock));
  if (same >= 0)
    return { code: 'MOCK_DUPLICATE', message: `The mock is the same as mock ${same + 1}.`, others: [same] };
  const shadows = matched.map((step) => mocks.findIndex((other, at) => shadowsAt(other, at, mock, index, step)));
  if (shadows.some((other) => other < 0)) return null;
  const others = [...new Set(shadows)];
  const numbers = others.map((other) => other + 1).join(', ');
  const instead =
    others.length === 1 ? `mock ${numbers} always applies instead` : `mocks ${numbers} always apply instead`;
  return { code: 'MOCK_SHADOWED', message: `The mock never applies: ${instead}.`, others };
}

const isTarget = ({ target }: Mock, { path, kind, name }: ListedStep): boolean =>
  'path' in target ? target.path === path : kind === 'function' && target.package === name;

/** Whether another mock applies to this step whenever this one could. */
function shadowsAt(other: Mock, at: number, mock: Mock, index: number, step: ListedStep): boolean {
  if (at === index || other.isOff || !isTarget(other, step)) return false;
  if (other.condition !== undefined && other.condition !== mock.condition) return false;
  const isPath = 'path' in mock.target;
  return 'path' in other.target === isPath ? at < index : !isPath;
}

const isSame = (one: Mock, other: Mock): boolean => JSON.stringify(one) === JSON.stringify(other);
