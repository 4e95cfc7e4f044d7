/** More rounds of changes whose connection ends before the response. `CUTS=100` sets their number. */
import { testCuts } from '../../../support/chromium-cuts.ts';

const ROUNDS = Number(process.env['CUTS'] ?? 4);

testCuts(`in Chromium, no change reaches the platform twice in ${ROUNDS} rounds of cut connections`, ROUNDS);
