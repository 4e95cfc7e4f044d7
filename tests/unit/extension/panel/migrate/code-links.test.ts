import { expect, test } from 'vitest';
import { CodeLinks } from '../../../../../lib/extension/panel/migrate/code-links.ts';
import { migrate } from '../../../../../lib/migrate/index.ts';

const own = (name: string, settings: Record<string, unknown>) => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
});
const say = (message: string) => own('return-string', { message });
const PIPELINE = [
  own('set-context', { assign: { a: 'b' } }),
  {
    type: 'loop' as const,
    items: 'records',
    functions: [
      { type: 'if' as const, conditions: [{ condition: 'a', functions: [say('yes')] }], elseFunctions: [say('no')] },
    ],
  },
  say('end'),
];

const migrated = migrate({ name: 'a', functions: PIPELINE });
const code = migrated.ok ? migrated.value.code : '';
const lines = code.split('\n');
const links = new CodeLinks(code);
const textOf = (path: string): string => {
  const { from, to } = links.rangeOf(path) ?? { from: 1, to: 0 };
  return lines.slice(from - 1, to).join('\n');
};

test('a step has the lines from its comment to its end', () => {
  expect(textOf('/0')).toBe('  // /0\n  data.a = data.b;');
});

test('a loop has the lines of its body', () => {
  expect(textOf('/1')).toContain('// /1/functions/0/elseFunctions/0');
  expect(textOf('/1')).not.toContain('// /2');
});

test('a step in a block ends where the block ends', () => {
  const text = textOf('/1/functions/0/conditions/0/functions/0');
  expect(text).toContain("'yes'");
  expect(text).not.toContain('else');
});

test('the last step has neither the result nor the helpers', () => {
  expect(textOf('/2')).toContain("'end'");
  expect(textOf('/2')).not.toContain('return result');
});

test('a block of an if step has the lines of its first step', () => {
  expect(textOf('/1/functions/0/elseFunctions')).toBe(textOf('/1/functions/0/elseFunctions/0'));
});

test('a line belongs to its innermost step', () => {
  const line = lines.findIndex((text) => text.includes("'no'")) + 1;
  expect(links.pathAt(line)).toBe('/1/functions/0/elseFunctions/0');
});

test('a line between an inner step and the end of its loop belongs to the loop', () => {
  const { to } = links.rangeOf('/1') ?? { to: 0 };
  expect(links.pathAt(to)).toBe('/1');
});

test('the line of the function itself belongs to no step', () => {
  expect(links.pathAt(2)).toBe(null);
  expect(links.pathAt(lines.length)).toBe(null);
});

test('a step whose comment was removed has no lines', () => {
  expect(new CodeLinks(code.replace('// /2', '')).rangeOf('/2')).toBe(null);
});
