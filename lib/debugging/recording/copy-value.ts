/** Copies what was read from recordings. Takes as long as the value is large, also if it has the same objects many times. */
import { isPlain, loseProperty, LostValueError } from './values.ts';

/**
 * What is at several places is one object in the copy, too. Lost values throw there when they’re read, as do values that
 * aren’t data.
 * @throws LostValueError if the value itself isn’t data
 */
export function copyValue(value: unknown): unknown {
  const copies = new Map<object, object>();
  const open: [from: object, to: object][] = [];
  const copyOf = (one: unknown): unknown => {
    if (typeof one === 'function' || typeof one === 'symbol') throw new LostValueError('not-data');
    if (typeof one !== 'object' || one === null) return one;
    const known = copies.get(one);
    if (known) return known;
    if (one instanceof Date) return new Date(one);
    if (!isPlain(one)) throw new LostValueError('not-data');
    const copy = Array.isArray(one) ? [] : {};
    copies.set(one, copy);
    open.push([one, copy]);
    return copy;
  };
  const copied = copyOf(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const [from, to] = next;
    for (const key of Object.keys(from)) {
      try {
        const item = copyOf((from as Record<string, unknown>)[key]);
        Object.defineProperty(to, key, { value: item, writable: true, enumerable: true, configurable: true });
      } catch (thrown) {
        loseProperty({ holder: to, key }, thrown instanceof LostValueError ? thrown.reason : 'unreadable');
      }
    }
  }
  return copied;
}
