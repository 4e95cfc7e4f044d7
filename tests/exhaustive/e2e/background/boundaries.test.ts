/** Kills the worker at every boundary of every message. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killAll, KILLS } from '../../../support/boundaries/kills.ts';
import { closeWorld, startWorld } from '../../../support/boundaries/world.ts';

beforeAll(startWorld);
afterAll(closeWorld);

test(
  'a worker killed at every boundary of every message loses nothing, does nothing twice, and leaves no sender waiting',
  { timeout: 300_000 },
  async () => {
    const { counts } = await killAll(KILLS);
    // At least some kills happen in time.
    expect(counts['WORKER_UNREACHABLE'], JSON.stringify(counts)).toBeGreaterThanOrEqual(8);
  },
);
