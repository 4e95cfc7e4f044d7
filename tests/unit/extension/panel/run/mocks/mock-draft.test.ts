/** The form of a mock: which drafts are valid, and what they mean. */
import { describe, expect, it } from 'vitest';
import type { Mock } from '../../../../../../lib/debugging/mocks/types.ts';
import {
  draftOf,
  EMPTY_DRAFT,
  type MockDraft,
  readMockDraft,
} from '../../../../../../lib/extension/panel/run/mocks/mock-draft.ts';
import { MAIL } from './open-mocks.ts';

const read = (change: Partial<MockDraft>) => readMockDraft({ ...EMPTY_DRAFT, target: MAIL, ...change });

describe('a draft of a mock', () => {
  it.each<[string, Mock]>([
    ['returns a value', { target: { path: '/0' }, outcome: { value: { sent: [1, null] } } }],
    ['returns nothing', { target: { package: MAIL }, outcome: {} }],
    ['returns null', { target: { package: MAIL }, outcome: { value: null } }],
    ['fails', { target: { package: MAIL }, outcome: { error: { name: 'TypeError', message: ' full ' } } }],
    ['fails without a name', { target: { package: MAIL }, outcome: { error: { message: 'full' } } }],
    ['skips the step', { target: { path: '/1' }, outcome: { skip: true } }],
    ['only delays the step', { target: { package: MAIL }, delay: 500 }],
    [
      'changes the context',
      { target: { package: MAIL }, condition: 'a > 1', outcome: {}, changes: [['/a'], ['/b~1c', { d: 1 }]] },
    ],
    ['is off', { target: { package: MAIL }, outcome: {}, isOff: true }],
  ])('of a mock that %s is the same mock', (_what, mock) => {
    expect(readMockDraft(draftOf(mock))).toEqual({ mock, problems: { changes: (mock.changes ?? []).map(() => null) } });
  });

  it.each<[string, Partial<MockDraft>, object]>([
    ['without a target', { target: ' ' }, { target: 'Choose a step or a function package.' }],
    ['with a value that isn’t JSON', { value: '{"a": ' }, { value: expect.stringMatching(/./) }],
    ['with a condition that can’t be read', { condition: 'a ===' }, { condition: expect.stringMatching(/./) }],
    [
      'that fails without a message',
      { outcome: 'error', errorMessage: ' ' },
      { errorMessage: 'Enter the error’s message.' },
    ],
    ['with a delay that isn’t a whole number', { delay: '1.5' }, { delay: expect.stringContaining('0 to 120,000 ms') }],
    ['with a delay that is longer than a run', { delay: '120001' }, { delay: expect.stringContaining('120,000') }],
  ])('%s is invalid, and says why', (_what, change, problem) => {
    expect(read(change)).toEqual({ mock: null, problems: { ...problem, changes: [] } });
  });

  it('says which of its context changes are invalid', () => {
    const changes = [
      { path: 'a', isRemoved: true, value: '' },
      { path: '/a', isRemoved: true, value: 'ignored' },
      { path: '/a', isRemoved: false, value: '' },
      { path: '/a~2', isRemoved: false, value: '1' },
    ];
    const pointer = 'Enter a JSON Pointer, such as /records/0/sent.';
    expect(read({ changes })).toEqual({
      mock: null,
      problems: { changes: [pointer, null, 'Enter a JSON value.', pointer] },
    });
  });

  it('ignores what belongs to another outcome', () => {
    expect(read({ outcome: 'skip', value: '{', errorMessage: '' }).mock).toEqual({
      target: { package: MAIL },
      outcome: { skip: true },
    });
  });
});
