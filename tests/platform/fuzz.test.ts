/** Fuzzes requests for a short time. `npm run fuzz -- --only http` is the long form. */
import { expect, test } from 'vitest';
import { fuzz } from '../fuzz/http.fuzz.ts';

test.each([1, Date.now() % 2 ** 31])(
  '150 requests from seed %i get a response, and each refusal has a code',
  async (seed) => {
    await expect(fuzz(150, seed)).resolves.toBeUndefined();
  },
  60_000,
);
