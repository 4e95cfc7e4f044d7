/** The options of the command `platform`, and what they mean for `startPlatform`. */
import { PROFILE_NAMES, type ProfileName } from '../../platform-api/actions-v3/profiles.ts';
import {
  DATA_LIMIT,
  ENTRIES_LIMIT,
  LOCAL_PORT,
  LOG_DATA_RANGE,
  LOG_RECORDS_RANGE,
  MAX_QUEUE_LIMIT,
  RESULT_LIMIT,
  RUN_TIME_LIMIT,
} from '../../platform-api/limits.ts';
import type { PlatformOptions } from '../../local-platform/index.ts';
import { invalidArgument, parseInteger } from '../command/usage.ts';

/** As Commander has them. */
export interface PlatformFlags {
  port?: string;
  host?: string;
  data?: string;
  functions?: string;
  rateLimit?: string;
  role?: string;
  concurrency?: string;
  allowPrivate?: string[];
  appOrigin?: string[];
  oauthDemoPort?: string;
  oauthDemo?: boolean;
  timeLimit?: string;
  resultLimit?: string;
  entriesLimit?: string;
  dataLimit?: string;
  queueLimit?: string;
  logLimit?: string;
  logDataLimit?: string;
  specOnly?: boolean;
  v3Profile?: string;
  clock?: string;
}

export interface ServeOptions extends PlatformOptions {
  role: 'platform' | 'worker';
}

/** @throws CodedError `ARGUMENT_INVALID` */
export function readPlatformOptions(flags: PlatformFlags, env: NodeJS.ProcessEnv): ServeOptions {
  for (const name of ['host', 'data', 'functions'] as const)
    if (flags[name] === '') throw invalidArgument(`--${name} must not be empty.`);
  return {
    port: number('port', flags.port, 0, 65_535) ?? LOCAL_PORT,
    host: flags.host,
    data: flags.data ?? '.platform',
    functions: flags.functions,
    rateLimit: number('rate-limit', flags.rateLimit, 1, 1_000_000),
    role: role(flags.role, env.DATABASE_URL),
    databaseUrl: env.DATABASE_URL || undefined,
    concurrency: number('concurrency', flags.concurrency, 0, 64),
    allowPrivate: flags.allowPrivate,
    appOrigins: flags.appOrigin,
    oauthDemoPort: flags.oauthDemo === false ? null : number('oauth-demo-port', flags.oauthDemoPort, 0, 65_534),
    limits: definedOnly({
      time: number('time-limit', flags.timeLimit, 1, RUN_TIME_LIMIT),
      result: number('result-limit', flags.resultLimit, 1, RESULT_LIMIT),
      entries: number('entries-limit', flags.entriesLimit, 1, ENTRIES_LIMIT),
      data: number('data-limit', flags.dataLimit, 1, DATA_LIMIT),
      queue: number('queue-limit', flags.queueLimit, 1, MAX_QUEUE_LIMIT),
      logs: number('log-limit', flags.logLimit, ...LOG_RECORDS_RANGE),
      logData: number('log-data-limit', flags.logDataLimit, ...LOG_DATA_RANGE),
    }),
    specOnly: flags.specOnly,
    v3Profile: profile(flags.v3Profile),
    clock: time(flags.clock),
    smtpUrl: env.SMTP_URL || undefined,
    authToken: env.PLATFORM_AUTH_TOKEN || undefined,
  };
}

const number = (name: string, given: string | undefined, from: number, to: number): number | undefined =>
  given === undefined ? undefined : parseInteger(given, `--${name}`, from, to);

/** Removes properties that are undefined. */
const definedOnly = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

function role(name: string | undefined, databaseUrl: string | undefined): ServeOptions['role'] {
  if (name === undefined || name === 'platform') return 'platform';
  if (name !== 'worker') throw invalidArgument('--role must be platform or worker.', `Replace “${name}”.`);
  if (!databaseUrl)
    throw invalidArgument('A worker needs a platform’s Postgres database.', 'Set DATABASE_URL to its URL.');
  return 'worker';
}

function profile(text: string | undefined): ProfileName | undefined {
  const found = PROFILE_NAMES.find((name) => name === text);
  if (text !== undefined && !found)
    throw invalidArgument(`--v3-profile must be ${PROFILE_NAMES.join(' or ')}.`, `Replace “${text}”.`);
  return found;
}

function time(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const found = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : new Date(NaN);
  if (Number.isNaN(found.getTime()))
    throw invalidArgument('--clock must be a time such as 2026-03-29T00:00:00Z.', `Replace “${text}”.`);
  return found;
}
