/** Tests where contexts differ, and what is ignored as volatile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextDifferences } from '../../../../lib/debugging/compare/context-differences.ts';
import { compileVolatile, isPattern, parseVolatile, patternFor } from '../../../../lib/debugging/compare/volatile.ts';
import { readValue } from '../../../../lib/debugging/recording/values.ts';

const texts = (before: unknown, now: unknown, ignored: string[] = []): string[] =>
  contextDifferences(before, now, { ignored }).map(({ path, kind }) => `${path} ${kind}`);

describe('the differences of two contexts', () => {
  it('are each added, removed, and changed property, with both values', () =>
    expect(contextDifferences({ a: 1, 'b/c': { x: 1 }, gone: null }, { a: 2, 'b/c': { x: 1, y: 2 } })).toEqual([
      { path: '/a', kind: 'changed', before: 1, now: 2 },
      { path: '/b~1c/y', kind: 'added', now: 2 },
      { path: '/gone', kind: 'removed', before: null },
    ]));

  it('are only the inserted item, not those after it', () => {
    const records = [{ id: 1 }, { id: 2, n: 1 }, { id: 3 }];
    const now = [{ id: 0 }, { id: 1 }, { id: 2, n: 7 }, { id: 3 }];
    expect(texts({ records }, { records: now })).toEqual(['/records/0 added', '/records/2/n changed']);
    expect(texts({ records: now }, { records })).toEqual(['/records/0 removed', '/records/1/n changed']);
  });

  it('are unknown where a recording doesn’t have the value', () => {
    const lossy = readValue({ a: { $: 'lost', value: 'masked' }, list: [1, { $: 'lost', value: 'cycle' }], b: 1 });
    expect(texts(lossy, { a: 1, list: [1, 2], b: 1 })).toEqual(['/a unknown', '/list/1 unknown']);
    expect(texts(lossy, lossy)).toEqual([]);
  });

  it('are found in values that contain themselves, and in objects at many places', () => {
    const cyclic = (n: number): object => {
      const context: Record<string, unknown> = { n };
      context.self = { context };
      return context;
    };
    expect(texts(cyclic(1), cyclic(2))).toEqual(['/n changed']);
    const doubled = (leaf: number): unknown => {
      let value: unknown = { leaf };
      for (let depth = 0; depth < 60; depth++) value = { left: value, right: value };
      return value;
    };
    // As many as are wanted, of 2 ** 60.
    expect(texts(doubled(1), doubled(2))).toHaveLength(1_000);
    expect(texts(doubled(1), doubled(1))).toEqual([]);
  });

  it('are found at each place of an object', () => {
    const context = (email: string): object => {
      const item = { email };
      return { records: [item], currentItem: item };
    };
    expect(texts(context('a'), context('b'))).toEqual(['/records/0/email changed', '/currentItem/email changed']);
  });

  it('are compared by time for dates, and by kind for others', () => {
    expect(texts({ at: new Date(1), list: [] }, { at: new Date(1), list: {} })).toEqual(['/list changed']);
    expect(texts(new Date(1), new Date(2))).toEqual([' changed']);
  });

  it('are at most as many as wanted', () => {
    const many = (value: number): object => Object.fromEntries(Array.from({ length: 99 }, (_, at) => [at, value]));
    expect(contextDifferences(many(1), many(2), { limit: 5 })).toHaveLength(5);
  });

  it('are none exactly for equal JSON, and mirrored when mirrored', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    const mirrored = { added: 'removed', removed: 'added', changed: 'changed', moved: 'moved', unknown: 'unknown' };
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(texts(one, structuredClone(one))).toEqual([]);
        const found = contextDifferences(one, other);
        expect(contextDifferences(other, one).map(({ kind }) => mirrored[kind])).toHaveLength(found.length);
      }),
    );
  });
});

describe('what is volatile', () => {
  const before = { requestId: 'a', records: [{ id: 1, updatedAt: 1, data: { n: 1, requestId: 'b' } }] };
  const now = { requestId: 'c', records: [{ id: 1, updatedAt: 2, data: { n: 2, requestId: 'd' } }] };

  it.each<[string[], string[]]>([
    [[], ['/requestId', '/records/0/updatedAt', '/records/0/data/n', '/records/0/data/requestId']],
    [['/records/*/updatedAt'], ['/requestId', '/records/0/data/n', '/records/0/data/requestId']],
    [['/requestId'], ['/records/0/updatedAt', '/records/0/data/n', '/records/0/data/requestId']],
    [['/**/requestId'], ['/records/0/updatedAt', '/records/0/data/n']],
    [['/records/*/*', '/*'], ['/requestId']],
    [['/records/0/data'], ['/requestId', '/records/0/updatedAt']],
    [
      ['records', '/', '/*/0/x'],
      ['/requestId', '/records/0/updatedAt', '/records/0/data/n', '/records/0/data/requestId'],
    ],
  ])('%j is ignored', (ignored, expected) =>
    expect(contextDifferences(before, now, { ignored }).map(({ path }) => path)).toEqual(expected),
  );

  it('includes what is inside, and nothing around it', () => {
    const isVolatile = compileVolatile(['/a/*/b', '/x~1y', '/c/**/d']);
    expect(['/a/0/b', '/a/k/b/c', '/x~1y/z', '/c/d', '/c/1/2/d/e'].filter(isVolatile)).toHaveLength(5);
    expect(['', '/a', '/a/0', '/a/0/bb', '/x/y', '/c', '/d'].filter(isVolatile)).toEqual([]);
  });

  it('is offered for the same property of all items', () =>
    expect(['/records/3/updatedAt', '/a/0/1', '/a1/2b'].map(patternFor)).toEqual([
      '/records/*/updatedAt',
      '/a/*/*',
      '/a1/2b',
    ]));

  it('is read from what is stored, without anything that isn’t a pattern', () => {
    const text = JSON.stringify(['/a', '/a', '', '/', '/**', 'b', 7, null, '/x/**/y/**/z/**/w', `/${'x'.repeat(600)}`]);
    expect(parseVolatile(text)).toEqual(['/a']);
    for (const damaged of [undefined, '', '{', '{}', 'null', '"/a"']) expect(parseVolatile(damaged)).toEqual([]);
    expect(parseVolatile(JSON.stringify(Array.from({ length: 999 }, (_, at) => `/${at}`)))).toHaveLength(200);
    expect(isPattern('/*')).toBe(false);
  });
});
