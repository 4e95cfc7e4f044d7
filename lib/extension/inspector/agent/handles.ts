/** A bounded table of truncated values. The panel requests the rest of a value by its handle. */
import { floor, mapDelete, mapGet, MapOf, mapSet, random } from './pristine.ts';

const MAX_HANDLES = 5_000;
/** The total length of the strings in the table, in characters. */
const MAX_CHARS = 64 * 1024 * 1024;
/** The number of runs whose values are kept. A page might process large values all day. */
const MAX_RUNS = 10;

export interface Handles {
  add(value: string | object): number;
  get(handle: number): string | object | undefined;
  /** Releases the oldest run's values. */
  runStarted(): void;
  /** What a property with a getter is described as. By default, that it's a getter. */
  readonly getterText?: string;
}

/** Handles start at a random number, so that handles from an earlier document are invalid in this one. */
export function createHandles(): Handles {
  const values = new MapOf<number, string | object>();
  let next = floor(random() * 2 ** 40) * 4096;
  let oldest = next;
  let chars = 0;
  /** Each run's first handle, indexed by the run's number modulo `MAX_RUNS`. */
  const firstOfRun: number[] = [];
  let runs = 0;
  function dropOldest(): void {
    const value = mapGet(values, oldest);
    if (typeof value === 'string') chars -= value.length;
    mapDelete(values, oldest);
    oldest++;
  }
  return {
    add(value) {
      const handle = next++;
      mapSet(values, handle, value);
      if (typeof value === 'string') chars += value.length;
      while (next - oldest > MAX_HANDLES || (chars > MAX_CHARS && oldest < handle)) dropOldest();
      return handle;
    },
    get: (handle) => mapGet(values, handle),
    runStarted() {
      firstOfRun[runs++ % MAX_RUNS] = next;
      // The next run will overwrite the oldest run's entry.
      const first = runs < MAX_RUNS ? oldest : firstOfRun[runs % MAX_RUNS]!;
      while (oldest < first) dropOldest();
    },
  };
}
