/** Kills workers of the vault at more kinds of steps, and in more histories, than `npm test`. `KILLS=3000` sets their number. */
process.env['KILLS'] ??= '300';

await import('../../../../unit/extension/vault/kills.test.ts');
