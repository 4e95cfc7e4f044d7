/**
 * `kill -9` of the platform and of a runner at random moments: every queued run ends in exactly one log record, and
 * none completes twice. `tests/exhaustive/platform/jobs-kill.test.ts` kills more, and workers.
 */
import { it } from 'vitest';
import { testDatabases } from './support/databases.ts';
import { killRounds } from './support/kill-rounds.ts';

it('16 runs', () => killRounds(testDatabases('PGlite'), { runs: 16, kills: 2 }), 240_000);
