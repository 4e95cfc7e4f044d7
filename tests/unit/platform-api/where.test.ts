import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { whereMismatches } from '../../../lib/platform-api/where.ts';

const matches = (where: object, record: object): boolean =>
  whereMismatches(where as Record<string, unknown>, record as Record<string, unknown>).length === 0;
const log = {
  type: 'dataSource.entry.create',
  dataSourceId: 503,
  sessionId: null,
  data: { columns: ['a', 'b'], by: { role: 'admin', age: 30 } },
};

describe('a where filter matches when each of its fields equals the record’s, deeply for objects', () => {
  it.each<[object, boolean]>([
    [{}, true],
    [{ type: 'dataSource.entry.create' }, true],
    [{ type: 'dataSource.entry.create', dataSourceId: 503 }, true],
    [{ type: 'dataSource.entry.create', dataSourceId: 504 }, false],
    [{ dataSourceId: '503' }, false],
    [{ data: {} }, true],
    [{ data: { by: { role: 'admin' } } }, true],
    [{ data: { by: { role: 'admin', age: 31 } } }, false],
    [{ data: { by: 'admin' } }, false],
    [{ data: { columns: ['a', 'b'] } }, true],
    [{ data: { columns: ['a'] } }, false],
    [{ data: { columns: { 0: 'a' } } }, false],
    [{ sessionId: null }, true],
    [{ appNotificationId: null }, true],
    [{ appNotificationId: 1 }, false],
    [{ constructor: null }, true],
    [{ toString: {} }, false],
    [JSON.parse('{"__proto__":{}}') as object, false],
  ])('%j: %s', (where, expected) => expect(matches(where, log)).toBe(expected));

  it('reports each field that doesn’t match, with the expected and the found value', () => {
    expect(whereMismatches({ type: 'x', data: { by: { 'ro/le': 1 } }, dataSourceId: 503 }, log)).toEqual([
      { path: '/type', expected: 'x', found: 'dataSource.entry.create' },
      { path: '/data/by/ro~1le', expected: 1, found: null },
    ]);
  });

  it('matches any record with its own fields', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => matches(record, record)));
  });
});
