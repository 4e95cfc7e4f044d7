/** Values of contexts as the panel’s trees show them, and values of traces as conditions read them. */
import { describe, expect, it } from 'vitest';
import { lost, LostValueError, readValue } from '../../../../../../lib/debugging/recording/values.ts';
import type { RemoteValue } from '../../../../../../lib/extension/inspector/contract.ts';
import { describeValue } from '../../../../../../lib/extension/panel/run/why/describe-value.ts';
import { traceContext } from '../../../../../../lib/extension/panel/run/why/trace-context.ts';
import { remote } from '../remote.ts';

describe('a described value', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['a boolean', false],
    ['a string', 'é'],
    ['a number', 1.5],
    ['nested data', { list: [1, { a: null }, []], empty: {} }],
  ])('is as the page would describe %s', (_what, value) => {
    expect(describeValue(value)).toEqual(remote(value));
  });

  it.each<[string, unknown, RemoteValue]>([
    ['NaN', NaN, { t: 'number', v: 'NaN' }],
    ['infinity', -Infinity, { t: 'number', v: '-Infinity' }],
    ['minus zero', -0, { t: 'number', v: '-0' }],
    ['a big integer', 12n, { t: 'bigint', v: '12' }],
    ['a date', new Date(0), { t: 'date', v: '1970-01-01T00:00:00.000Z' }],
    ['an invalid date', new Date(NaN), { t: 'date', v: 'Invalid Date' }],
    ['a regular expression', /a/g, { t: 'regexp', v: '/a/g' }],
    ['a function', () => {}, { t: 'function', v: 'function' }],
  ])('has a form for %s', (_what, value, described) => {
    expect(describeValue(value)).toEqual(described);
  });

  it('says what the recording doesn’t have, without losing the rest', () => {
    const value = readValue({ a: lost('too-large'), b: 1 });
    expect(describeValue(value)).toEqual({
      t: 'object',
      size: 2,
      entries: [
        ['a', { t: 'unreadable', message: expect.stringMatching(/./) }],
        ['b', { t: 'number', v: 1 }],
      ],
    });
  });

  it('is bounded: long strings, wide objects, and deep ones are cut, and say how large they are', () => {
    expect(describeValue('x'.repeat(30_000))).toMatchObject({ length: 30_000, v: 'x'.repeat(20_000) });
    const wide = describeValue(Array.from({ length: 100_000 }, () => 0));
    expect(wide).toMatchObject({ t: 'array', length: 100_000 });
    expect((wide as { items: unknown[] }).items.length).toBeLessThan(3_001);
    let deep: unknown = 1;
    for (let level = 0; level < 20; level++) deep = { deep };
    expect(JSON.stringify(describeValue(deep)).split('"deep"')).toHaveLength(13);
  });
});

describe('the context of a trace', () => {
  const cut = (value: RemoteValue): RemoteValue => ({ ...value, ...('size' in value && { size: 99 }) }) as RemoteValue;

  it('has the values that the page transferred, by their own names', () => {
    const context = traceContext(remote({ records: [{ data: { email: 'a@b.c' } }], count: 1, none: null }));
    expect(context).toEqual({ records: [{ data: { email: 'a@b.c' } }], count: 1, none: null });
    expect(Object.keys(context)).toEqual(['records', 'count', 'none']);
    expect('records' in context && !('other' in context)).toBe(true);
    expect((context['records'] as unknown[]).length).toBe(1);
    expect((context['records'] as unknown[]).map((each) => typeof each)).toEqual(['object']);
  });

  it('throws for what may be there but wasn’t transferred', () => {
    const context = traceContext(cut(remote({ a: 1 })));
    expect(context['a']).toBe(1);
    expect(() => context['b']).toThrow(LostValueError);
    expect(() => 'b' in context).toThrow(LostValueError);
    expect(() => Object.keys(context)).toThrow(LostValueError);
  });

  it.each<[string, RemoteValue]>([
    ['a string that was cut', { t: 'string', v: 'ab', length: 3 }],
    ['an object of a class', { t: 'object', size: 0, entries: [], name: 'Map' }],
    ['a function', { t: 'function', v: 'f' }],
    ['an invalid date', { t: 'date', v: 'Invalid Date' }],
    ['a cycle', { t: 'cycle' } as RemoteValue],
  ])('throws for %s', (_what, value) => {
    const context = traceContext({ t: 'object', size: 1, entries: [['x', value]] });
    expect(() => context['x']).toThrow(LostValueError);
  });

  it('reads an array that was cut up to where it was cut', () => {
    const context = traceContext({
      t: 'object',
      size: 1,
      entries: [['list', { t: 'array', length: 3, items: [{ t: 'number', v: 7 }] }]],
    });
    const list = context['list'] as number[];
    expect([list[0], list.length, list[5]]).toEqual([7, 3, undefined]);
    expect(() => list[1]).toThrow(LostValueError);
  });

  it('has special numbers, big integers, and dates', () => {
    const context = traceContext({
      t: 'object',
      size: 3,
      entries: [
        ['n', { t: 'number', v: '-0' }],
        ['b', { t: 'bigint', v: '5n' }],
        ['d', { t: 'date', v: '2026-01-01T00:00:00.000Z' }],
      ],
    });
    expect(Object.is(context['n'], -0)).toBe(true);
    expect(context['b']).toBe(5n);
    expect(context['d']).toEqual(new Date('2026-01-01T00:00:00.000Z'));
  });

  it('is described as the page described it', () => {
    const value = cut(remote({ a: 1 }));
    expect(describeValue(traceContext(value))).toBe(value);
  });
});
