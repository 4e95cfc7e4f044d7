/** Tests what is found to be wrong with mocks before a run. */
import { describe, expect, it } from 'vitest';
import { checkMocks } from '../../../../lib/debugging/mocks/check-mocks.ts';
import type { Mock } from '../../../../lib/debugging/mocks/types.ts';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';

const PIPELINE: Pipeline = [
  { functionPackage: 'read' },
  { type: 'loop', items: 'records', functions: [{ functionPackage: 'send' }, { functionPackage: 'send' }] },
];
const [ONE, OTHER] = ['/1/functions/0', '/1/functions/1'] as const;
const ofPath = (path: string, more: Partial<Mock> = {}): Mock => ({ target: { path }, outcome: {}, ...more });
const ofPackage = (name: string, more: Partial<Mock> = {}): Mock => ({
  target: { package: name },
  outcome: {},
  ...more,
});
const problems = (...mocks: Mock[]): string[] =>
  checkMocks(mocks, PIPELINE).map(({ index, code, message }) => `${index} ${code}: ${message}`);

describe('mocks have no problem', () => {
  it('if each applies to a step', () => {
    expect(problems(ofPath('/0'), ofPath('/1'), ofPath(ONE), ofPackage('send'))).toEqual([]);
  });

  it('if conditions decide between mocks of a target', () => {
    expect(problems(ofPath('/0', { condition: 'a' }), ofPath('/0', { condition: 'b' }), ofPath('/0'))).toEqual([]);
  });

  it('if they’re off and match nothing', () => {
    expect(problems(ofPath('/7', { isOff: true }), ofPath('/0', { isOff: true }), ofPath('/0'))).toEqual([]);
  });

  it('if they only wait or only change the context', () => {
    const target = { path: '/0' };
    expect(
      checkMocks(
        [
          { target, condition: 'a', delay: 5 },
          { target, changes: [['/a']] },
        ],
        PIPELINE,
      ),
    ).toEqual([]);
  });
});

describe('a mock’s problem is', () => {
  it('a condition that isn’t valid, with its column, even if the mock is off', () => {
    const found = checkMocks([ofPath('/0'), ofPath(ONE, { condition: 'id ===', isOff: true })], PIPELINE);
    expect(found).toMatchObject([{ index: 1, code: 'MOCK_CONDITION_INVALID', column: 7 }]);
    expect(found[0]!.message).toMatch(/^The condition isn’t valid: /);
  });

  it('a value that the recording doesn’t have', () => {
    expect(problems(ofPath('/0', { outcome: { value: lost('masked') } }))).toEqual([
      '0 MOCK_VALUE_LOST: The recording doesn’t have the value. A step that the mock applies to will fail.',
    ]);
  });

  it('that it does nothing', () => {
    expect(problems({ target: { path: '/0' }, delay: 0, changes: [] })).toEqual([
      '0 MOCK_EMPTY: The mock has no outcome, delay, or context change.',
    ]);
  });

  it('that no step has its path or package', () => {
    expect(problems(ofPath('/1/functions/2'), ofPackage('loop'), ofPackage('mail'))).toEqual([
      '0 MOCK_UNMATCHED: The pipeline has no step that matches step /1/functions/2.',
      '1 MOCK_UNMATCHED: The pipeline has no step that matches loop.',
      '2 MOCK_UNMATCHED: The pipeline has no step that matches mail.',
    ]);
    expect(checkMocks([ofPath('/0')], 'no pipeline')).toMatchObject([{ code: 'MOCK_UNMATCHED' }]);
  });

  it('that it’s there twice', () => {
    expect(problems(ofPath('/0'), ofPackage('send', { condition: 'a' }), ofPath('/0'))).toEqual([
      '2 MOCK_DUPLICATE: The mock is the same as mock 1.',
    ]);
  });

  it('an earlier mock of its target without a condition, or with the same one', () => {
    const value = { outcome: { value: 2 } };
    expect(problems(ofPath('/0'), ofPath('/0', { ...value, condition: 'a' }))).toEqual([
      '1 MOCK_SHADOWED: The mock never applies: mock 1 always applies instead.',
    ]);
    const condition = 'currentItem.id';
    expect(problems(ofPackage('send', { condition }), ofPackage('send', { ...value, condition }))).toEqual([
      '1 MOCK_SHADOWED: The mock never applies: mock 1 always applies instead.',
    ]);
  });

  it('that each of its steps has a mock of its own', () => {
    expect(problems(ofPackage('send'), ofPath(ONE), ofPath(OTHER))).toEqual([
      '0 MOCK_SHADOWED: The mock never applies: mocks 2, 3 always apply instead.',
    ]);
    expect(problems(ofPackage('send'), ofPath(ONE))).toEqual([]);
    expect(problems(ofPackage('send'), ofPath(ONE), ofPath(OTHER, { condition: 'a' }))).toEqual([]);
  });
});
