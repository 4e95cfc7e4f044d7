/** The options of the command that concern runs: what is wrong is told in one sentence. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  [['--role', 'boss'], '--role must be platform or worker; "boss" is neither.'],
  [['--role', 'worker'], "A worker needs the platform's Postgres database; give its address in DATABASE_URL."],
  [['--concurrency', '65'], '--concurrency must be a whole number from 0 to 64; "65" is not.'],
  [['--time-limit', '120001'], '--time-limit must be a whole number from 1 to 120000; "120001" is not.'],
  [['--result-limit', '0'], '--result-limit must be a whole number from 1 to 6291456; "0" is not.'],
  [['--clock', 'noon'], '--clock must be a time such as 2026-03-29T00:00:00Z; "noon" is not.'],
  [['--clock', '2026-13-01'], '--clock must be a time such as 2026-03-29T00:00:00Z; "2026-13-01" is not.'],
])('%j', (args, sentence) => {
  const { status, stderr } = spawnSync(process.execPath, ['lib/local-platform/cli.ts', ...args], {
    env: { ...process.env, DATABASE_URL: '' },
  });
  expect([status, stderr.toString().trim()]).toEqual([1, sentence]);
});

it('a database that is not there', () => {
  const { status, stderr } = spawnSync(process.execPath, ['lib/local-platform/cli.ts', '--port', '0'], {
    timeout: 20_000,
    env: { ...process.env, DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' },
  });
  expect([status, stderr.toString().trim()]).toEqual([
    1,
    expect.stringMatching(
      /^The database postgres:\/\/127\.0\.0\.1:1\/none cannot be used: .*ECONNREFUSED.* Check DATABASE_URL, and that the server runs\.$/,
    ),
  ]);
});
