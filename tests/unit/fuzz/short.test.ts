/** Owns the short form of the fuzzing: some inputs for each target, the same ones and new ones. `npm run fuzz` is the long form, which also ends what hangs. */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, it } from 'vitest';
import type { Target } from '../../fuzz/check.ts';

const FOLDER = resolve(import.meta.dirname, '../../fuzz');
const RUNS = 150;
/** Told in the name of each test: `npm run fuzz -- --runs 150 --seed …` does it again. */
const SEEDS = [1, Date.now() % 2 ** 31];

// That of requests needs the platform with its database: it is among the platform's tests.
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
