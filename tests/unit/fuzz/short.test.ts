/** Runs each fuzz target briefly, with a fixed seed. */
import { fuzzBriefly } from '../../support/fuzz-briefly.ts';

await fuzzBriefly(150, 1);
