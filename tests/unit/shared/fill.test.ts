import { describe, expect, it } from 'vitest';
import { compileCondition } from '../../../lib/pipeline/index.ts';
import { fill } from '../../../lib/shared/fill.ts';

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
