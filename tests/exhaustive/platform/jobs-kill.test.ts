/** `kill -9` of the platform, of workers, and of runners at random moments loses and repeats no run, on both databases. */
import { it } from 'vitest';
import { onBothDatabases } from '../../platform/support/databases.ts';
import { killRounds } from '../../platform/support/kill-rounds.ts';

/** The full test has KILL_RUNS=200. */
const RUNS = Number(process.env.KILL_RUNS ?? 60);

onBothDatabases((databases) => {
  it(`${RUNS} runs`, () => killRounds(databases, { runs: RUNS, kills: Math.ceil(RUNS / 10) }), 480_000);
});
