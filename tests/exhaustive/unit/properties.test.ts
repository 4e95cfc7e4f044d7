/** Runs the tests of properties with more random values than `npm test`. `RUNS=20000` sets their number. */
process.env['RUNS'] ??= '3000';

await import('../../unit/debugging/compare/align.test.ts');
await import('../../unit/debugging/pipelines/match-steps.test.ts');
await import('../../unit/debugging/recording/context-changes.test.ts');
await import('../../unit/debugging/replay-equality-property.test.ts');
await import('../../unit/debugging/replay-property.test.ts');
await import('../../unit/debugging/walk-property.test.ts');
await import('../../unit/pipeline/condition-property.test.ts');
await import('../../unit/pipeline/patterns-property.test.ts');
