import { expect, test } from 'vitest';
import { escapeToken, parsePointer, valueAt } from '../../../lib/shared/json-pointer.ts';

test('escapes "~" and "/" in a token', () => expect(['a/b', '~', 0].map(escapeToken)).toEqual(['a~1b', '~0', '0']));
test('parses a pointer with escaped tokens', () => expect(parsePointer('/a~1b/~01/0')).toEqual(['a/b', '~1', '0']));
test('reads the value at a pointer', () => expect(valueAt({ a: [{ 'b/c': 7 }] }, '/a/0/b~1c')).toBe(7));
test('reads the whole value at the empty pointer', () => expect(valueAt(7, '')).toBe(7));
test('does not read inherited properties', () => expect(valueAt({}, '/constructor')).toBeUndefined());
