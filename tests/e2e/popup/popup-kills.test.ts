/** Publishing while the worker is killed at each of its steps: nothing is sent twice. */
import { test } from 'vitest';
import { killEach, MOMENTS, setUpKills } from '../../support/popup-kills.ts';

const STEPS = MOMENTS.filter((moment) => typeof moment === 'string');

setUpKills();

test(`a worker killed at each of ${STEPS.length} steps leaves one release per intent or an unknown outcome, never two`, () =>
  killEach(STEPS));
