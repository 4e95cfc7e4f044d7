/** Fuzzes requests for a short time. `npm run fuzz -- --only http` is the long form. */
import { expect, test } from 'vitest';
import { fuzz } from '../fuzz/http.fuzz.ts';

test.each([1, Date.now() % 2 ** 31])(
  '150 requests from seed %i are answered, each refusal with a code',
  async (seed) => {
    await expect(fuzz(150, seed)).resolves.toBeUndefined();
  },
  60_000,
);
