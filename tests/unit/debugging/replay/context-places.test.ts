/** Where the context of a replay has an object. */
import { describe, expect, it } from 'vitest';
import { ContextPlaces } from '../../../../lib/debugging/replay/inputs/context-places.ts';

const NONE = new Set<string>();

describe('the place of an object', () => {
  it('is its first one, other than at excluded names', () => {
    const user = { name: 'Ada' };
    const context = { 'a/b': [{ user }], currentItem: { user } };
    const places = new ContextPlaces();
    expect(places.of(user, context, NONE)).toBe('/a~1b/0/user');
    expect(places.of(user, context, new Set(['a/b']))).toBe('/currentItem/user');
    expect(places.of(user, context, new Set(['a/b', 'currentItem']))).toBeUndefined();
    expect(places.of({ ...user }, context, NONE)).toBeUndefined();
  });

  it('is found after the value of a name was replaced', () => {
    const context: Record<string, unknown> = { item: { id: 1 } };
    const places = new ContextPlaces();
    places.of(context['item'] as object, context, NONE);
    const before = context['item'] as object;
    const next = (context['item'] = { part: {} });
    expect(places.of(before, context, NONE)).toBeUndefined();
    expect(places.of(next.part, context, NONE)).toBe('/item/part');
  });

  it('is found after a change within a value, also through another name', () => {
    const row: Record<string, unknown> = { at: {} };
    const context = { rows: [row], currentItem: row };
    const places = new ContextPlaces();
    const before = row['at'] as object;
    expect(places.of(before, context, NONE)).toBe('/rows/0/at');
    row['at'] = 1;
    places.changed([['/currentItem/at', 1]]);
    expect(places.of(before, context, NONE)).toBeUndefined();
    const added = (row['at'] = {});
    places.changed([['/currentItem/at', {}]]);
    expect(places.of(added, context, NONE)).toBe('/rows/0/at');
  });

  it('is found in a cycle, and not by reading what can’t be read', () => {
    const cyclic: Record<string, unknown> = { in: {} };
    cyclic['self'] = cyclic;
    Object.defineProperty(cyclic, 'lost', {
      enumerable: true,
      get: () => {
        throw new Error('lost');
      },
    });
    expect(new ContextPlaces().of(cyclic['in'] as object, { cyclic }, NONE)).toBe('/cyclic/in');
  });

  it('is looked up without reading again what hasn’t changed', () => {
    let reads = 0;
    const rows = new Proxy([{}, {}], {
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
    });
    const places = new ContextPlaces();
    for (let count = 0; count < 100; count++) places.of({}, { rows, currentIndex: count }, NONE);
    expect(reads).toBe(1);
  });
});
