/** A seeded random number generator. */

export interface Chance {
  /** From 0 to below 1. */
  next(): number;
  /** An integer from `from` to `to`, inclusive. */
  int(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { next, int, pick: (items) => items[int(0, items.length - 1)]! };
}
