/** Compares each operator, method, and global of conditions with JavaScript, and checks limits and messages. */
import { runInThisContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { ConditionError, compileCondition } from '../../../lib/pipeline/index.ts';

const CONTEXT = {
  text: ' Ab-aB ',
  word: 'banana',
  e: 'e\u0301',
  list: [3, 1, 2, 1],
  nested: [[1, [2, [3]]], [4]],
  n: 4.14159,
  big: 1234.5,
  yes: true,
  no: false,
  none: null,
  missing: undefined,
  id: 7,
  key: 'b',
  index: 1,
  at: new Date(Date.UTC(2026, 10, 20, 13, 14, 15, 678)),
  early: new Date(Date.UTC(1999, 1, 3, 4, 5, 6, 7)),
  pattern: /a(n)/,
  every: /a(n)/g,
  big10: 10n,
  err: Object.assign(new TypeError('bad', { cause: 'c' }), { code: 7 }),
  plainError: new RangeError(),
  map: new Map([['a', 1]]),
  set: new Set([1, 2]),
  url: new URL('https://me:pw@example.com:8080/p?q=1#h'),
  search: new URLSearchParams('a=1&b=2'),
  bytes: new Uint16Array([7, 8]),
  buffer: new ArrayBuffer(8),
  view: new DataView(new ArrayBuffer(8), 2),
  blob: new Blob(['abc'], { type: 'text/plain' }),
  file: new File(['abc'], 'a.txt', { lastModified: 5 }),
  response: new Response('x', { status: 404, statusText: 'Not found' }),
  request: new Request('https://example.com/', { method: 'PUT' }),
  dom: new DOMException('no', 'AbortError'),
  symbol: Symbol('s'),
  let: 1,
  static: { yield: 2 },
  yield: 3,
  await: 4,
  implements: 5,
  interface: 6,
  package: 7,
  private: 8,
  protected: 9,
  public: 10,
  async: 11,
  of: 12,
  get: 13,
  set2: 14,
  arguments: 15,
  o: {
    f: null,
    g: undefined,
    a: { b: [{ c: { d: { e: { f: 'deep' } } } }] },
    zero: 0,
    empty: '',
    none: null,
    b: 'B',
    hasOwnProperty: 5,
  },
};

const inJavaScript = (source: string): unknown =>
  (runInThisContext(`(function (c) { with (c) { return (${source}); } })`) as (context: object) => unknown)(CONTEXT);
const evaluate = (source: string, context: object = CONTEXT): unknown =>
  compileCondition(source)(context as Record<string, unknown>);
function failing(source: string, context: object = CONTEXT): ConditionError {
  try {
    evaluate(source, context);
  } catch (thrown) {
    if (thrown instanceof ConditionError) return thrown;
  }
  throw new Error(`${source} didn’t fail.`);
}

const matchesJavaScript = (sources: readonly string[]) =>
  test.each(sources)('%s', (source) => expect(evaluate(source)).toEqual(inJavaScript(source)));

describe('operators', () => {
  matchesJavaScript([
    'id + 1',
    'word + 1',
    '1 + word',
    'id - 2',
    'id * 2',
    'id / 2',
    'id % 4',
    '2 ** 3 ** 2',
    '(2 ** 3) ** 2',
    'id == "7"',
    'id != "7"',
    'id === "7"',
    'id !== "7"',
    'id !== 7',
    'id != 7',
    'id <= 6',
    'id >= 8',
    'none == missing',
    'none === missing',
    'id < 7',
    'id <= 7',
    'id > 7',
    'id >= 7',
    'id < 8',
    'id > 6',
    '"b" < "a"',
    'none ?? 1',
    'o.zero ?? 1',
    'missing ?? none ?? 2',
    'o.zero || 5',
    'id || 5',
    'o.zero && 5',
    'id && 5',
    'no || none || 0',
    '!id',
    '!o.zero',
    '!!word',
    '-id',
    '- -id',
    '+"12"',
    '+yes',
    'typeof id',
    'typeof none',
    'typeof missing',
    'typeof yes',
    'typeof word',
    'void id',
    '"a" in o',
    '"x" in o',
    '1 in list',
    'index in list',
    '9 in list',
    '1 + 2 * 3',
    '(1 + 2) * 3',
    '10 - 4 - 3',
    '100 / 10 / 2',
    '2 * 3 % 4',
    '1 + 2 < 4 === yes',
    'no && no || yes',
    'no || yes && no',
    'no && (no || yes)',
    '1 - -1',
    'id > 3 && id < 9 || none',
    'yes ? no ? 1 : 2 : 3',
    'no ? 1 : yes ? 2 : 3',
    '(none ?? no) || 4',
    'none ?? (no || 4)',
    '-(2 ** 2)',
    'typeof id === "number"',
    '!no === yes',
    '1 < 2 == 2 > 1',
    '"" + none + missing + [1, 2] + 1.50',
  ]);
});

describe('numbers, strings, and names', () => {
  matchesJavaScript([
    '0x1F',
    '0X1f',
    '0b101',
    '0B1',
    '0o17',
    '0O7',
    '1_000_000',
    '0.5',
    '.5',
    '5.',
    '0',
    '1e3',
    '1E+2',
    '12e-1',
    '1.5e1_0',
    '0xA_B',
    '0b1_0',
    '0o1_7',
    '1.2_5',
    String.raw`'a\'b'`,
    String.raw`"a\"b"`,
    String.raw`'\x41\u0042\u{43}\u{1F600}'`,
    String.raw`'\n\t\r\b\v\f\0'`,
    String.raw`'\q\-'`,
    "'a\\\nb'",
    "'a\\\r\nb'",
    "'a\\\u2028b'",
    '"\'"',
    "'\"'",
    "''",
    String.raw`'\\'`,
    '`a${id}b${word}c`',
    '`${id}`',
    '`a`',
    '``',
    '`a\nb`',
    '`a\r\nb`',
    '`a\rb`',
    String.raw`'\0a'`,
    '`\\``',
    '`$`',
    '`$a`',
    '`\\${id}`',
    '`{}`',
    '`${{a: 1}.a}`',
    '`${`${`x`}`}`',
    '`${list.map(x => `<${x}>`).join(``)}`',
    'yes // why\n && 1',
    '/* a */ id /* b\n */ + /**/ 1',
    'id\t\n+\u00a01',
    'NaN',
    'Infinity',
    '-Infinity',
    'true',
    'false',
    'null',
    'undefined',
    '[1, 2, 3]',
    '[]',
    '[1,]',
    '[...list, ...word, 9]',
    '[[1], [2]][1][0]',
    '({a: 1, "b": 2, 3: 4, [key]: 5, id, ...o, word})',
    '({a: 1, ...none, b: 2})',
    '({})',
    '({a: {b: {}}})',
    '({1_0: 1})',
    '({if: 1, true: 2}).true',
    '({"__x": 1})',
    '({a: 1,})',
    '({...word})',
    '({...list})',
  ]);
});

describe('members', () => {
  matchesJavaScript([
    'o.a',
    'o.a.b',
    'o.a.b[0]',
    'o.a.b[0].c',
    'o.a.b[0].c.d',
    'o.a.b[0].c.d.e',
    'o.a.b[0].c.d.e.f',
    'o["a"]["b"][0]["c"]',
    'o[key]',
    'list[index]',
    'list[0]',
    'list["1"]',
    'list[9]',
    'list.length',
    'word.length',
    'word[1]',
    'word[key]',
    'list[-1]',
    'list[0.5]',
    'nested[0][1][1][0]',
    '[1, 2][1]',
    '"abc"[1]',
    '({a: {b: 1}}).a.b',
    'list.at(-1)',
    'list[index + 1]',
    'o.x',
    '(o.a).b',
    '[o][0].b',
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10][1_0]',
    'list[0x1]',
    'o["zero"]',
    'o?.b',
    'o?.a.b',
    'o?.a?.b',
    'o?.["b"]',
    'o?.[key]',
    'o.x?.y',
    'o.x?.y.z',
    'o.x?.[key]',
    'o.x?.y()',
    'o.none?.y',
    'none?.x',
    'none?.x.y.z',
    'none?.[key].x',
    'none?.(1)',
    'missing?.x ?? 1',
    '(none?.x) === undefined',
    'o.b?.toLowerCase()',
    'o.b?.toLowerCase().length',
    'o?.b.toLowerCase()',
    'list?.map(x => x)?.length',
    'o.x?.y?.z',
    'o?.a.b[0].c',
    'word.trim?.()',
    'word?.trim?.().length',
    'word.nothing?.()',
    'word.nothing?.().x.y',
    'none?.a(none.b)',
    'o.a?.b?.[0]?.c?.d',
    'list?.[0]',
    'list?.[index] + 1',
    'yes ?.5 : 1',
    'o.a ?. b',
    '[none][0]?.x',
    'list.find(x => x > 9)?.x',
    'list.find(x => x > 1).toFixed?.(1)',
    'o.f?.()',
    'o.g?.()',
    'o?.f?.()',
    'o.f?.().x.y',
    'o["f"]?.()',
    'o[key === "b" ? "f" : 0]?.()',
    'o.f?.(none.x)',
    '(o.f)?.()',
    'o.none?.a()',
  ]);
  test.each(['o.b?.()', 'map.get?.("a")', 'o.toString?.()', 'o.run?.()', 'map.get("a")'])(
    '%s, which JavaScript would call or refuse, fails',
    (source) =>
      expect(failing(source, { ...CONTEXT, o: { b: 'B', run: () => 1 } })).toMatchObject({
        code: 'CONDITION_FAILED',
        expression: source,
      }),
  );
  test('a symbol is a property name for in, but not a string', () =>
    expect(evaluate('key in o', { key: Symbol.iterator, o: { [Symbol.iterator]: 1 } })).toBe(true));
  test('an own property may have a name that all objects have', () => expect(evaluate('o.hasOwnProperty')).toBe(5));
  test('a condition can check for own properties', () =>
    expect(evaluate('[list.hasOwnProperty("length"), list.hasOwnProperty("map"), word.hasOwnProperty(0)]')).toEqual([
      true,
      false,
      true,
    ]));
  test.each([
    'f',
    'o.f',
    'o.o.f',
    'o.o.o.f',
    'o.o.o.o.f',
    'list[0]',
    'o.list[0]',
    'o["f"]',
    'o[key]',
    'o?.f',
    'o?.[key]',
    '[f][0]',
    '[...list][0]',
    'list.at(0)',
    'list.map(x => x)[0]',
    'list.find(x => true)',
    'o.list.map(x => x).at(0)',
    'list.map(f => [f].map(x => f)[0])[0]',
    'list.reduce(x => x)',
    'Object.values(o)[0]',
  ])('a function of the context is not seen as %s', (source) => {
    const o: Record<string, unknown> = { f: () => 1, list: [() => 1] };
    o.o = o;
    expect(evaluate(source, { f: () => 1, list: [() => 1], o, key: 'f' })).toBeUndefined();
  });
  test.each(['list[0]', 'o.list[0]', 'o.o.list[0]'])(
    'a function that conditions may call stays one in %s',
    (source) => {
      const o: Record<string, unknown> = { list: [evaluate('Boolean')] };
      o.o = o;
      expect(evaluate(`${source}(0)`, { o, list: o.list })).toBe(false);
    },
  );
});

describe('properties that built-in values inherit', () => {
  matchesJavaScript([
    '[err.name, err.message, err.code, err.cause, typeof err.stack]',
    '[plainError.name, plainError.message, plainError.cause]',
    'err["name"] === "TypeError" && err?.name.length === 9 && err[["na"][0] + "me"]',
    '[map.size, set.size, search.size]',
    '[/a/g.flags, /a/g.source, /a/g.global, /a/g.lastIndex, pattern.flags, every.sticky, pattern.unicodeSets]',
    '[/a/.ignoreCase, /a/.multiline, /a/s.dotAll, /a/u.unicode, /a/d.hasIndices]',
    '[url.href, url.origin, url.protocol, url.username, url.password, url.host, url.hostname, url.port]',
    '[url.pathname, url.search, url.hash]',
    '[bytes.length, bytes.byteLength, bytes.byteOffset, bytes[1], buffer.byteLength]',
    '[view.byteLength, view.byteOffset]',
    '[blob.size, blob.type, file.name, file.size, file.lastModified]',
    '[response.status, response.statusText, response.ok, response.url, response.type, response.redirected]',
    '[request.url, request.method]',
    '[dom.name, dom.message, dom.code]',
    'symbol.description',
    '["size" in map, "name" in err, "flags" in pattern, "nope" in map, "size" in o]',
    '[map, set].map(x => x.size)',
    '[map.nope, err.nope, list.nope, word.nope, id.nope, symbol.nope, at.nope]',
    'map?.size + (none?.size ?? 1)',
    // oxlint-disable-next-line no-template-curly-in-string -- a template of the condition
    '`${err.name}: ${err.message}`',
  ]);
  class Shape {
    own = 1;
    get area(): number {
      throw new Error('This ran.');
    }
    method(): number {
      return 1;
    }
  }
  class Sized extends Map {
    override get size(): number {
      throw new Error('This ran.');
    }
  }
  class Pattern extends RegExp {
    override get global(): boolean {
      throw new Error('This ran.');
    }
  }
  test('other getters and values of a class aren’t read, and say so', () => {
    const values = {
      shape: new Shape(),
      sized: new Sized(),
      response: new Response('x'),
      tagged: Object.create({ tag: 1 }),
    };
    for (const [source, name] of [
      ['shape.area > 1', 'area'],
      ['sized.size', 'size'],
      ['response.body', 'body'],
      ['tagged.tag', 'tag'],
      ['"area" in shape', 'area'],
    ] as const)
      expect(failing(source, values)).toMatchObject({
        code: 'CONDITION_FAILED',
        message: `${source} failed: Conditions can’t read “${name}”, which the object inherits from its class.`,
      });
    expect(evaluate('[shape.own, shape.method, shape.toString, shape.nope]', values)).toEqual([1, ...Array(3)]);
  });
  test('the flags of a regular expression are read without the getters of its class', () =>
    expect(evaluate('pattern.flags', { pattern: new Pattern('a', 'gi') })).toBe('gi'));
  test('a class of errors can name its errors', () => {
    class Refused extends Error {}
    Refused.prototype.name = 'Refused';
    expect(evaluate('error.name', { error: new Refused() })).toBe('Refused');
  });
});

describe('names that are reserved only in strict code', () => {
  matchesJavaScript([
    'let + yield + await + arguments',
    'static.yield === 2',
    'implements + interface + package + private + protected + public',
    'async + of + get + set2',
    '{let, yield, x: await}.let',
    '{static: 1}.static + [let, static].length',
    'list.map(let => let + 1)',
    'list.map((yield, await) => yield + await)',
    'list.map(static => static * public)',
    'typeof let + -yield',
    '`${await}`',
    'await [0] === undefined',
    'let ? yield : await',
    '"yield" in static',
  ]);
  test('are undefined if the context doesn’t have them', () =>
    expect(evaluate('[let, static, yield, await, arguments]', {})).toEqual(Array(5)));
});

describe('arrow functions', () => {
  matchesJavaScript([
    'list.some((x => x > 2))',
    'list.filter(((x) => x > 1)).length',
    'list.map((((x, i) => x + i)))',
    'list.reduce(((sum, x) => sum + x), 0)',
    'list.map( ( /* a */ (x /* b */ , i, ) /* c */ => (x) ) )',
    'list.map((x => list.filter((y => y > x)).length))',
    'list.map((x => (x)), (1))',
    'list.map(x => ((x)))',
    'Array.from(list, (x => x + 1))',
  ]);

  matchesJavaScript([
    'list.map(x => x)',
    'list.map((x) => x + 1)',
    'list.map((x, i) => [x, i])',
    'list.map(() => 1)',
    'list.map((x,) => x)',
    'list.map(x => [1].map(y => x + y))',
    'list.map(x => [5].map(x => x))',
    'nested.map(x => x.map((y, i) => [1].map(z => [x.length, y, i, z])))',
    'list.map(x => ({x, y: x}))',
    'list.filter(x => x > index)',
    'list.map(id => id)',
    'list.map(id => 1) && id',
    'list.map((id, word) => 1).length + word',
    'list.map((word, id) => word + id)',
    'list.map($ => $)',
    'list.map(größe => größe)',
    '[...list].sort((a, b) => b - a)',
    'list.reduce((a, b) => a * 10 + b)',
    'list.map((x,\n i) => x * i)',
    'list.map( x =>x)',
    'list.map(x => list.map(y => x * y).length)',
  ]);
});

describe('methods of strings', () => {
  matchesJavaScript([
    'word.at(-1)',
    'word.charAt(2)',
    'word.charCodeAt(1)',
    'word.codePointAt(2)',
    'word.concat("!", 1)',
    'word.endsWith("na")',
    'word.includes("nan")',
    'word.indexOf("n")',
    'word.indexOf("n", 3)',
    'word.lastIndexOf("n")',
    '"a".localeCompare("b")',
    'word.match(pattern)[1]',
    'word.match(every)',
    '[...word.matchAll(every)].length',
    'e.normalize()',
    'e.normalize("NFC").length',
    'word.padEnd(9, "-")',
    'word.padStart(9, "-")',
    'word.padEnd(8)',
    'word.padStart(8) + "|"',
    'word.padStart("9", ".")',
    'word.padStart(2)',
    'word.repeat(2)',
    'word.repeat("2")',
    'word.repeat(0)',
    'word.replace("a", "o")',
    'word.replace(every, "<$1>")',
    'word.replace(pattern, x => x.toUpperCase())',
    'word.replaceAll("a", "o")',
    'word.replaceAll(every, "-")',
    'word.search(pattern)',
    'word.search(/z/)',
    'word.slice(1, 3)',
    'word.slice(-2)',
    'word.split("n")',
    'word.split("")',
    'word.split(/n/)',
    'word.split("n", 1)',
    'word.split()',
    'word.startsWith("ba")',
    'word.substring(4, 1)',
    'word.substr(1, 2)',
    'text.toLowerCase()',
    'text.toUpperCase()',
    'text.toLocaleLowerCase()',
    'text.toLocaleUpperCase()',
    'text.trim()',
    'text.trimStart()',
    'text.trimEnd()',
    'word.toString()',
    'word.valueOf()',
    '"a.b".replace(".", "x")',
    '"aXbX".replaceAll("X", "$&$&")',
  ]);
});

describe('methods of numbers, booleans, dates, and regular expressions', () => {
  matchesJavaScript([
    'n.toFixed(2)',
    'n.toPrecision(3)',
    'big.toExponential(1)',
    'id.toString(2)',
    'big.toLocaleString("en")',
    'n.valueOf()',
    '5..toFixed(1)',
    'yes.toString()',
    'no.valueOf()',
    'yes.valueOf()',
    ...[
      'toISOString',
      'toJSON',
      'toString',
      'toDateString',
      'toTimeString',
      'toUTCString',
      'toLocaleString',
      'toLocaleDateString',
      'toLocaleTimeString',
      'valueOf',
      'getTime',
      'getTimezoneOffset',
    ].map((name) => `at.${name}()`),
    ...['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'].flatMap((part) => [
      `early.get${part}()`,
      `at.getUTC${part}()`,
    ]),
    'pattern.test(word)',
    '/z/.test(word)',
    'pattern.exec(word)[1]',
    'pattern.exec("z")',
    'every.toString()',
    '/a+/gi.toString()',
    '/[/\\]]/.test("/")',
    '/\\//.test("/")',
    '/^(?<y>\\d{4})-/u.exec("2026-11").groups.y',
    '/(?:ab)+/.test("abab")',
    '/a{2}/.test("aa")',
    '/(a|b)*c/.test("abc")',
  ]);
});

describe('methods of arrays', () => {
  matchesJavaScript([
    'list.at(1)',
    'list.concat(4, [5], [[6]])',
    '[...list.entries()]',
    'list.every(x => x > 0)',
    'list.every(x => x > 1)',
    'list.filter(x => x === 1)',
    'list.find(x => x < 3)',
    'list.findIndex(x => x === 1)',
    'list.findLast(x => x === 1)',
    'list.findLastIndex(x => x === 1)',
    'list.forEach(x => x)',
    'list.includes(2)',
    'list.includes(3, 1)',
    'list.indexOf(1)',
    'list.indexOf(1, 2)',
    'list.join()',
    'list.join("-")',
    'list.join("")',
    'list.join(none)',
    '[...list.keys()]',
    'list.lastIndexOf(1)',
    'list.map(String)',
    'list.reduce((a, x) => a + x, "")',
    'list.reduceRight((a, x) => a + x, "")',
    'list.slice(1)',
    'list.slice(1, 2)',
    'list.some(x => x === 2)',
    'list.some(x => x === 9)',
    'list.toReversed()',
    'list.toSorted()',
    'list.toSorted((a, b) => b - a)',
    'list.toSpliced(1, 2, 9, 8)',
    'list.toString()',
    'list.toLocaleString()',
    '[...list.values()]',
    'list.with(0, 9)',
    '[...list].sort()',
    '[...list].reverse()',
    '[10, 9, 1].sort()',
    'nested.flat()',
    'nested.flat(0)',
    'nested.flat(2)',
    'nested.flat(Infinity)',
    'nested.flat("1")',
    'nested.flat(missing)',
    'list.flatMap(x => [x, [x]])',
    'list.flatMap(x => x)',
    '[[]].flat()',
    'nested.join(";")',
  ]);
  test('array holes are skipped where JavaScript skips them', () =>
    expect(evaluate('list.flat()', { list: Object.assign([1], { 3: Object.assign([2], { 2: 3 }) }) })).toEqual([
      1, 2, 3,
    ]));
});

describe('JSON.stringify with a replacer and an indent', () => {
  const values = {
    tree: { b: 1, a: { c: 2, b: [{ a: 1, z: 2 }], 1: 'one' }, 1: 0, at: new Date(0), fn: () => 1, none: undefined },
    boxed: [Object('a'), Object(1), Object(true)],
    frozen: Object.freeze({ b: 1, a: 2 }),
    loop: {} as Record<string, unknown>,
    kinds: [new RangeError('Too far.'), new DOMException('Late.', 'TimeoutError'), new Map([[1, 2]]), /a/g],
  };
  values.loop.a = values.loop;
  test.each([
    'JSON.stringify(tree, ["b", "a"])',
    'JSON.stringify(tree, ["a", "b", 1, "a"])',
    'JSON.stringify(tree, ["b", "1", "a"])',
    'JSON.stringify(tree, ["b", null, {}, undefined, true])',
    'JSON.stringify(tree, [])',
    'JSON.stringify(tree, ["at", "fn", "none"])',
    'JSON.stringify([tree, [tree]], ["c", "a"], 2)',
    'JSON.stringify(tree, ["toString", "__proto__x"])',
    'JSON.stringify(frozen, ["b", "a"])',
    'JSON.stringify(boxed, ["a"])',
    'JSON.stringify(kinds, ["name", "message", "toString", "size", "flags"])',
    'JSON.stringify(1, ["a"])',
    'JSON.stringify("x", null, 2)',
    'JSON.stringify(tree, null, 2)',
    'JSON.stringify(tree, undefined, "--")',
    'JSON.stringify(tree, {}, 20)',
    'JSON.stringify(tree, (key, value) => key === "a" ? undefined : value)',
    'JSON.stringify(tree, ((key, value) => typeof value === "number" ? value + 1 : value), 1)',
    'JSON.stringify({x: [1, 2]}, (key, value) => key === "1" ? "one" : value)',
    'JSON.stringify(undefined, ["a"])',
  ])('%s', (source) => {
    const names = Object.keys(values);
    const native = runInThisContext(`(({${names.join(',')}}) => (${source}))`) as (context: object) => unknown;
    expect(evaluate(source, values)).toBe(native(values));
  });
  test('a cycle is refused', () =>
    expect(failing('JSON.stringify(loop, ["a"])', values).message).toMatch(/circular|cyclic/i));
  test('a key of the list that conditions can’t read is refused', () => {
    const tagged: unknown = Object.create({ tag: 1 });
    expect(failing('JSON.stringify(tagged, ["tag"])', { tagged }).message).toMatch('Conditions can’t read “tag”');
  });
});

describe('BigInt values', () => {
  test.each([
    'big10 === big10',
    'typeof big10',
    'big10 > 9',
    'big10 == 10',
    '-big10',
    'big10 * big10',
    '!big10',
    'big10 + ""',
  ])('%s', (source) => expect(evaluate(source)).toEqual(inJavaScript(source)));
  test.each([
    '+big10',
    'big10 + 1',
    'big10 * 2.5',
    'big10 / (big10 - big10)',
    'Math.max(big10)',
    'JSON.stringify(big10)',
  ])('%s fails, as in JavaScript', (source) => {
    expect(() => inJavaScript(source)).toThrow();
    expect(failing(source)).toMatchObject({
      code: 'CONDITION_FAILED',
      message: expect.stringContaining(source) as string,
    });
  });
  test('have no literals', () => expect(() => evaluate('+10n')).toThrow('Conditions don’t support BigInt literals.'));
});

describe('the safe list', () => {
  matchesJavaScript([
    ...Object.getOwnPropertyNames(Math)
      .filter((name) => name !== 'random')
      .map((name) =>
        typeof Reflect.get(Math, name) === 'function'
          ? `Math.${name}(${name.startsWith('a') ? 0.5 : 1.7}, 2)`
          : `Math.${name}`,
      )
      .filter((source) => !source.includes('sumPrecise')),
    'JSON.parse("{\\"a\\": [1]}").a',
    'JSON.parse("[1, 2]", (k, v) => k === "0" ? 5 : v)',
    'JSON.stringify(o.a)',
    'JSON.stringify({a: 1, b: {a: 2, c: 3}}, ["a"])',
    'JSON.stringify({a: 1, b: [{a: 2, c: 3}]}, ["b", "c"])',
    'JSON.stringify({1: 2, b: 3}, [1])',
    'JSON.stringify([1, {a: 2}], null, 2)',
    'JSON.stringify({a: 1}, none, "--")',
    'JSON.stringify({a: 1, b: 2}, (k, v) => k === "a" ? missing : v)',
    'JSON.stringify({"": 1, a: 2}, ["a"])',
    'Object.keys(o)',
    'Object.values({a: 1, b: 2})',
    'Object.entries({a: 1})',
    'Date.UTC(2026, 1)',
    'Date.parse("2026-11-20")',
    'Date.now() > 0',
    'Number("12")',
    'Number.isFinite("1")',
    'Number.isFinite(1)',
    'Number.isInteger(1.5)',
    'Number.isInteger(2)',
    'Number.isNaN("x")',
    'Number.isNaN(NaN)',
    'Number.isSafeInteger(2 ** 53)',
    'Number.parseFloat("1.5x")',
    'Number.parseInt("12x")',
    'Number.EPSILON',
    'Number.MAX_SAFE_INTEGER',
    'Number.MIN_SAFE_INTEGER',
    'Number.MAX_VALUE',
    'Number.MIN_VALUE',
    'Number.NaN',
    'Number.POSITIVE_INFINITY',
    'Number.NEGATIVE_INFINITY',
    'String(12)',
    'String(none)',
    'String.fromCharCode(65, 66)',
    'String.fromCodePoint(128512)',
    'Boolean("x")',
    'Boolean(0)',
    'Array(3).length',
    'Array(1, 2)',
    'Array("3")',
    'Array()',
    'Array.of(7)',
    'Array.isArray(list)',
    'Array.isArray(word)',
    'Array.from(word)',
    'Array.from({length: 3}, (x, i) => i * 2)',
    'Array.from(list, x => x + 1)',
    'Array.from({length: 2})',
    'Array.from({})',
    'Array.from({length: "2"})',
    'isNaN("x")',
    'isNaN("1")',
    'parseInt("12px")',
    'parseInt("ff", 16)',
    'parseFloat("2.5kg")',
    'list.map(Number)',
    'word.split("").map(parseFloat)',
    '["1", "", "a"].filter(Boolean)',
    '["a", "b"].map(String)',
  ]);
  test('Date() is the current time as a string', () =>
    expect(Date.parse(evaluate('Date()') as string)).toBeGreaterThan(Date.now() - 2000));
  test('Math.random() is a number below 1', () => expect(evaluate('Math.random() < 1')).toBe(true));
});

describe('a failing condition names the expression and its column', () => {
  test.each<[string, string, number]>([
    ['none.x', 'Couldn’t read “x”: none is null.', 1],
    ['id + missing.x', 'Couldn’t read “x”: missing is undefined.', 6],
    ['o.x.y', 'Couldn’t read “y”: o.x is undefined.', 1],
    ['o.a.x.y', 'Couldn’t read “y”: o.a.x is undefined.', 1],
    ['o.a.b[5].c', 'Couldn’t read “c”: o.a.b[5] is undefined.', 1],
    ['list[7].a', 'Couldn’t read “a”: list[7] is undefined.', 1],
    ['o.none[0]', 'Couldn’t read 0: o.none is null.', 1],
    ['none[key]', 'Couldn’t read a member: none is null.', 1],
    ['none[key].x', 'Couldn’t read a member: none is null.', 1],
    ['o?.x.y', 'Couldn’t read “y”: o?.x is undefined.', 1],
    ['o?.none[key]', 'Couldn’t read a member: o?.none is null.', 1],
    ['none.trim()', 'Couldn’t call “trim”: none is null.', 1],
    ['o?.none.trim()', 'Couldn’t call “trim”: o?.none is null.', 1],
    ['none()', 'Couldn’t call none: none is null.', 1],
    ['id()', 'Couldn’t call id: it isn’t a function that conditions can call.', 1],
    ['o?.x()', 'Couldn’t call “x”: o doesn’t have this method, or conditions can’t call it.', 1],
    ['word.big()', 'Couldn’t call “big”: word doesn’t have this method, or conditions can’t call it.', 1],
    ['o.b?.x()', 'Couldn’t call “x”: o.b doesn’t have this method, or conditions can’t call it.', 1],
    ['word.length?.()', 'Couldn’t call “length”: word doesn’t have this method, or conditions can’t call it.', 1],
    ['[none].map(x => x.y)', 'Couldn’t read “y”: x is null.', 17],
    ['JSON.parse("{")', 'JSON.parse("{") failed: ', 1],
    ['1 + word.repeat(-1)', 'word.repeat(-1) failed: ', 5],
    ['id in word', 'id in word failed: The right side of “in” must be an object.', 1],
    ['"a" in none', '"a" in none failed: The right side of “in” must be an object.', 1],
    ['[...id]', '[...id] failed: ', 1],
    ['word.match("a")', 'word.match("a") failed: match needs a regular expression, such as /a+/.', 1],
    ['word.matchAll("a")', 'word.matchAll("a") failed: matchAll needs a regular expression, such as /a+/.', 1],
    ['word.search("a")', 'word.search("a") failed: search needs a regular expression, such as /a+/.', 1],
    ['o["con" + "structor"]', 'o["con" + "structor"] failed: Conditions can’t use the name constructor.', 1],
  ])('%s', (source, message, column) => {
    const error = failing(source);
    expect(error.message.slice(0, message.length)).toBe(message);
    expect(error).toMatchObject({ code: 'CONDITION_FAILED', column });
  });
  test('a message quotes at most 120 characters of an expression', () => {
    const name = 'n'.repeat(120);
    expect(failing(`${name}.x`).message).toBe(`Couldn’t read “x”: ${name} is undefined.`);
    expect(failing(`${name}n.x`).message).toBe(`Couldn’t read “x”: ${name}… is undefined.`);
  });
  test('only an error that was thrown becomes the cause', () => {
    expect(failing('JSON.parse("{")').cause).toBeInstanceOf(SyntaxError);
    expect(failing('"a" in none').cause).toBeInstanceOf(TypeError);
    expect('cause' in failing('none.x')).toBe(false);
  });
});

describe('operations are counted before they run', () => {
  const LIMIT_MESSAGE = 'A condition is limited to 5,000,000 operations.';
  const longList = (length: number): unknown[] => Object.assign([], { length });
  const huge = longList(5_000_001);
  const endless = longList(64 * 5_000_001);

  test.each([
    'slice()',
    'concat()',
    'concat(1)',
    'toSpliced(0, 1)',
    'toSorted()',
    'toReversed()',
    'with(0, 1)',
    'join("")',
    'sort()',
    'reverse()',
    'flat()',
    'flat(0)',
  ])('list.%s counts every item of the list', (call) => {
    expect(failing(`list.${call}`, { list: huge }).message).toContain(LIMIT_MESSAGE);
  });
  test.each([
    'entries()',
    'every(x => x)',
    'filter(x => x)',
    'find(x => x)',
    'findIndex(x => x)',
    'findLast(x => x)',
    'findLastIndex(x => x)',
    'forEach(x => x)',
    'includes(1)',
    'indexOf(1)',
    'keys()',
    'lastIndexOf(1)',
    'map(x => x)',
    'reduce((a, x) => a, 1)',
    'reduceRight((a, x) => a, 1)',
    'some(x => x)',
    'toString()',
    'toLocaleString()',
    'values()',
    'flatMap(x => x)',
  ])('list.%s counts 64 items as one operation', (call) => {
    expect(failing(`list.${call}`, { list: endless }).message).toContain(LIMIT_MESSAGE);
  });
  test('reading single items of a long array of the context is allowed', () =>
    expect(evaluate('[list.at(-1), list[0], list.length]', { list: endless })).toEqual([
      undefined,
      undefined,
      endless.length,
    ]));
  test.each([
    '[1].concat(list)',
    'Array(5000001)',
    'Array.from({length: 5000001})',
    'Array.from(list)',
    'Object.keys(o).length + Array(4999999).length',
    '[Array(2500000), Array(2500001)]',
  ])('%s', (source) => {
    expect(failing(source, { list: huge, o: { a: 1, b: 2 } }).message).toContain(LIMIT_MESSAGE);
  });
  test.each<[string, unknown]>([
    ['Array("5000001").length', 1],
    ['Array(5000001, 1).length', 2],
  ])('%s stays within the limit', (source, value) => expect(evaluate(source)).toBe(value));

  test.each([
    '"x".repeat(16777217)',
    '"xx".repeat(8388609)',
    '"x".padEnd(16777217)',
    '"x".padStart(16777217)',
    '"xx".replaceAll("x", long)',
    '"x".replaceAll("", long)',
    '"x".replace("x", long + long)',
    '[1, 2].join(long)',
    'long + long',
    '`${long}${long}`',
    '"x".padEnd("16777217")',
  ])('%s makes a string that is too long', (source) => {
    expect(failing(source, { long: 'y'.repeat(8_388_609) }).message).toContain(
      'Strings in a condition are limited to 16,777,216 characters.',
    );
  });
  test('searching a long array is allowed', () =>
    expect(evaluate('list.includes(1)', { list: longList(100_000) })).toBe(false));
  test('nested arrays count as often as they occur', () => {
    const doubled = (times: number) => () =>
      evaluate('list.reduce(a => [a, a], [1]).length', { list: Array.from({ length: times }, () => 0) });
    expect(doubled(20)()).toBe(2);
    expect(doubled(30)).toThrow(LIMIT_MESSAGE);
  });
  test('the separator of join is converted to a string once, so it can’t grow after it was measured', () => {
    let conversions = 0;
    expect(
      evaluate('[1, 2].join(between)', { between: { toString: () => (conversions++ === 0 ? '-' : 'long') } }),
    ).toBe('1-2');
  });
  test('a string may have 16,777,216 characters', () =>
    expect(evaluate('"xx".repeat(8388608).length')).toBe(16_777_216));
  test('each evaluation starts with the full limit', () => {
    const condition = compileCondition('Array(2500000).length');
    expect([condition({}), condition({})]).toEqual([2_500_000, 2_500_000]);
  });
});

describe('a refused condition says what is wrong', () => {
  test.each<[string, string, string]>([
    ['', '', 'The condition is empty.'],
    ['a = 1', '=', 'Conditions can’t assign values. Compare with == or ===.'],
    ['a += 1', '+=', 'Conditions can’t assign values. Compare with == or ===.'],
    ['a <<= 1', '<<=', 'Conditions can’t assign values. Compare with == or ===.'],
    ['a ??= 1', '??=', 'Conditions can’t assign values. Compare with == or ===.'],
    ['<= 1', '<=', 'Unexpected <=.'],
    ['a === === b', '===', 'Unexpected ===.'],
    ['"abc', '"', 'This string has no closing quote.'],
    ["'abc", "'", 'This string has no closing quote.'],
    ['a @ b', '@', 'Unexpected character “@”.'],
    ['`abc', '`', 'This template has no closing backtick.'],
    ['/abc', '/', 'This regular expression has no closing slash.'],
    ['12a', '12a', 'This number isn’t valid.'],
    ['0777', '07', 'This number isn’t valid.'],
    ['1 + "a\\8"', '\\8', 'This escape sequence isn’t valid.'],
    ['"\\u{110000}"', '\\u{110000}', 'This escape sequence isn’t valid.'],
    ['"\\01"', '\\0', 'This escape sequence isn’t valid.'],
    ['"\\x4"', '\\x', 'This escape sequence isn’t valid.'],
    ['a b', 'b', 'Unexpected b.'],
    ['1 "+" 2', '"+"', 'Unexpected "+".'],
    ['1 "in" a', '"in"', 'Unexpected "in".'],
    ['a.', '', 'Expected a name at the end of the condition.'],
    ['a.+', '+', 'Expected a name, found +.'],
    ['(a', '', 'Expected ) at the end of the condition.'],
    ['a ?', '', 'The condition is incomplete.'],
    ['()', ')', 'Unexpected ).'],
    ['[1,,2]', ',', 'Expected an item before the comma.'],
    ['f(1,,2)', ',', 'Unexpected ,.'],
    ['a ? b', '', 'Expected : at the end of the condition.'],
    ['`${a b}`', 'b', 'Expected }, found b.'],
    ['a.constructor', 'constructor', 'Conditions can’t use the name constructor.'],
    ['1 + a["constructor"]', '"constructor"', 'Conditions can’t use the name constructor.'],
    ['{__proto__: null}', '__proto__', 'Conditions can’t use the name __proto__.'],
    ['a ?? b || c', '||', 'Add parentheses where ?? is combined with || or &&.'],
    ['a ?? b && c', '&&', 'Add parentheses where ?? is combined with || or &&.'],
    ['a && b ?? c', '??', 'Add parentheses where ?? is combined with || or &&.'],
    ['a || b ?? c', '??', 'Add parentheses where ?? is combined with || or &&.'],
    ['-a ** b', '**', 'Add parentheses around the left side of **.'],
    ['1 + /(/ + 1', '/(/', 'This regular expression isn’t valid.'],
    ['/a/gg', '/a/gg', 'This regular expression isn’t valid.'],
    ['1 + list.push(1)', 'push', 'push changes the array, which conditions can’t do. Use concat or [...array, item].'],
    ['x => x', 'x', 'Use an arrow function only as an argument, with plain parameter names.'],
    ['a(x => {})', '{', 'The body of an arrow function must be an expression. Put an object in parentheses.'],
    ['a((x, x) => x)', 'x', 'A parameter can’t be named x here.'],
    ['a(true => 1)', 'true', 'A parameter can’t be named true here.'],
    ['a(this => 1)', 'this', 'A parameter can’t be named this here.'],
    ['1 + this', 'this', 'Conditions don’t support this.'],
    ['a & b', '&', 'Conditions don’t support bitwise operators. Use && for “and”.'],
    ['a`x`', '`', 'Conditions don’t support tagged templates.'],
    ['a?.`x`', '`', 'Conditions don’t support tagged templates.'],
    ['a; b', ';', 'A condition is a single expression, without a semicolon.'],
    ['a++', '++', 'Conditions can’t change a value.'],
    ['a--', '--', 'Conditions can’t change a value.'],
    ['a | b', '|', 'Conditions don’t support bitwise operators. Use || for “or”.'],
    ['{a b}', 'b', 'Expected :, found b.'],
    ['{"a"}', '}', 'Expected :, found }.'],
    ['{+: 1}', '+', 'Unexpected +.'],
  ])('%s', (source, expression, message) => {
    let error: unknown;
    try {
      compileCondition(source);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ name: 'ConditionError', code: 'INVALID_CONDITION', expression, message });
  });

  test.each([
    ['push', 'concat or [...array, item]'],
    ['unshift', '[item, ...array]'],
    ['pop', 'at(-1) or slice(0, -1)'],
    ['shift', 'at(0) or slice(1)'],
    ['splice', 'toSpliced'],
    ['fill', 'map'],
    ['copyWithin', 'slice'],
  ])('list.%s, which changes the array, is refused in favor of %s', (name, instead) => {
    expect(() => compileCondition(`list.${name}(1)`)).toThrow(
      `${name} changes the array, which conditions can’t do. Use ${instead}.`,
    );
  });

  test.each<[string, (n: number) => string, number]>([
    ['parentheses', (n) => `${'('.repeat(n)}a${')'.repeat(n)}`, 249],
    ['lists', (n) => `${'['.repeat(n)}a${']'.repeat(n)}`, 249],
    ['unary operators', (n) => `${'!'.repeat(n)}a`, 498],
    ['operators in a row', (n) => `a${'+a'.repeat(n)}`, 497],
    ['members', (n) => `a${'.a'.repeat(n)}`, 498],
    ['calls', (n) => `a${'()'.repeat(n)}`, 498],
    ['choices', (n) => `${'a?b:'.repeat(n)}c`, 498],
  ])('nesting of %s is limited', (_what, source, deepest) => {
    expect(compileCondition(source(deepest))).toBeTypeOf('function');
    expect(() => compileCondition(source(deepest + 1))).toThrow(
      'Nesting is limited to 500 levels. This condition has more.',
    );
  });

  test('a condition is limited to 10,000 characters', () => {
    expect(compileCondition(`1${' '.repeat(9999)}`)({})).toBe(1);
    expect(() => compileCondition(`1${' '.repeat(10_000)}`)).toThrow(
      'A condition is limited to 10,000 characters. This one has 10,001.',
    );
  });

  test('a value that isn’t a string is refused', () =>
    expect(() => compileCondition(7 as never)).toThrow(
      expect.objectContaining({ expression: '', column: 1, name: 'ConditionError' }),
    ));
});
