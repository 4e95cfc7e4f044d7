/** Runs each fuzz target briefly, with a fixed seed and a new one. `npm run fuzz` takes longer, and also ends targets that hang. */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, it } from 'vitest';
import type { Target } from '../../fuzz/check.ts';

const FOLDER = resolve(import.meta.dirname, '../../fuzz');
const RUNS = 150;
/** Each test’s title has its seed. `npm run fuzz -- --runs 150 --seed …` repeats it. */
const SEEDS = [1, Date.now() % 2 ** 31];

// Fuzzing HTTP needs the platform with its database, so the platform’s tests do it.
const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.fuzz.ts') && file !== 'http.fuzz.ts');

describe.each(files)('%s', (file) => {
  it.each(SEEDS)(
    `finds nothing in ${RUNS} inputs from seed %i`,
    async (seed) => {
      const { fuzz } = (await import(resolve(FOLDER, file))) as Target;
      await fuzz(RUNS, seed);
    },
    30_000,
  );
});
