/** Tests that conditions can’t escape from the context, and can’t make a run hang. */
import { describe, expect, test, vi } from 'vitest';
import { compileCondition } from '../../../lib/pipeline/index.ts';
import { firstOf, isExhaustive } from '../../support/exhaustive.ts';

const F = 'constructor';

/** Escapes known from other evaluators. Each would give a function, a prototype, or a global, or run code. */
const ESCAPES = [
  `constructor.constructor("return 1")()`,
  `"".constructor.constructor("return this")()`,
  `[].constructor.constructor("return process")()`,
  `({}).constructor.constructor("return 1")()`,
  `(1).constructor.constructor("return 1")()`,
  `(x => x).constructor("return 1")()`,
  `[]["constructor"]`,
  `[][["constructor"]]`,
  `[]["con" + "structor"]`,
  `[][\`\${"con"}structor\`]`,
  `[]["\\u0063onstructor"]`,
  `[]["\\x63onstructor"]`,
  `[]["constructorx".slice(0, -1)]`,
  `[]["rotcurtsnoc".split("").reverse().join("")]`,
  `[][String.fromCharCode(99,111,110,115,116,114,117,99,116,111,114)]`,
  `[][key]`,
  `[][[key]]`,
  `[][{toString: String}]`,
  `[][[[key]]]`,
  `a.__proto__`,
  `a["__proto__"]`,
  `a["__pro" + "to__"].polluted`,
  `{__proto__: a}`,
  `{"__proto__": a}`,
  `{["__proto__"]: a}`,
  `a.__defineGetter__("x", y => 1)`,
  `a.__lookupGetter__("__proto__")()`,
  `a["__lookupGetter__"]("__proto__")`,
  `Object.prototype`,
  `Object.getPrototypeOf([])`,
  `Object.getOwnPropertyDescriptor(a, "x")`,
  `Object.assign(a, {x: 1})`,
  `Object.defineProperty(a, "x", {})`,
  `Object.create(null)`,
  `Object.constructor("return 1")()`,
  `Object.keys.constructor("return 1")()`,
  `Math.max.constructor("return 1")()`,
  `Math.max.call(null, 1)`,
  `Math.max.apply(null, [1])`,
  `Math.max.bind(null)`,
  `Math["max"]["constructor"]`,
  `JSON.parse.caller`,
  `Date.prototype`,
  `Array.prototype.push`,
  `String.raw\`x\``,
  `Number["prototype"]`,
  `[].map.call("x", y => y)`,
  `[].map.constructor("return 1")()`,
  `[].concat.apply([], [1])`,
  `[].filter.bind`,
  `[].at.constructor`,
  `"".sub.constructor("return 1")()`,
  `/x/.exec.constructor("return 1")()`,
  `/x/.constructor("y")`,
  `[x => x].map(f => f.constructor("return 1")())`,
  `Array.of(x => x)[0].constructor("return 1")()`,
  `Array.of(x => x).map(f => f["constructor"]("return 1")())`,
  `Array.of(x => x).map(f => f.call(1, 2))`,
  `[1].map((x, i, list) => list.constructor)`,
  `[1].reduce((x, y, i, list) => list["constructor"], 0)`,
  `Object.entries(a).map(e => e["constructor"])`,
  `Object.entries(a)[0][1].constructor("return 1")()`,
  `Object.values({f: x => x})[0]("1")`,
  `[].find.constructor`,
  `[..."x"].constructor`,
  `{...a}.constructor`,
  `JSON.parse('{"__proto__": {"x": 1}}').__proto__`,
  `JSON.parse('{"__proto__": {"x": 1}}')["__proto__"]`,
  `JSON.parse('{"constructor": 1}').constructor`,
  `JSON.parse("1", x => x.constructor)`,
  `this`,
  `this.constructor`,
  `globalThis.process`,
  `window.alert(1)`,
  `self.fetch`,
  `process.exit(1)`,
  `require("fs")`,
  `import("fs")`,
  `import.meta`,
  `new Function("return 1")()`,
  `Function("return 1")()`,
  `eval("1")`,
  `(0, eval)("1")`,
  `setTimeout("1")`,
  `Reflect.construct`,
  `Symbol.iterator`,
  `Proxy`,
  `WebAssembly`,
  `fetch("/")`,
  `new.target`,
  `super.x`,
  `arguments.callee`,
  `function(){}()`,
  `(() => { return 1 })()`,
  `(function(){}).constructor`,
  `async () => 1`,
  `class A {}`,
  `[].map(async x => x)`,
  `[1].map(function (x) { return x })`,
  `a = 1`,
  `a.x = 1`,
  `a["x"] = 1`,
  `a.x++`,
  `a.x += 1`,
  `[a.x] = [1]`,
  `({x: a.x} = {x: 1})`,
  `delete a.x`,
  `a.list.push(1)`,
  `a.list.length = 0`,
  `a.list.fill(1)`,
  `a.list["pop"]()`,
  `Array.from.call(1)`,
  `tag\`x\``,
  `a.f\`x\``,
  `a?.["constructor"]`,
  `a?.["constructor"]?.("return 1")`,
  `a?.constructor`,
  `void 0 ?? [][${JSON.stringify(F)}]`,
  `"constructor" in a && a[["constructor"][0]]`,
  `a.f()`,
  `a.f("1")`,
  `a["f"]("1")`,
  `f("1")`,
  `(f)("1")`,
  `f?.("1").x`,
  `[1].map(f)`,
  `[1].map(a.f)`,
  `[1].map(...[f].concat(a.list))[0].x`,
  `["1"].map(...Object.values(a))[0].x`,
  `"x".replace("x", f).x.y`,
  `[2, 1].sort(f).x.y`,
  `JSON.stringify({x: {toJSON: f}}).x.y`,
  `Object.values(a).map(g => g("1"))`,
  `["1"].map(Object.values(a).at(0))`,
  `["1"].map(Object.values(a)[0])`,
  `["1"].map(Object.values(a).find(g => true))`,
  `["1"].map(Object.values(a).reduce(g => g))`,
  `Object.values(a).find(g => typeof g === "function")("1")`,
];

describe('a condition can’t escape from the context', () => {
  test.each(ESCAPES)('%s', (source) => {
    let ran = 0;
    const leak = (): string => (ran++, 'leaked');
    const a = { f: leak, x: 0, list: [1] };
    let value: unknown;
    try {
      value = compileCondition(source)({ a, f: leak, key: 'constructor', tag: leak });
    } catch (thrown) {
      expect(thrown).toMatchObject({ name: 'ConditionError' });
    }
    expect(ran, 'a function of the context ran').toBe(0);
    expect(a).toEqual({ f: leak, x: 0, list: [1] });
    // A condition that isn’t refused gives data only.
    expect(['undefined', 'object', 'number', 'boolean', 'string']).toContain(typeof value);
    expect(value).not.toBe(globalThis);
    for (const prototype of [Object.prototype, Array.prototype, Function.prototype, String.prototype])
      expect(value).not.toBe(prototype);
  });
  test('a key is converted to a string once, so it can’t change after it was checked', () => {
    let conversions = 0;
    const key = { toString: () => (conversions++ === 0 ? 'length' : 'constructor') };
    expect(compileCondition('list[key]')({ list: [1, 2], key })).toBe(2);
    expect(conversions).toBe(1);
  });
  test.each(['constructor', '__proto__', 'prototype'])('%s can’t be read even if the data has it', (key) => {
    const data = Object.defineProperty({}, key, { value: 1, enumerable: true });
    expect(() => compileCondition('data[key]')({ data, key })).toThrow(key);
    expect(compileCondition(key)(data)).toBeUndefined();
  });
  test('a member that is inherited fails, and runs no getter', () => {
    let reads = 0;
    const node = Object.create({
      get owner() {
        return reads++;
      },
    }) as object;
    for (const source of [
      'node.owner',
      'node["owner"]',
      'node?.owner',
      'node[key]',
      '[node].map(n => n.owner)',
      '"owner" in node',
    ])
      expect(() => compileCondition(source)({ node, key: 'owner' })).toThrow('Conditions can’t read “owner”');
    expect(reads).toBe(0);
  });
  test('a member that a page added to Object.prototype isn’t read', () => {
    const condition = compileCondition('data.polluted');
    // oxlint-disable-next-line no-extend-native -- what such a page does
    Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true });
    try {
      expect(condition({ data: {} })).toBeUndefined();
      expect(condition({ data: { polluted: 2 } })).toBe(2);
    } finally {
      Reflect.deleteProperty(Object.prototype, 'polluted');
    }
  });
  test('a function that a page’s getter returns for a built-in value isn’t called', () => {
    const foreign = vi.fn();
    const getter = vi.spyOn(Map.prototype, 'size', 'get').mockReturnValue(foreign as never);
    try {
      expect(compileCondition('map.size')({ map: new Map() })).toBeUndefined();
      for (const source of ['map.size()', '[1].map(map.size)', 'JSON.stringify([1], map.size)']) {
        try {
          compileCondition(source)({ map: new Map() });
        } catch {
          // Only what runs counts.
        }
      }
    } finally {
      getter.mockRestore();
    }
    expect(foreign).not.toHaveBeenCalled();
  });
  test('an own getter runs once', () => {
    let reads = 0;
    const data = Object.defineProperty({}, 'count', { get: () => ++reads });
    expect(compileCondition('data.count')({ data })).toBe(1);
    expect(reads).toBe(1);
  });
  test('a symbol is refused as a key', () =>
    expect(() => compileCondition('a[key]')({ a: [], key: Symbol.iterator })).toThrow('symbol'));
  test('spreading data with a key __proto__ sets a property, not the prototype', () => {
    const made = compileCondition('{...data}')({
      data: JSON.parse('{"__proto__": {"admin": true}}') as unknown,
    }) as Record<string, unknown>;
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(made.admin).toBeUndefined();
  });
  test('the safe list holds frozen copies of the globals', () => {
    const math = compileCondition('Math')({}) as typeof Math;
    expect(math).not.toBe(Math);
    expect(Object.isFrozen(math)).toBe(true);
  });
  test('conditions work without eval', () => {
    const { Function: original } = globalThis;
    const refuse = (): never => {
      throw new EvalError('Refused by Content-Security-Policy.');
    };
    Object.assign(globalThis, { Function: refuse, eval: refuse });
    try {
      expect(compileCondition('[1, 2].some(x => x === `${2}` * 1)')({})).toBe(true);
    } finally {
      Object.assign(globalThis, { Function: original });
    }
  });
});

/** Each takes about a second until it is refused. There are similar ones. */
const SLOWEST = ['JSON.stringify(list.reduce(a => ({a, b: a}), 1))', '[...huge]'];

describe('a condition can’t make a run hang', () => {
  const list = Array.from({ length: 4000 }, (_, index) => index);
  test.each([
    '"x".repeat(1e9)',
    '"x".padStart(1e9)',
    '"x".padEnd({valueOf: Number}.x ?? 5e8)',
    'Array(1e9).join("x")',
    'Array.from({length: 1e9})',
    'Array.from({length: 1e9}, x => x)',
    '[...Array(1e9)]',
    'list.reduce(text => text + text, "x")',
    'list.reduce(text => `${text}${text}`, "x")',
    'list.reduce(items => items.concat(items), [1])',
    'list.reduce(items => [...items, ...items], [1])',
    'list.map(x => list.map(y => list.map(z => z)))',
    'list.flatMap(x => list.flatMap(y => list))',
    'Array(5000).join("x").replaceAll("x", "y".repeat(1e6))',
    'Array.of(f => [f].map(f)).map(g => [g].map(g))',
    'list.map(x => list).flat()',
    'list.map(x => list).map(x => list.map(y => y))',
    '"x".repeat(1e6).split("").map(x => list.join())',
    'list.map(x => "y".repeat(1e6).split(""))',
    'list.map(x => "y".repeat(1e6).toUpperCase())',
    'list.map(x => "y".repeat(1e6).match(/y/g))',
    'list.map(x => list.slice())',
    'list.map(x => Object.keys(list))',
    'JSON.stringify(list.reduce(a => [a, a], 1))',
    'String(list.reduce(a => [a, a], 1))',
    '"" + list.reduce(a => Array.of(a, a), 1)',
    'list.reduce(a => [1, 2].map(x => a), 1) == 1',
    'list.reduce(a => [a, a], 1).flat(Infinity)',
    'huge.map(x => x)',
    'huge.indexOf(1)',
    'huge.join()',
    '[].concat(huge)',
    'Array.from(huge)',
    'many.map(x => many.includes(-1))',
    'Array.from({length: "4e9"})',
    'Array.from({length: [4e9]})',
    ...(isExhaustive() ? SLOWEST : []),
  ])(
    '%s',
    (source) => {
      const start = performance.now();
      const huge = Object.assign([], { length: 4_000_000_000 });
      const many = Array.from({ length: 100_000 }, () => 0);
      expect(() => compileCondition(source)({ list, huge, many })).toThrow(
        expect.objectContaining({ code: 'CONDITION_FAILED' }),
      );
      expect(performance.now() - start).toBeLessThan(20_000);
    },
    30_000,
  );
  test.each([
    ['(', '('],
    ['[', '['],
    ['{a:', '{a:'],
    ['!', '!'],
    ['- ', '-'],
    ['a ? ', 'ternary'],
    ['a.map(x => ', 'arrow'],
    ['`${', 'template'],
    ['a[', 'member'],
    ['a ** ', 'power'],
  ])('nesting of %s is limited', (part) =>
    expect(() => compileCondition(part.repeat(Math.floor(9000 / part.length)))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONDITION' }),
    ),
  );
  test.each([
    ['a', ' + a'],
    ['a', '.a'],
    ['a', '()'],
    ['a', ' || a'],
    ['a', '[0]'],
  ])('a chain %s%s… is limited', (first, part) =>
    expect(() => compileCondition(first + part.repeat(1500))).toThrow('limited to 500 levels'),
  );
  test('the length of the source is limited', () =>
    expect(() => compileCondition(' '.repeat(10_001))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONDITION', column: 10_001 }),
    ));
  test.each([
    'f((a' + ' '.repeat(9000),
    `f(${'(a,'.repeat(3000)}`,
    '/*'.repeat(4900),
    `/${'['.repeat(9000)}`,
    `/${'(['.repeat(4000)}a]+/`,
    `"${'\\'.repeat(9000)}`,
    `a${'/**/'.repeat(2000)} b`,
    `f((a${'/**/'.repeat(2000)}1))`,
    `f((a${'//'.repeat(2000)}\n1))`,
  ])('a source made to parse slowly is refused quickly: %#', (source) => {
    const start = performance.now();
    expect(() => compileCondition(source)).toThrow(expect.objectContaining({ code: 'INVALID_CONDITION' }));
    expect(performance.now() - start).toBeLessThan(5000);
  });
  test('a message cuts a long expression, and the error has it in full', () => {
    const source = `${'a'.repeat(5000)}.b`;
    const error = (() => {
      try {
        return compileCondition(source)({});
      } catch (thrown) {
        return thrown;
      }
    })() as Error & { expression: string };
    expect(error.message.length).toBeLessThan(300);
    expect(error.expression).toBe('a'.repeat(5000));
  });
  test('200 terms and an array of 2,000 items stay within the nesting limit', () => {
    expect(compileCondition(`a${' || a'.repeat(200)}`)({ a: 0 })).toBe(0);
    expect(compileCondition(`[${'1,'.repeat(2000)}].length`)({})).toBe(2000);
  });
  const endless: readonly [pattern: string, found: boolean, flags?: string][] = [
    ['(a|a)*!$', true],
    ['^(\\w+\\s?)*$', false],
    ['a*a*a*a*b', false],
    ['(?=(a+)+b)', false],
    ['(?<!b(a+)+)!$', true],
    ['(a+)+$', false],
    ['(a|a)+$', false],
    ['(?:[a-z]*)*x', false],
    ['(.*)*x', false],
    ['(?<name>a+)+$', false],
    ['^((?:a+)?)*$', false],
    ['(a+?)+$', false],
    ['(a+){20}$', false],
    ['(\\u{61}+)+$', false, 'u'],
    ['([[a-z]--[b]]+)+$', false, 'v'],
    ['(?i:A+)+$', false],
    ['^(a?){50}a{50}$', false],
    ['(?=a*(?=a*(?=a*$)b)!)', false],
    ['(?:(?=a*b)a)*c', false],
    ['(?<=b(a+)+)!', false],
  ];
  test.each(firstOf(endless, 5))(
    '/%s/ on 100,000 characters ends within the limit of work',
    (pattern, found, flags = '') => {
      const matches = compileCondition(`/${pattern}/${flags}.test(text)`);
      expect(matches({ text: `${'a'.repeat(100_000)}!` })).toBe(found);
    },
  );
  test.each(firstOf(['(?:a{0,1000}){1000}b', '(a*)\\1\\1c', '(?:(?=(a*)b)a)*c'], 1))(
    '/%s/ on 100,000 characters fails instead of a wrong result',
    (pattern) =>
      expect(() => compileCondition(`/^(?:${pattern})/.test(text)`)({ text: `${'a'.repeat(100_000)}b!` })).toThrow(
        'limited to',
      ),
  );
  const methods = [
    'text.search(/(a|ab)+c/)',
    '[...text.matchAll(/(?:a|b)(?:a|b)*?(?=a)/g)].length',
    'text.replaceAll(/x*y|a(?=a*b)|a/g, "").length',
    'text.split(/(a|a)+c/).length',
    'text.match(/(a|a)+c/g)',
  ];
  test.each(firstOf(methods, 2))('%s on 100,000 characters ends within the limit of work', (source) =>
    expect(() => compileCondition(source)({ text: 'a'.repeat(100_000) })).not.toThrow(),
  );
  const texts = [
    'many.some(() => text.includes("b"))',
    'many.some(() => JSON.parse(json).b)',
    '(text + text + text + text).lastIndexOf("b" + text)',
    'many.some(() => /(a|b)+c/.test(text))',
  ];
  test.each(firstOf(texts, 3))('%s is limited by the length of the text', (source) => {
    const context = { many: Array(1e6).fill(0), text: 'a'.repeat(100_000), json: `{"a":"${'a'.repeat(10_000)}"}` };
    expect(() => compileCondition(source)(context)).toThrow('5,000,000 operations');
  });
  // 100 of them are within the limit. Without one, they take minutes.
  test.each([
    'a === b',
    'a !== b',
    'a == b',
    '[a] == b',
    'a < b',
    'b >= a',
    '[b, a] > a',
    'n == 1',
    'n < 1',
    'n - 1',
    '1 % n',
    '-n',
    '+n',
    'Number(n)',
    'isNaN(n)',
    'Math.max(1, n)',
    'Number.parseFloat(n)',
    '[1].at(n)',
    '"x".at([n])',
    'a in o',
    'o[a]',
    'o.hasOwnProperty(a)',
    '[a] + ""',
    '`${[a]}`',
    '[b].includes(a)',
    '[b].indexOf(a)',
    '[b].lastIndexOf(a)',
    '[a, b].sort()',
    '[a, b].toSorted()',
    '({ ...big })',
  ])('%s counts by the length of what it reads', (source) => {
    const long = 'a'.repeat(100_000);
    const big = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`name${index}`, 0]));
    const context = { a: `${long}a`, b: `${long}b`, n: '1'.repeat(100_000), o: {}, big };
    const times = (count: number) => () =>
      compileCondition(`Array.from({length: ${count}}, () => ${source}).length`)(context);
    expect(times(100)()).toBe(100);
    expect(times(10_000)).toThrow('5,000,000 operations');
  });
  test.each([
    ['strings of different lengths', 'a === c'],
    ['what isn’t converted', 'list == null || list === a || Array.isArray(list) || list != list'],
    ['short strings', '"abc" === "abd" || "10" < 9'],
  ])('comparing %s counts nothing', (_, source) => {
    const context = { a: 'a'.repeat(100_000), c: 'a'.repeat(99_999), list: Array(100_000).fill('') };
    expect(compileCondition(`Array.from({length: 10000}, () => ${source}).length`)(context)).toBe(10_000);
  });
  const groups = '()'.repeat(4000);
  const counted = [
    ['matches with many captures', `[...text.matchAll(/a|${groups}/g)].length`],
    ['replacements with many captures', `text.replaceAll(/a|${groups}/g, "").length`],
    ['places where a text is split', 'text.split(/(?:b|b)*?/).length'],
    ['matches', 'text.match(/(?:a|a)+?/g).length'],
  ] as const;
  test.each(firstOf(counted, 2))('%s count as work', (_, source) =>
    expect(() => compileCondition(source)({ text: 'a'.repeat(600_000) })).toThrow('5,000,000 operations'),
  );
  const work = (source: string, text: string) => (): unknown => compileCondition(source)({ text });
  const withoutCase = (): void => {
    expect(work(String.raw`/^(.*)\1\1b/.test(text)`, 'a'.repeat(5000))).not.toThrow();
    expect(work(String.raw`/^(.*)\1\1b/i.test(text)`, 'aA'.repeat(5000))).toThrow('5,000,000 operations');
  };
  const beyond = (): void => {
    expect(work('/^(?:я|я|я|я|я|я)*!/.test(text)', 'a'.repeat(1_000_000))).not.toThrow();
    expect(work('/^(?:x|y|z|X|Y|я)*!/.test(text)', 'я'.repeat(1_000_000))).toThrow('5,000,000 operations');
  };
  // Each needs all of the work.
  if (isExhaustive()) {
    test('characters that are compared without case count as work of their own', withoutCase);
    test('characters beyond Latin-1 count as work of their own', beyond);
  }
  test('sets with many strings are left to the browser’s matcher only for short texts', () => {
    const set = `[\\q{${Array.from({ length: 100 }, (_, index) => 'a'.repeat(index + 1)).join('|')}}]`;
    const matches = compileCondition(`/${set}{4}b/v.test(text)`);
    expect(() => matches({ text: 'a'.repeat(150) })).toThrow('can’t match a string this long');
    expect(compileCondition(`/${set}b/v.test(text)`)({ text: `${'a'.repeat(150)}b` })).toBe(true);
  });
  test.each<[string, string, boolean]>([
    ['/^[(a+)+]+$/', '(a+)', true],
    ['/^[^(a+)+]$/', 'b', true],
    ['/^[\\](a+)+]$/', '+', true],
    ['/^[[\\(a+\\)+]&&[a-z]]+$/v', 'aa', true],
    ['/^\\(a+\\)+$/', '(aa))', true],
    ['/^(a+b)+$/', 'aabab', true],
    ['/^(a+){b$/', 'aa{b', true],
    ['/^(a+)?b$/', 'aab', true],
    ['/^(?:a|b)+$/', 'abab', true],
    ['/^(?=a+)*a+$/', 'aa', true],
    ['/^(a{2})+$/', 'aaaa', true],
  ])('%s matches as in JavaScript', (source, text, found) => {
    const matches = compileCondition(`${source}.test(text)`);
    expect(matches({ text })).toBe(found);
  });
  test('a string isn’t converted to a regular expression', () =>
    expect(() => compileCondition('"aaaa".match(text)')({ text: '(a+)+$' })).toThrow('regular expression'));
  test('an evaluation that exceeds the limit doesn’t affect the next one', () => {
    const condition = compileCondition('Array.from({length: n}).length');
    expect(() => condition({ n: 1e9 })).toThrow('5,000,000 operations');
    expect(condition({ n: 1e6 })).toBe(1e6);
  });
});
