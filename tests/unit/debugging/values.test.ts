/** Tests how values are written to a recording and read back. */
import { describe, expect, it } from 'vitest';
import { LostValueError, readValue, writeValue } from '../../../lib/debugging/recording/values.ts';

const budget = (left = 1_000_000) => ({ left, lost: 0 });
/** Through a file. */
const copy = (value: unknown) => readValue(JSON.parse(JSON.stringify(writeValue(value, budget()))));

describe('a recorded value', () => {
  it.each([
    [null],
    [undefined],
    [NaN],
    [-0],
    [Infinity],
    [-Infinity],
    ['text'],
    [12n],
    [new Date(5)],
    [new Date(NaN)],
    [[1, undefined, [null]]],
    [{ a: { b: [] }, c: undefined }],
    [{ $: 'lost', value: 'cycle' }],
    [{ $: { $: 1 } }],
  ])('is the same after reading it: %o', (value) => {
    expect(copy(value)).toStrictEqual(value);
  });

  it('keeps a property named __proto__ as data', () => {
    const read = copy(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}')) as object;
    expect(Object.keys(read)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it.each<[string, () => unknown, string]>([
    ['a function', () => () => 1, 'not-data'],
    ['a symbol', () => Symbol('a'), 'not-data'],
    ['a class instance', () => new Map(), 'not-data'],
    [
      'itself',
      () => {
        const self: { self?: unknown } = {};
        self.self = self;
        return self;
      },
      'cycle',
    ],
    [
      'a getter that throws',
      () => ({
        get self() {
          throw new Error('no');
        },
      }),
      'unreadable',
    ],
    [
      '201 levels',
      () => {
        let deep: unknown = 1;
        for (let level = 0; level < 201; level++) deep = [deep];
        return deep;
      },
      'too-deep',
    ],
  ])('that contains %s throws where it’s read, with the reason', (_what, make, reason) => {
    const budgeted = budget();
    const written = writeValue({ before: 1, value: make(), after: 2 }, budgeted);
    expect(budgeted.lost).toBe(1);
    const read = readValue(written) as { before: number; after: number };
    expect([read.before, read.after]).toEqual([1, 2]);
    expect(() => JSON.stringify(read)).toThrow(expect.objectContaining({ name: 'LostValueError', reason }));
  });

  it('beyond the limit is lost, and what is before it isn’t', () => {
    const budgeted = budget(100);
    const read = readValue(
      writeValue(
        Array.from({ length: 1_000 }, (_, index) => index),
        budgeted,
      ),
    ) as number[];
    expect(read).toHaveLength(1_000);
    expect(read[10]).toBe(10);
    expect(budgeted.lost).toBeGreaterThan(900);
    expect(() => read[999]).toThrow(LostValueError);
  });

  it('that is lost can be set again', () => {
    const read = readValue({ a: { $: 'lost', value: 'masked' } }) as { a: unknown };
    read.a = 1;
    expect(read).toEqual({ a: 1 });
  });

  it.each([
    [{ $: 'unheard-of' }],
    [{ $: 'lost', value: 'why' }],
    [{ $: 'bigint', value: 'x' }],
    [{ $: 'ref', value: '/a' }],
    [{ $: 7 }],
  ])('with a mark that can’t be read is lost: %j', (written) => {
    expect(() => readValue(written)).toThrow(LostValueError);
    expect(Object.keys(readValue({ a: written, b: 1 }) as object)).toEqual(['a', 'b']);
  });
});
