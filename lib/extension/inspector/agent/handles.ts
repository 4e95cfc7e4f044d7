/** Owns the bounded table by which the panel asks for the rest of a value that was cut. */
import { floor, mapDelete, mapGet, MapOf, mapSet, random } from './pristine.ts';

const MOST_HANDLES = 5_000;
/** Characters of text that the table keeps alive. */
const MOST_TEXT = 64 * 1024 * 1024;
/** Runs whose values are kept alive: a page may work with large ones all day. */
const MOST_RUNS = 10;

export interface Handles {
  add(value: string | object): number;
  get(handle: number): string | object | undefined;
  /** A run begins: the values of the oldest are let go of. */
  runStarted(): void;
}

/** Handles start at a random number, so that one of an earlier document names nothing in this one. */
export function createHandles(): Handles {
  const values = new MapOf<number, string | object>();
  let next = floor(random() * 2 ** 40) * 4096;
  let oldest = next;
  let text = 0;
  /** The first handle of each run, at the run's number modulo `MOST_RUNS`. */
  const firsts: number[] = [];
  let runs = 0;
  function dropOldest(): void {
    const value = mapGet(values, oldest);
    if (typeof value === 'string') text -= value.length;
    mapDelete(values, oldest);
    oldest++;
  }
  return {
    add(value) {
      const handle = next++;
      mapSet(values, handle, value);
      if (typeof value === 'string') text += value.length;
      while (next - oldest > MOST_HANDLES || (text > MOST_TEXT && oldest < handle)) dropOldest();
      return handle;
    },
    get: (handle) => mapGet(values, handle),
    runStarted() {
      firsts[runs++ % MOST_RUNS] = next;
      // Where the next run will be noted, the oldest one still is.
      const first = runs < MOST_RUNS ? oldest : firsts[runs % MOST_RUNS]!;
      while (oldest < first) dropOldest();
    },
  };
}
