/** Publishing while the worker is killed at any moment: nothing is sent twice. `POPUP_KILLS=100` tries more often. */
import { test } from 'vitest';
import { killEach, MOMENTS, setUpKills } from '../../../support/popup-kills.ts';

const ROUNDS = Number(process.env['POPUP_KILLS'] ?? 2 * MOMENTS.length);

setUpKills();

test(
  `a worker killed at any moment, ${ROUNDS} times, leaves one release per intent or an unknown outcome, never two`,
  { timeout: 60_000 + ROUNDS * 20_000 },
  () => killEach(Array.from({ length: ROUNDS }, (_, round) => MOMENTS[round % MOMENTS.length]!)),
);
