/** Errors of the command-line options for runs and for the database. */
import { expect, it } from 'vitest';
import { runCli } from '../support/run-cli.ts';

async function fails(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, out, error } = await runCli(['platform', ...args], { env });
  expect(out).toBe('');
  expect(code).toBe(error.includes('(ARGUMENT_INVALID)') ? 64 : 1);
  return error;
}

it.each([
  { args: ['--role', 'boss'], message: '--role must be platform or worker. Replace “boss”.' },
  { args: ['--v3-profile', 'fast'], message: '--v3-profile must be plain or envelope. Replace “fast”.' },
  {
    args: ['--role', 'worker'],
    message: 'A worker needs a platform’s Postgres database. Set DATABASE_URL to its URL.',
  },
  { args: ['--concurrency', '65'], message: '--concurrency must be an integer from 0 to 64, not “65”.' },
  {
    args: ['--time-limit', '120001'],
    message: '--time-limit must be an integer from 1 to 120000, not “120001”.',
  },
  { args: ['--result-limit', '0'], message: '--result-limit must be an integer from 1 to 6291456, not “0”.' },
  { args: ['--clock', 'noon'], message: '--clock must be a time such as 2026-03-29T00:00:00Z. Replace “noon”.' },
  {
    args: ['--clock', '2026-13-01'],
    message: '--clock must be a time such as 2026-03-29T00:00:00Z. Replace “2026-13-01”.',
  },
])('refuses the options $args', async ({ args, message }) => {
  expect(await fails(args)).toContain(message);
});

it('names a database that it can’t reach, without the password', async () => {
  expect(await fails(['--port', '0'], { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/none' })).toMatch(
    /^Couldn’t open the database postgres:\/\/127\.0\.0\.1:1\/none: .*ECONNREFUSED.* Check DATABASE_URL, and make sure that the server is running\. \(PLATFORM_NOT_STARTED\)\n$/,
  );
});
