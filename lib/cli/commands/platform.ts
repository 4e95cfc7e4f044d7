/** `platform`: the local platform, or a worker of it. */
import type { Command } from 'commander';
import { PROFILE_NAMES } from '../../platform-api/actions-v3/profiles.ts';
import type { AddCommand } from '../command/program.ts';
import {
  DATA_LIMIT,
  ENTRIES_LIMIT,
  LOCAL_PORT,
  LOG_DATA_LIMIT,
  LOG_RECORDS_LIMIT,
  QUEUE_LIMIT,
} from '../../platform-api/limits.ts';
import { type PlatformFlags, readPlatformOptions } from '../platform/options.ts';

const ENVIRONMENT = `
Environment variables:

  PLATFORM_AUTH_TOKEN  the token (default: a new one, stored in the data folder)
  SMTP_URL             a mail server, such as smtp://localhost:2525 (default: email stays in the outbox)
  DATABASE_URL         a Postgres database, such as postgres://user@localhost/platform (default: --data)
`;

export const addPlatform: AddCommand = (program, run) => {
  withOptions(program.command('platform').description('Start a local platform with demo apps'))
    .addHelpText('after', ENVIRONMENT)
    .action(
      run(async (context, flags: PlatformFlags) => {
        const options = readPlatformOptions(flags, context.host.env);
        const { serve } = await import('../platform/serve.ts');
        return serve(options, context);
      }),
    );
};

const withOptions = (command: Command): Command =>
  command
    .option('--port <number>', `port; 0 picks a free one (default: ${LOCAL_PORT})`)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, this machine only)')
    .option('--data <folder>', 'folder of the database, or “memory” (default: .platform)')
    .option('--functions <folder>', 'serve every .js file in the folder as a function package')
    .option('--rate-limit <number>', 'limit requests per token per minute (default: no limit)')
    .option('--role <role>', '“platform”, or “worker”: executes runs for the platforms on the same Postgres database')
    .option('--concurrency <number>', 'concurrent runs (default: 4); 0 leaves runs to workers')
    .option('--allow-private <host>', 'let runs reach this private host, or host:port (repeatable)', collect)
    .option('--app-origin <origin>', 'another origin where apps of this platform run (repeatable)', collect)
    .option('--oauth-demo-port <number>', 'first port of the two OAuth2 demo services (default: those after --port)')
    .option('--no-oauth-demo', 'start without the OAuth2 demo services')
    .option('--time-limit <ms>', 'time limit for a run, at most 120000')
    .option('--result-limit <bytes>', 'size limit for a result, at most 6291456')
    .option('--entries-limit <number>', `entries in all data sources of an app, at most ${ENTRIES_LIMIT}`)
    .option('--data-limit <bytes>', `size of those entries as JSON, at most ${DATA_LIMIT}`)
    .option('--queue-limit <number>', `waiting runs of an app (default: ${QUEUE_LIMIT})`)
    .option('--log-limit <number>', `log records of an app (default: ${LOG_RECORDS_LIMIT}); the oldest are removed`)
    .option('--log-data-limit <bytes>', `size of those records as JSON (default: ${LOG_DATA_LIMIT})`)
    .option('--spec-only', 'serve only what the specification shows')
    .option(
      '--v3-profile <name>',
      `limits and results of App Actions V3: ${PROFILE_NAMES.join(' or ')} (default: plain)`,
    )
    .option('--clock <time>', 'use a virtual clock that shows this time until POST /v1/clock moves it');

/** Of an option that can be repeated. */
export const collect = (value: string, previous: string[] = []): string[] => [...previous, value];
