/** Hashes of values. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contextDifferences } from '../../../../lib/debugging/compare/context-differences.ts';
import { hashValue } from '../../../../lib/debugging/compare/hash-value.ts';
import { compileVolatile } from '../../../../lib/debugging/compare/volatile.ts';
import { readValue } from '../../../../lib/debugging/recording/values.ts';

it('the hashes of values are the same exactly if the values are', () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(hashValue(one) === hashValue(other)).toBe(contextDifferences(one, other).length === 0);
      expect(hashValue(structuredClone(one))).toBe(hashValue(one));
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  [
    [1, [2]],
    [[1], 2],
  ],
  [{ a: 'b' }, ['a', 'b']],
  ['1', 1],
  [0, -0],
  [null, undefined],
  [new Date(5), 5],
  [
    ['ab', 'c'],
    ['a', 'bc'],
  ],
])('the hashes of %j and %j differ', (one, other) => expect(hashValue(one)).not.toBe(hashValue(other)));

it('the hash of a value that is lost in part is unknown, unless that part is volatile', () => {
  const value = readValue({ a: 1, b: { c: { $: 'lost', value: 'masked' } } });
  expect(hashValue(value)).toBeNull();
  expect(hashValue(value, '/x', compileVolatile(['/x/b/c']))).toBeTypeOf('number');
});

it('the hash of a value leaves out what is volatile', () => {
  const at = (time: number): unknown => ({ list: [{ time, name: 'a' }] });
  const isVolatile = compileVolatile(['/list/*/time']);
  expect(hashValue(at(1), '', isVolatile)).toBe(hashValue(at(2), '', isVolatile));
  expect(hashValue(at(1))).not.toBe(hashValue(at(2)));
});

it('a value that contains itself has a hash', () => {
  const value: Record<string, unknown> = { a: 1 };
  value['self'] = value;
  expect(hashValue(value)).toBeTypeOf('number');
});
