/** A mock as the texts of its form, so that what isn’t valid yet stays as entered. */
import type { Mock, MockOutcome } from '../../../../debugging/mocks/types.ts';
import type { RecordedChange } from '../../../../debugging/recording/context-changes.ts';
import type { RecordedValue } from '../../../../debugging/recording/values.ts';
import { compileCondition, ConditionError } from '../../../../pipeline/index.ts';
import { readDraft } from '../../actions/edit/draft-text.ts';

export type OutcomeKind = 'value' | 'error' | 'skip' | 'none';

export interface ChangeDraft {
  path: string;
  isRemoved: boolean;
  value: string;
}

export interface MockDraft {
  /** The path of a step, or the name of a package. */
  target: string;
  condition: string;
  outcome: OutcomeKind;
  /** JSON text; empty for undefined. */
  value: string;
  errorName: string;
  errorMessage: string;
  /** Milliseconds. */
  delay: string;
  changes: readonly ChangeDraft[];
  isOff: boolean;
}

/** What is wrong with a draft, by field. `changes` has one entry per change; null if it’s valid. */
export interface DraftProblems {
  target?: string;
  condition?: string;
  value?: string;
  errorMessage?: string;
  delay?: string;
  changes: (string | null)[];
}

/** In milliseconds: a run takes at most 120 seconds. */
export const MAX_DELAY = 120_000;

export const EMPTY_DRAFT: MockDraft = {
  target: '',
  condition: '',
  outcome: 'value',
  value: '',
  errorName: '',
  errorMessage: '',
  delay: '',
  changes: [],
  isOff: false,
};

export function draftOf({ target, condition = '', outcome, delay, changes = [], isOff = false }: Mock): MockDraft {
  return {
    ...EMPTY_DRAFT,
    target: 'path' in target ? target.path : target.package,
    condition,
    ...draftOfOutcome(outcome),
    delay: delay === undefined ? '' : String(delay),
    changes: changes.map(([path, ...value]) => ({ path, isRemoved: value.length === 0, value: textOf(value[0]) })),
    isOff,
  };
}

function draftOfOutcome(outcome: MockOutcome | undefined): Partial<MockDraft> {
  if (!outcome) return { outcome: 'none' };
  if ('skip' in outcome) return { outcome: 'skip' };
  if (!('error' in outcome)) return { outcome: 'value', value: textOf(outcome.value) };
  const { name = '', message } = outcome.error;
  return { outcome: 'error', errorName: name, errorMessage: message };
}

const textOf = (value: RecordedValue | undefined): string =>
  value === undefined ? '' : JSON.stringify(value, null, 2);

/** The mock that a draft describes; null if it’s invalid. */
export function readMockDraft(draft: MockDraft): { mock: Mock | null; problems: DraftProblems } {
  const problems = problemsOf(draft);
  const { changes, ...fields } = problems;
  const isValid = Object.values(fields).every((problem) => problem === undefined) && !changes.some(Boolean);
  return { mock: isValid ? mockOfDraft(draft) : null, problems };
}

function problemsOf({ target, condition, outcome, value, errorMessage, delay, changes }: MockDraft): DraftProblems {
  return withoutUndefined({
    target: target.trim() === '' ? 'Choose a step or a function package.' : undefined,
    condition: conditionProblem(condition),
    value: outcome === 'value' ? jsonProblem(value, true) : undefined,
    errorMessage: outcome === 'error' && errorMessage.trim() === '' ? 'Enter the error’s message.' : undefined,
    delay: delayProblem(delay),
    changes: changes.map(changeProblem),
  });
}

const withoutUndefined = (problems: DraftProblems): DraftProblems =>
  Object.fromEntries(
    Object.entries(problems).filter(([, problem]) => problem !== undefined),
  ) as unknown as DraftProblems;

/** Why a condition has a syntax error; undefined if it has none, or is empty. */
export function conditionProblem(condition: string): string | undefined {
  if (condition.trim() === '') return undefined;
  try {
    compileCondition(condition);
    return undefined;
  } catch (error) {
    return error instanceof ConditionError ? error.message : 'The condition is too complex.';
  }
}

function jsonProblem(text: string, canBeEmpty: boolean): string | undefined {
  if (text.trim() === '') return canBeEmpty ? undefined : 'Enter a JSON value.';
  const read = readDraft(text);
  return read.ok ? undefined : read.error.message;
}

function delayProblem(delay: string): string | undefined {
  if (delay.trim() === '') return undefined;
  const isValid = /^\d+$/.test(delay.trim()) && Number(delay) <= MAX_DELAY;
  return isValid ? undefined : `The delay must be a whole number from 0 to ${MAX_DELAY.toLocaleString('en')} ms.`;
}

function changeProblem({ path, isRemoved, value }: ChangeDraft): string | null {
  if (!/^(\/([^~]|~[01])*)+$/.test(path)) return 'Enter a JSON Pointer, such as /records/0/sent.';
  return isRemoved ? null : (jsonProblem(value, false) ?? null);
}

function mockOfDraft(draft: MockDraft): Mock {
  const { condition, delay, changes, isOff } = draft;
  const target = draft.target.trim();
  const outcome = outcomeOf(draft);
  return {
    target: target.startsWith('/') ? { path: target } : { package: target },
    ...(condition.trim() && { condition: condition.trim() }),
    ...(outcome && { outcome }),
    ...(Number(delay) > 0 && { delay: Number(delay) }),
    ...(changes.length > 0 && { changes: changes.map(changeOf) }),
    ...(isOff && { isOff }),
  };
}

function outcomeOf({ outcome, value, errorName, errorMessage }: MockDraft): MockOutcome | null {
  switch (outcome) {
    case 'value':
      return value.trim() === '' ? {} : { value: JSON.parse(value) as RecordedValue };
    case 'error':
      return { error: { ...(errorName.trim() && { name: errorName.trim() }), message: errorMessage } };
    case 'skip':
      return { skip: true };
    case 'none':
      return null;
  }
}

const changeOf = ({ path, isRemoved, value }: ChangeDraft): RecordedChange =>
  isRemoved ? [path] : [path, JSON.parse(value) as RecordedValue];
