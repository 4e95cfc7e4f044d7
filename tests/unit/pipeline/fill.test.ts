import { runInNewContext } from 'node:vm';
import { parseExpressionAt } from 'acorn';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { compileCondition, expressionsIn, fill, toText } from '../../../lib/pipeline/index.ts';
import { expression } from './random-conditions.ts';

const context = { n: 2, name: 'Ada', person: { tags: ['a', 'b'] }, nothing: null };
const filled = (value: unknown, escape?: 'html') =>
  fill(value, (source) => compileCondition(source)(context), { escape });

describe('a string that is a single expression', () => {
  it.each([
    ['{{n}}', 2],
    ['{{ n + 1 }}', 3],
    ['{{person.tags}}', ['a', 'b']],
    ['{{ {a: n} }}', { a: 2 }],
    ['{{nothing}}', null],
    ['{{absent}}', undefined],
  ])('%s becomes its value', (text, value) => {
    expect(filled(text)).toEqual(value);
  });
});

describe('a longer string', () => {
  it.each([
    ['Hello {{name}}!', 'Hello Ada!'],
    ['{{n}}{{n}}', '22'],
    ['[{{nothing}}{{absent}}]', '[]'],
    ['tags: {{person.tags}}', 'tags: ["a","b"]'],
    ['no places', 'no places'],
    ['{ {n} } {{n', '{ {n} } {{n'],
    ['{{name}} costs $& and $1', 'Ada costs $& and $1'],
  ])('%s is written out', (text, value) => {
    expect(filled(text)).toBe(value);
  });
});

it('copies arrays and objects, and fills everything in them', () => {
  const setting = { to: ['{{name}}'], deep: { n: '{{n}}', flag: true } };
  expect(filled(setting)).toEqual({ to: ['Ada'], deep: { n: 2, flag: true } });
  expect(setting.to).toEqual(['{{name}}']);
});

it('keeps __proto__ as an ordinary key', () => {
  const result = filled(JSON.parse('{"__proto__":{"x":"{{n}}"}}')) as object;
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  expect(JSON.stringify(result)).toBe('{"__proto__":{"x":2}}');
});

it('escapes filled values for HTML, but not the text around them', () => {
  const evil = { name: `<img src=x onerror="a('b')">&` };
  const html = fill('<b>{{name}}</b>', (source) => compileCondition(source)(evil), { escape: 'html' });
  expect(html).toBe('<b>&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt;&amp;</b>');
  expect(fill('{{name}}', (source) => compileCondition(source)(evil), { escape: 'html' })).not.toContain('<');
});

it('names the invalid expression', () => {
  expect(() => filled('{{n +}}')).toThrow();
  expect(() => filled('{{absent.member}}')).toThrow(/absent/);
});

describe('an expression ends where the grammar of conditions says', () => {
  it.each([
    ['two levels of braces', 'a {{ {a: {b: n}} }} c', 'a {"a":{"b":2}} c'],
    ['braces up to the end', '={{ {a: {b: {c: n}}}}}', '={"a":{"b":{"c":2}}}'],
    ['a brace in a string', '{{name + "}"}}.', 'Ada}.'],
    ['both braces in a string', `{{'{{' + name + "}}"}}.`, '{{Ada}}.'],
    ['an escaped quote in a string', String.raw`{{'\'}}' + n}}.`, "'}}2."],
    ['braces in a template literal', '{{`}} ${`{${n}}}`} {{`}}.', '}} {2}} {{.'],
    ['braces in a comment', '{{ n /* }} { */ }}.', '2.'],
    ['a line comment', '{{ n // }} isn’t the end\n}}.', '2.'],
    ['braces in a regular expression', `{{'a}}b'.split(/}}/).join()}}.`, 'a,b.'],
    ['a quote in a regular expression', `{{name.split(/['"{]/).length}}.`, '1.'],
    ['divisions', '{{n / 2 + [4][0] / 4}}/{{n}}', '2/2'],
    ['a division of a member named as an operator', '{{({in: 4}).in / 2}} /', '2 /'],
    ['a third brace on each side', '-{{{n}}}', '-{"n":2}'],
    ['a brace after the end', '{{n}}}', '2}'],
  ])('with %s', (_, text, value) => {
    expect(filled(text)).toBe(value);
  });

  it('whatever is in it: the same as in JavaScript', () => {
    const tricky = fc.constantFrom(
      '{a: {b: 1}}',
      '"}}"',
      "'{{'",
      '`}}${`}}`}{{`',
      'text.split(/}}|[/}]/g).length',
      'a /* }} " */',
      'a // }} `\n',
      'a / b / 2',
      '`${{a: {}}}`',
      'list.map((x) => ({x: {x}}))',
    );
    const source = fc
      .array(fc.oneof(tricky, expression), { minLength: 1, maxLength: 3 })
      .map((items) => `[${items.join(', ')}]`);
    const after = fc.constantFrom('', ' }} ', '}', '/', '"', "isn't", '{{a}}', '\n}}');
    fc.assert(
      fc.property(source, after, (inside, rest) => {
        const text = `{{${inside}}}${rest}`;
        const { end } = parseExpressionAt(text, 2, { ecmaVersion: 'latest' });
        const expected = /^(?:\s|\/\/.*|\/\*[^]*?\*\/)*/.exec(text.slice(end))![0].length + end;
        expect(text.slice(expected, expected + 2)).toBe('}}');
        expect(expressionsIn(text)[0]).toBe(text.slice(2, expected));
      }),
    );
  });
});

describe('braces that are no expression', () => {
  it.each(['{ {n} } {{n', 'a {{', '}} {{ {n}', '{n} }}', '{{{{'])('%s is text without a }} after {{', (text) => {
    expect(filled(text)).toBe(text);
  });

  it.each([
    ['{{n', '{{n {{name}}', 'This {{ has no closing }}.', 1],
    ['a single brace', 'Hello {{name}, you have {{n}}', 'Expected }}, found }.', 5],
    ['an unclosed string', '{{"n}} and more', 'This string has no closing quote.', 1],
    ['an unclosed comment', '{{n /* }} and more', 'This comment has no closing */.', 3],
    ['an unclosed object', '{{ {a: {b: n} }} and more', 'Expected }}, found }.', 14],
    ['what isn’t an expression', '{{#each list}}', 'Unexpected character “#”.', 1],
    ['nothing', 'a {{}}', 'The condition is empty.', 1],
    ['four braces', '{{{{n}}}}', 'Unexpected {.', 2],
  ])('%s is refused, never written as it is', (_, text, message, column) => {
    expect(() => filled(text)).toThrow(expect.objectContaining({ code: 'INVALID_CONDITION', message, column }));
  });

  it.each([
    ['{{', ''],
    ['{{a', '}}'],
    ['{{/*', '}}'],
    ['{{/[', '}}'],
    ["{{'", '}}'],
    ["{{'\\'", '}}'],
    ['{{`', '`}}'],
    ['{{`${', '}}'],
    ['{{a}}', '}}'],
    ['{{ {a:', '}}'],
    ['a/', '{{a/}}'],
  ])('reads each character of many “%s” only a few times', (piece, end) => {
    const text = piece.repeat(5_000) + end;
    const exec = vi.spyOn(RegExp.prototype, 'exec');
    expect(expressionsIn(text).length).toBeLessThanOrEqual(5_000);
    expect(exec.mock.calls.length).toBeLessThan(10 * text.length);
    exec.mockRestore();
  });
});

describe('a value within text', () => {
  const when = new Date('2026-11-27T10:00:00Z');
  const cyclic: Record<string, unknown> = { name: 'Ada' };
  cyclic.self = cyclic;
  const deep = JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)) as unknown;
  it.each<[string, unknown, string]>([
    ['a date', when, '2026-11-27T10:00:00.000Z'],
    ['a date in an object', { when }, '{"when":"2026-11-27T10:00:00.000Z"}'],
    ['an invalid date', new Date(NaN), ''],
    ['a BigInt', 12345678901234567890n, '12345678901234567890'],
    ['a BigInt in an object', { n: [12345678901234567890n] }, '{"n":["12345678901234567890"]}'],
    [
      'a map',
      new Map<unknown, unknown>([
        ['a', 1],
        [2, when],
      ]),
      '[["a",1],[2,"2026-11-27T10:00:00.000Z"]]',
    ],
    ['a set', new Set(['a', new Set([1n])]), '["a",["1"]]'],
    ['an error', new RangeError('Too far.'), 'RangeError: Too far.'],
    ['an error in an object', { error: Object.assign(new Error('No.'), { code: 'E' }) }, '{"error":"Error: No."}'],
    ['a regular expression', [/a"b/g], '["/a\\"b/g"]'],
    ['a regular expression alone', /a"b/g, '/a"b/g'],
    ['a URL', new URL('https://a.example/?q=1'), 'https://a.example/?q=1'],
    ['an error of the platform', new DOMException('Late.', 'TimeoutError'), 'TimeoutError: Late.'],
    ['the query of a URL', [new URLSearchParams('a=1&b=%20')], '["a=1&b=+"]'],
    ['an object with toJSON', { toJSON: () => ({ a: 1 }) }, '{"a":1}'],
    ['an object whose toJSON is nothing', { toJSON: () => undefined }, ''],
    ['a symbol', Symbol('s'), 'Symbol(s)'],
    [
      'values of another realm',
      runInNewContext('[new Map([[1, new Error("No.")]]), /x/, 1n]'),
      '[[[1,"Error: No."]],"/x/","1"]',
    ],
  ])('says what %s is', (_, value, text) => {
    expect(toText(value)).toBe(text);
    expect(fill('={{value}}', () => value)).toBe(`=${text}`);
  });

  it.each([
    ['contains itself', cyclic, 'it contains itself'],
    ['contains itself in a map', new Map([['a', { cyclic }]]), 'it contains itself'],
    ['is nested too deeply', deep, 'it’s nested too deeply'],
  ])('is refused if it %s', (_, value, cause) => {
    expect(() => toText(value)).toThrow(`Couldn’t convert the value to text: ${cause}.`);
  });

  it('has the error of a getter as it is', () => {
    const error = new RangeError('Lost.');
    const value = Object.defineProperty({}, 'a', {
      enumerable: true,
      get: () => {
        throw error;
      },
    });
    expect(() => toText(value)).toThrow(error);
  });
});

describe('settings', () => {
  it('keep objects that aren’t plain as they are', () => {
    const objects = [new Date(0), new Map([['{{n}}', 1]]), /{{n}}/, new URL('https://a.example'), () => '{{n}}', 1n];
    const copy = filled({ objects, own: Object.assign(Object.create(null), { a: '{{n}}' }) }) as typeof context & {
      objects: unknown[];
    };
    objects.forEach((each, index) => expect(copy.objects[index]).toBe(each));
    expect(copy).toHaveProperty('own.a', 2);
  });

  it('are filled in objects of another realm', () => {
    expect(filled(runInNewContext(`({ a: ['{{n}}'] })`))).toEqual({ a: [2] });
  });

  it('that contain themselves are refused, and those that have an object twice aren’t', () => {
    const list: unknown[] = ['{{n}}'];
    expect(filled([list, list])).toEqual([[2], [2]]);
    list.push({ list });
    expect(() => filled(list)).toThrow('Couldn’t fill in the expressions: the setting contains itself.');
  });
});
