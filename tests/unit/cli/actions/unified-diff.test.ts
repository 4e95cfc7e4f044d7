import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unifiedDiff } from '../../../../lib/cli/actions/unified-diff.ts';

const textOf = (lines: readonly unknown[]): string => lines.map((line) => `${String(line)}\n`).join('');
const compared = (before: string, now: string) => unifiedDiff({ name: 'a', text: before }, { name: 'b', text: now });
const numbers = (count: number, by: number): number[] =>
  Array.from({ length: count }, (_, index) => (index * 7_919 + by) % 1_000_003);

describe('the difference of two texts', () => {
  test('has four equal lines around what differs', () => {
    expect(compared('1\n2\n3\n4\n5\n6\n', '1\n2\n3\n4\nx\n6\n').diff).toBe(
      '--- a\n+++ b\n@@ -1,6 +1,6 @@\n 1\n 2\n 3\n 4\n-5\n+x\n 6\n',
    );
  });

  test('is a patch that makes the second of the first', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '-', '@@'), { maxLength: 20 });
    fc.assert(
      fc.property(lines, lines, (before, now) => {
        const { diff, isCoarse } = compared(textOf(before), textOf(now));
        expect(applyPatch(textOf(before), diff)).toBe(textOf(now));
        expect(isCoarse).toBe(false);
      }),
    );
  });

  test('of two lists of 15,000 numbers says that it’s coarse, and is such a patch, too', () => {
    const [before, now] = [textOf(['[', ...numbers(15_000, 0), ']']), textOf(['[', ...numbers(15_000, 9), ']'])];
    const { diff, isCoarse } = compared(before, now);
    expect(isCoarse).toBe(true);
    expect(diff.split('\n').slice(2, 5)).toEqual([
      '@@ -1,15002 +1,15002 @@ differs in too many places to align',
      ' [',
      '-0',
    ]);
    expect(applyPatch(before, diff)).toBe(now);
  });

  test('is exact if all of 15,000 lines are new', () => {
    const { diff, isCoarse } = compared('', textOf(numbers(15_000, 0)));
    expect(isCoarse).toBe(false);
    expect(diff).toMatch(/^--- a\n\+\+\+ b\n@@ -0,0 \+1,15000 @@\n\+0\n/);
  });
});
