/** Runs each fuzz target briefly, with a new seed. */
import { fuzzBriefly } from '../../../support/fuzz-briefly.ts';

await fuzzBriefly(1_000, Date.now() % 2 ** 31);
