import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDifferences } from '../../../../../lib/extension/panel/migrate/line-differences.ts';

const listed = (before: string[], now: string[]) =>
  lineDifferences(before.join('\n'), now.join('\n')).map(({ kind, text }) => `${kind} ${text}`.trim());

test('equal code has no differences', () => {
  expect(listed(['a', 'b'], ['a', 'b'])).toEqual([]);
});

test('a changed line is removed and added', () => {
  expect(listed(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual(['same a', 'removed b', 'added x', 'same c']);
});

test('a difference is shown with three lines around it', () => {
  const lines = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
  expect(listed(lines, lines.with(4, 'x'))).toEqual([
    'gap',
    'same 2',
    'same 3',
    'same 4',
    'removed 5',
    'added x',
    'same 6',
    'same 7',
    'same 8',
    'gap',
  ]);
});

test('the lines that stay are those that both have', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12, minLength: 1 });
  fc.assert(
    fc.property(lines, lines, (before, now) => {
      // Without gaps, because there are too few lines for most of them.
      const shown = lineDifferences(before.join('\n'), now.join('\n')).filter(({ kind }) => kind !== 'gap');
      const added = shown.filter(({ kind }) => kind === 'added').length;
      const removed = shown.filter(({ kind }) => kind === 'removed').length;
      expect(now.length - before.length).toBe(added - removed);
    }),
  );
});

test('what is too long to align says so, and is removed and added as a whole', () => {
  const lines = Array.from({ length: 2_001 }, (_, index) => `line ${index}`);
  const changed = ['first', ...lines, 'last'];
  const kinds = lineDifferences(lines.join('\n'), changed.join('\n')).map(({ kind }) => kind);
  expect(kinds[0]).toBe('note');
  expect(new Set(kinds.slice(1))).toEqual(new Set(['removed', 'added']));
});
