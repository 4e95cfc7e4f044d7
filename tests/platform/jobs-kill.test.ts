/**
 * `kill -9` of the platform and of a runner at random moments: every queued run ends in exactly one log record, and
 * none completes twice. `tests/exhaustive/platform/jobs-kill.test.ts` kills more, and workers.
 */
import { it } from 'vitest';
import { testDatabases } from './support/databases.ts';
import { killRounds } from './support/kill-rounds.ts';

// One at a time, so that at most three of them are killed.
it('6 runs', () => killRounds(testDatabases('PGlite'), { runs: 6, kills: 2, concurrency: 1 }), 240_000);
