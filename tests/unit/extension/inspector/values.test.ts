/** Tests that any value can be described, cut, and requested again, without running the page's code. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareRuntime, openPage, type Page } from './support/page.ts';

let page: Page;
beforeAll(async () => {
  page = await openPage({ before: bareRuntime('return value()') });
});
afterAll(() => page.close());

async function reported(source: string) {
  page.run(`value = () => (${source})`);
  const end = (await page.finish()).at(-1);
  if (end?.kind !== 'run-ended' || !end.result) throw new Error(JSON.stringify(end));
  return end.result;
}

describe('a value', () => {
  it.each([
    ['null', { t: 'null' }],
    ['NaN', { t: 'number', v: 'NaN' }],
    ['-0', { t: 'number', v: '-0' }],
    ['-Infinity', { t: 'number', v: '-Infinity' }],
    ['Symbol("s")', { t: 'symbol', v: 'Symbol(s)' }],
    ['new Date(0)', { t: 'date', v: '1970-01-01T00:00:00.000Z' }],
    ['new Date("x")', { t: 'date', v: 'Invalid Date' }],
    ['/a\\/b/gi', { t: 'regexp', v: '/a\\/b/gi' }],
    ['(a, b) => a + b', { t: 'function', v: '(a, b) => a + b' }],
    ['[1, , 3]', { t: 'array', length: 3, items: [{ v: 1 }, { t: 'undefined' }, { v: 3 }] }],
    [
      'new Map([["k", 1], [Symbol("y"), 2]])',
      {
        t: 'object',
        name: 'Map',
        size: 2,
        entries: [
          ['k', { v: 1 }],
          ['Symbol(y)', { v: 2 }],
        ],
      },
    ],
    ['new Set([{ a: 1 }])', { t: 'object', name: 'Set', size: 1, entries: [['0', { t: 'object' }]] }],
    [
      'new Uint8Array([7, 8])',
      {
        t: 'object',
        name: 'Uint8Array',
        size: 2,
        entries: [
          ['0', { v: 7 }],
          ['1', { v: 8 }],
        ],
      },
    ],
    ['new ArrayBuffer(3)', { t: 'object', name: 'ArrayBuffer(3)' }],
    ['new (class Point { x = 1 })', { t: 'object', name: 'Point', size: 1, entries: [['x', { v: 1 }]] }],
    ['Object.assign(Object.create(null), { a: 1 })', { t: 'object', size: 1 }],
    ['({ __proto__: { inherited: 1 }, own: 2 })', { size: 1, entries: [['own', { v: 2 }]] }],
    ['new Proxy({}, { ownKeys() { throw new Error("hidden") } })', { t: 'unreadable', message: 'hidden' }],
    ['[new Proxy([], { getOwnPropertyDescriptor() { throw 1 } })]', { t: 'array', items: [{ t: 'array', length: 0 }] }],
    [
      'Object.assign(document.createElement("p"), { id: "i", className: "a b" })',
      { t: 'node', v: '<p id="i" class="a b">' },
    ],
    [
      '({ get then_() { called = true; return 1 } })',
      { entries: [['then_', { t: 'unreadable', message: 'getter, not called' }]] },
    ],
  ])('%s', async (source, expected) => {
    page.run('called = false');
    expect(await reported(source)).toMatchObject(expected);
    expect(page.run('called')).toBe(false);
  });

  it('that is an error has its name, message, and stack', async () => {
    const error = await reported('new TypeError("bad")');
    expect(error).toMatchObject({ t: 'error', name: 'TypeError', message: 'bad' });
    expect((error as { stack: string }).stack).toContain('TypeError: bad');
  });

  it('that is an error with hostile properties is reported too', async () => {
    expect(
      await reported(
        'Object.defineProperties(new Error("m"), { stack: { get() { throw 1 } }, name: { get() { throw 2 } }, message: { value: {} } })',
      ),
    ).toMatchObject({ t: 'error', name: 'Error', message: '', stack: '' });
  });

  it('that is wide is cut, and its handle provides the rest', async () => {
    const value = await reported('Array.from({ length: 50000 }, (_, i) => i)');
    if (value.t !== 'array') throw new Error(value.t);
    expect(value.length).toBe(50_000);
    expect(value.items.length).toBeLessThan(5_000);
    const more = page.agent('expand', value.handle!, 49_998, 10);
    expect(more).toMatchObject({ t: 'array', length: 50_000, items: [{ v: 49_998 }, { v: 49_999 }] });
    expect(page.agent('expand', 1, 0, 10)).toBeNull();
    expect(page.agent('text', 1, 0, 10)).toBeNull();
  });

  it('of one of the last ten runs can be requested, and older ones are released', async () => {
    const handles: number[] = [];
    for (let run = 0; run < 12; run++)
      handles.push(((await reported('Array(60_000).fill(7)')) as { handle: number }).handle);
    const items = handles.map((handle) => page.agent('expand', handle, 59_999, 1));
    expect(items.map((one) => one !== null)).toEqual([
      ...Array<boolean>(2).fill(false),
      ...Array<boolean>(10).fill(true),
    ]);
  });

  it('that is deep is cut, and a handle provides each deeper level', async () => {
    let value = await reported('Array.from({ length: 30 }).reduce((inner) => ({ inner }), "core")');
    let levels = 0;
    while (value.t === 'object') {
      if (value.entries.length === 0) value = page.agent('expand', value.handle!, 0, 10)!;
      if (value.t !== 'object') break;
      value = value.entries[0]![1];
      levels++;
    }
    expect(levels).toBe(30);
    expect(value).toMatchObject({ v: 'core' });
  });

  it('with a million properties and keys of 6 MB is reported within limits', async () => {
    const value = await reported(
      'Object.fromEntries([["k".repeat(6e6), 1], ...Array.from({ length: 1000 }, (_, i) => ["x".repeat(500) + i, "y".repeat(500)])])',
    );
    if (value.t !== 'object') throw new Error(value.t);
    expect(value.size).toBe(1_001);
    expect(value.entries[0]![0]).toHaveLength(1_001);
    expect(JSON.stringify(value).length).toBeLessThan(100_000);
  });

  it('that is a cut string never ends within a surrogate pair', async () => {
    const value = await reported('"a" + "😀".repeat(40000)');
    if (value.t !== 'string') throw new Error(value.t);
    expect(value.v.isWellFormed()).toBe(true);
    expect(value.v + page.agent('text', value.handle!, value.v.length, 100_000)).toBe(`a${'😀'.repeat(40_000)}`);
  });
});
