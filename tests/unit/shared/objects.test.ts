/** Plain data, as JSON has it. */
import { describe, expect, it } from 'vitest';
import { mapTexts } from '../../../lib/shared/objects.ts';

describe('texts of plain data', () => {
  it('are changed in values and names, in their order', () => {
    const changed = mapTexts({ a: ['b', { c: 'd' }], e: 1, f: null, g: undefined }, (text) => text.toUpperCase());
    expect(JSON.stringify(changed)).toBe('{"A":["B",{"C":"D"}],"E":1,"F":null}');
  });
  it('are changed however deep they are', () => {
    let deep: unknown = 'a';
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(() => mapTexts(deep, (text) => text)).not.toThrow();
  });
  it('can’t change a prototype', () => {
    const changed = mapTexts(JSON.parse('{"__proto__":{"x":"y"}}'), (text) => text) as Record<string, unknown>;
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    expect(JSON.stringify(changed)).toBe('{"__proto__":{"x":"y"}}');
  });
});
