import { expect, it } from 'vitest';
import { jsonProblem } from '../../../../lib/cli/actions/json-place.ts';

it.each([
  ['{"a": 1,}', 1, 9],
  ['{', 1, 2],
  ['', 1, 1],
  ['abc', 1, 1],
  ['{"a": tru}', 1, 10],
  ["{'a': 1}", 1, 2],
  ['{"a": 1\n  "b": 2}', 2, 3],
  ['{\r\n"a": 1\r\n"b": 2}', 3, 1],
  ['{"a": "x\n"}', 1, 9],
  ['[1, 2', 1, 6],
  ['{"a": 1}\n<<<<<<< HEAD\n', 2, 1],
  [`{"a": "${'x'.repeat(200)}",\n "b": nope}`, 2, 8],
])('finds where %j stops being JSON', (text, line, column) => {
  expect(jsonProblem(text)).toEqual({ line, column });
});

it('finds nothing in JSON', () => {
  expect(jsonProblem('{"a": [1, null, "é😀"]}\n')).toBe(null);
});
