/** Tests what conditions mean, and which are refused (decisions, “Pipelines”). */
import { describe, expect, test } from 'vitest';
import { ConditionError, compileCondition } from '../../../lib/pipeline/index.ts';

const evaluate = (source: string, context: Record<string, unknown> = {}): unknown => compileCondition(source)(context);
function error(run: () => unknown): ConditionError {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof ConditionError) return thrown;
    throw thrown;
  }
  throw new Error('Nothing was thrown.');
}
const refused = (source: string): ConditionError => error(() => compileCondition(source));
const failing = (source: string, context: Record<string, unknown> = {}): ConditionError =>
  error(() => evaluate(source, context));

describe('names refer to the context', () => {
  test('a name reads the property of the context', () => expect(evaluate('foo === true', { foo: true })).toBe(true));
  test('currentItem and currentIndex are ordinary names', () =>
    expect(evaluate('currentItem + currentIndex', { currentItem: 3, currentIndex: 1 })).toBe(4));
  test('an unknown name is undefined, not an error', () => expect(evaluate('typeof missing')).toBe('undefined'));
  test.each([
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'valueOf',
    'window',
    'globalThis',
    'process',
    'Function',
    'Symbol',
    'Reflect',
    'Promise',
    'RegExp',
  ])('the global name %s is undefined', (name) => expect(evaluate(name)).toBeUndefined());
  test('a property of the context hides a name of the safe list', () =>
    expect(evaluate('Date', { Date: 'today' })).toBe('today'));
  test('inherited properties aren’t names of the context', () =>
    expect(failing('inherited', Object.create({ inherited: 1 }) as Record<string, unknown>).message).toBe(
      'inherited failed: Conditions can’t read “inherited”, which the object inherits from its class.',
    ));
  test('inherited properties aren’t members', () =>
    expect(failing('a.inherited', { a: Object.create({ inherited: 1 }) })).toMatchObject({ code: 'CONDITION_FAILED' }));
  test('context is the context itself', () =>
    expect(evaluate('context.foo === foo && context["foo"] === 1', { foo: 1 })).toBe(true));
  test('a property named context hides the context itself', () =>
    expect(evaluate('context.foo', { foo: 1, context: { foo: 2 } })).toBe(2));
  test('a property named context hides the context itself even when it is undefined', () =>
    expect(failing('context.foo', { foo: 1, context: undefined })).toMatchObject({ expression: 'context' }));
  test('a parameter named context hides the context itself', () =>
    expect(evaluate('[{foo: 2}].map(context => context.foo)', { foo: 1 })).toEqual([2]));
  test('context has no inherited members and no functions', () =>
    expect(evaluate('[context.toString, context.fn, context.missing]', { fn: () => 1 })).toEqual(Array(3)));
  test('context works in shorthand, calls, and optional chains', () =>
    expect(evaluate('Object.keys({context}.context).length + context?.foo', { foo: 1 })).toBe(2));
  test('names may use letters of any script', () => expect(evaluate('größe > $_1', { größe: 2, $_1: 1 })).toBe(true));
});

describe('reading a member of undefined or null names the sub-expression', () => {
  test('of a name', () =>
    expect(failing('user.email == 1')).toMatchObject({ code: 'CONDITION_FAILED', expression: 'user', column: 1 }));
  test('of a deep path', () =>
    expect(failing('1 + records[0].data.email', { records: [{}] })).toMatchObject({
      expression: 'records[0].data',
      column: 5,
    }));
  test('of the fifth name of a path', () =>
    expect(failing('a.b.c.d.e.f', { a: { b: { c: { d: {} } } } })).toMatchObject({ expression: 'a.b.c.d.e' }));
  test('with a message that names the member and the object', () =>
    expect(failing('a.b', { a: null }).message).toBe('Couldn’t read “b”: a is null.'));
  test('with a computed name', () => expect(failing('a[b]')).toMatchObject({ expression: 'a' }));
  test('of a parameter of an arrow function', () =>
    expect(failing('[null].map(item => item.id)')).toMatchObject({ expression: 'item' }));
  test('of the result of a call', () =>
    expect(failing('[].find(x => x).id')).toMatchObject({ expression: '[].find(x => x)' }));
  test('calling a method of undefined', () => expect(failing('name.trim()')).toMatchObject({ expression: 'name' }));
  test('with a hint that names ?.', () => expect(failing('a.b').hint).toContain('?.'));
});

describe('calling something that isn’t a function fails', () => {
  test('a name', () => expect(failing('check(1)')).toMatchObject({ code: 'CONDITION_FAILED', expression: 'check' }));
  test('an unknown method', () => expect(failing('a.b()', { a: { b: 1 } })).toMatchObject({ expression: 'a.b()' }));
  test('a function of the context', () =>
    expect(failing('check(1)', { check: () => true })).toMatchObject({ code: 'CONDITION_FAILED' }));
  test('a method that throws is reported with the call and the cause', () =>
    expect(failing('JSON.parse("{")')).toMatchObject({
      expression: 'JSON.parse("{")',
      cause: expect.any(SyntaxError),
    }));
});

describe('syntax', () => {
  test.each<[string, unknown]>([
    ['0x1f + 0b11 + 0o17 + 1_000 + .5 + 1.5e3 + 5.', 0x1f + 3 + 15 + 1000 + 0.5 + 1500 + 5],
    [String.raw`'a\'b' + "c\"d" + '\n\t\\\x41\u0042\u{1F600}\0'`, 'a\'bc"d\n\t\\AB\u{1F600}\0'],
    ['`a${1 + 1}b${`c${3}`}\\`$`', 'a2bc3`$'],
    ['/^a+$/i.test("AAA")', true],
    ['/[/]\\/(?<y>x)/.exec("//x")[0]', '//x'],
    ['4 / 2 / 2', 1],
    ['"a/b".split(/\\//).length', 2],
    ['a?.b.c.d', undefined],
    ['(a?.b) === undefined', true],
    ['a?.[b.c.d]', undefined],
    ['a?.b(c.d)', undefined],
    ['"x".nothing?.()', undefined],
    ['"x".nothing?.().more', undefined],
    ['a?.5:1', 1],
    ['1 + 2 * 3 ** 2 ** 0 % 4', 1 + ((2 * 3 ** (2 ** 0)) % 4)],
    ['(-2) ** 2', 4],
    ['1 < 2 === true', true],
    ['"1" == 1 && "1" !== 1 && null == undefined && null !== undefined', true],
    ['NaN != NaN', true],
    ['"a" in {a: 1}', true],
    ['0 in [1]', true],
    ['"toString" in {}', false],
    ['null ?? 0 + 1', 1],
    ['(a || false) ?? 1', false],
    ['0 || "" || "x"', 'x'],
    ['1 && 0 && x.y', 0],
    ['a ? 1 : 0 ? 2 : 3', 3],
    ['[1, ...[2, 3], ..."45"].length', 5],
    ['JSON.stringify({a: 1, "b c": 2, 3: 3, ["d" + 1]: 4, ...{e: 5}})', '{"3":3,"a":1,"b c":2,"d1":4,"e":5}'],
    ['{}', {}],
    ['typeof void 0 + typeof 1 + typeof "" + typeof {} + typeof true', 'undefinednumberstringobjectboolean'],
    ['!0 && - -1 && +"2"', 2],
    ['/* why */ 1 // because', 1],
    ['{if: 1}.if', 1],
  ])('%s', (source, value) => expect(evaluate(source)).toEqual(value));

  test('an object literal with shorthand properties', () =>
    expect(evaluate('{a, b: a}', { a: 1 })).toEqual({ a: 1, b: 1 }));
  test('arrow functions see the names around them', () =>
    expect(
      evaluate('a.filter(x => x > low).map((x, i) => b.map(y => x * y + i + low))', { a: [1, 2, 3], b: [10], low: 1 }),
    ).toEqual([[21], [32]]));
  test.each<[string, unknown]>([
    ['list.some(x => x === 2)', true],
    ['list.every(x => x > 0)', true],
    ['list.filter(x => x % 2)', [3, 1]],
    ['list.map((x) => x + 1)', [4, 2, 3]],
    ['list.find((x, i) => i === 1)', 1],
    ['list.reduce((sum, x) => sum + x, 0)', 6],
    ['list.map(String)', ['3', '1', '2']],
    ['[0, 1].filter(Boolean)', [1]],
    ['list.includes(3)', true],
    ['Math.max(...list)', 3],
    ['list.flatMap(x => [x, [x]]).length', 6],
  ])('a method takes a function: %s', (source, value) => expect(evaluate(source, { list: [3, 1, 2] })).toEqual(value));
  test.each<[string, unknown]>([
    ['Math.PI > 3', true],
    ['JSON.parse("[1]")[0]', 1],
    ['Date.parse("2026-11-20T00:00:00Z")', 1795132800000],
    ['Number("3") + Number.MAX_SAFE_INTEGER > 3', true],
    ['String(3)', '3'],
    ['JSON.stringify({a: 1, b: [2, {c: 3}]}, ["a", "b"])', '{"a":1,"b":[2,{}]}'],
    ['JSON.stringify({a: 1}, (key, value) => value === 1 ? 2 : value, 1)', '{\n "a": 2\n}'],
    ['JSON.stringify(void 0)', undefined],
    ['Boolean("")', false],
    ['Array.isArray([])', true],
    ['Array.from("ab").length', 2],
    ['Object.keys({a: 1})', ['a']],
    ['Object.values({a: 1})', [1]],
    ['Object.entries({a: 1})', [['a', 1]]],
    ['isNaN("x")', true],
    ['parseInt("12px", 10)', 12],
    ['parseFloat("1.5")', 1.5],
    ['typeof Date.now()', 'number'],
    ['typeof Date()', 'string'],
  ])('the safe list: %s', (source, value) => expect(evaluate(source)).toEqual(value));
  test('methods of dates', () => expect(evaluate('at.getUTCFullYear()', { at: new Date(0) })).toBe(1970));
});

describe('invalid syntax is refused with the column', () => {
  test.each<[string, number]>([
    ['', 1],
    ['  ', 1],
    ['a =', 3],
    ['a = 1', 3],
    ['a == ', 6],
    ['a b', 3],
    ['(1', 3],
    ['[1,', 4],
    ['[1,,2]', 4],
    ['{a:', 4],
    ['"abc', 1],
    ['`abc', 1],
    ['/abc', 1],
    ['/[/', 1],
    ['/(/', 1],
    ['a.', 3],
    ['a.1', 2],
    ['1a', 1],
    ['0777', 1],
    ['10n', 1],
    ['"\\u{110000}"', 2],
    ['"\\8"', 2],
    ['a ? b', 6],
    ['a ?? b || c', 8],
    ['a && b ?? c', 8],
    ['-a ** b', 4],
    ['a++', 2],
    ['--a', 1],
    ['a += 1', 3],
    ['a & b', 3],
    ['a | b', 3],
    ['~a', 1],
    ['a << 1', 3],
    ['a, b', 2],
    ['a; b', 2],
    ['@', 1],
    ['#a', 1],
    ['\\u0061', 1],
    ['this', 1],
    ['new Date()', 1],
    ['function () {}', 1],
    ['class {}', 1],
    ['import("x")', 1],
    ['await a', 1],
    ['async x => x', 7],
    ['yield a', 1],
    ['static a', 1],
    ['enum', 1],
    ['delete a.b', 1],
    ['throw a', 1],
    ['super.x', 1],
    ['let a', 1],
    ['a instanceof b', 3],
    ['x => x', 1],
    ['(x) => x', 5],
    ['[x => x]', 2],
    ['a(x => {})', 8],
    ['a(({x}) => x)', 9],
    ['a((x = 1) => x)', 6],
    ['a((...x) => x)', 4],
    ['a((x, x) => x)', 7],
    ['a(this => 1)', 3],
    ['a`x`', 2],
    ['a?.`x`', 4],
    ['{get a() {}}', 6],
    ['{a() {}}', 3],
    ['eval("1")', 1],
    ['f((x => x)(1))', 3],
    ['f((x => x) || 1)', 3],
    ['f((x => x)', 11],
    ['[(x => x)]', 3],
    ['a.constructor', 3],
    ['a.__proto__', 3],
    ['a?.prototype', 4],
    ['a["constructor"]', 3],
    ['{__proto__: null}', 2],
    ['{"constructor": 1}', 2],
    ['list.push(1)', 6],
    ['list.splice(0)', 6],
  ])('%s is refused at column %i', (source, column) =>
    expect(refused(source)).toMatchObject({ code: 'INVALID_CONDITION', column }),
  );
  test('the column counts from the start of a source of several lines', () =>
    expect(refused('a &&\n  b =')).toMatchObject({ column: 10 }));
  test('a refusal has a message and a hint', () =>
    expect(refused('a = 1')).toMatchObject({
      message: 'Conditions can’t assign values. Compare with == or ===.',
      hint: 'Check the condition at this column.',
    }));
  test('a value that isn’t a string is refused', () =>
    expect(error(() => compileCondition(7 as never))).toMatchObject({ code: 'INVALID_CONDITION', column: 1 }));
});

describe('a condition changes nothing', () => {
  test('sort and reverse return a sorted and a reversed copy', () => {
    const list = [3, 1, 2];
    expect(evaluate('list.sort((a, b) => a - b).concat(list.reverse())', { list })).toEqual([1, 2, 3, 2, 1, 3]);
    expect(list).toEqual([3, 1, 2]);
  });
  test('a computed name doesn’t reach a method that changes an array', () => {
    const list = [1];
    expect(failing('list["pu" + "sh"](2)', { list })).toMatchObject({ code: 'CONDITION_FAILED' });
    expect(list).toEqual([1]);
  });
  test('a regular expression of the context keeps its state', () => {
    const pattern = /a/g;
    expect(evaluate('pattern.test("a") && pattern.test("a") && "aa".replace(pattern, "b")', { pattern })).toBe('bb');
    expect(pattern.lastIndex).toBe(0);
  });
  test('a condition with a global regular expression has the same result each time', () => {
    const condition = compileCondition('/a/g.test(text)');
    expect([condition({ text: 'a' }), condition({ text: 'a' })]).toEqual([true, true]);
  });
});
