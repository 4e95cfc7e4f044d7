/** Tests that run each fuzz target briefly. `npm run fuzz` takes longer, and also ends targets that hang. */
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, it } from 'vitest';
import type { Target } from '../fuzz/check.ts';

const FOLDER = resolve(import.meta.dirname, '../fuzz');

/** Each test’s title has what `npm run fuzz -- --runs … --seed …` repeats it with. */
export async function fuzzBriefly(runs: number, seed: number): Promise<void> {
  // Fuzzing HTTP needs the platform with its database, so the platform’s tests do it.
  const files = (await readdir(FOLDER)).filter((file) => file.endsWith('.fuzz.ts') && file !== 'http.fuzz.ts');
  describe.each(files)('%s', (file) => {
    it(`finds nothing in ${runs} inputs from seed ${seed}`, async () => {
      const { fuzz } = (await import(resolve(FOLDER, file))) as Target;
      await fuzz(runs, seed);
    });
  });
}
