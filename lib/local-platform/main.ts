/** Implements the command: parses options, starts the platform, prints its URL, and waits for a signal. */
import { PROFILE_NAMES, type ProfileName } from '../platform-api/actions-v3/profiles.ts';
import { parseArgs } from 'node:util';
import { RESULT_LIMIT, RUN_TIME_LIMIT } from '../platform-api/limits.ts';
import { DATA_LIMIT, ENTRIES_LIMIT } from './apps/data-usage.ts';
import {
  startPlatform,
  startWorker,
  StartProblem,
  DEFAULT_PORT,
  type Platform,
  type PlatformOptions,
} from './index.ts';

export const HELP = `Usage: npm run platform -- [options]

Starts a local platform with demo apps.

  --port NUMBER       port; 0 picks a free one (default ${DEFAULT_PORT})
  --host ADDRESS      address to listen on (default 127.0.0.1: this machine only)
  --data FOLDER       folder of the database, or "memory" (default .platform)
  --functions FOLDER  serve every .js file in FOLDER as a function package
  --rate-limit N      limit requests per token per minute (default: no limit)
  --role ROLE         "platform" (default), or "worker": executes runs for the platforms on the same
                      Postgres database, without serving HTTP
  --concurrency N     concurrent runs (default 4; 0 leaves runs to workers)
  --allow-private HOST  let runs reach this private host, or host:port (repeatable)
  --app-origin ORIGIN  another origin where apps of this platform run (repeatable)
  --oauth-demo-port N  first port of the two OAuth2 demo services (default: the two after --port)
  --no-oauth-demo     start without the OAuth2 demo services
  --time-limit MS     time limit for a run, at most 120000
  --result-limit BYTES  size limit for a result, at most 6291456
  --entries-limit N   limit for entries across all data sources of an app, at most ${ENTRIES_LIMIT}
  --data-limit BYTES  size limit for those entries, in bytes of JSON, at most ${DATA_LIMIT}
  --spec-only         serve only what the specification shows: four REST endpoints, and pages
                      with an API of their own
  --v3-profile NAME   limits and results of App Actions V3: ${PROFILE_NAMES.join(' or ')}. Default: plain
  --clock TIME        use a virtual clock that shows TIME until POST /v1/clock moves it
  --json              print only one line of JSON when ready
  --help              print this help

Environment variables:

  PLATFORM_AUTH_TOKEN  the token (default: a new one, stored in the data folder)
  SMTP_URL             a mail server, such as smtp://localhost:2525 (default: email stays in the outbox)
  DATABASE_URL         a Postgres database, such as postgres://user@localhost/platform (default: --data)
`;

const SEE_HELP = 'Try --help to see all options.';

/** Resolves with the exit code once the platform has stopped. */
export async function main(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const options = readOptions(args, env);
    if (options === 'help') {
      process.stdout.write(HELP);
      return 0;
    }
    return await serve(options);
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error;
    console.error(`${error.message} ${error.hint}`);
    return 1;
  }
}

interface Options extends PlatformOptions {
  json: boolean;
  role: 'platform' | 'worker';
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  port: text,
  host: text,
  data: text,
  functions: text,
  'rate-limit': text,
  role: text,
  concurrency: text,
  'allow-private': { type: 'string', multiple: true },
  'time-limit': text,
  'result-limit': text,
  'entries-limit': text,
  'data-limit': text,
  clock: text,
  'app-origin': { type: 'string', multiple: true },
  'oauth-demo-port': text,
  'no-oauth-demo': flag,
  'spec-only': flag,
  'v3-profile': text,
  json: flag,
  help: flag,
} as const;

function readOptions(args: string[], env: NodeJS.ProcessEnv): Options | 'help' {
  const { values } = (() => {
    try {
      return parseArgs({
        args,
        options: OPTIONS,
      });
    } catch (error) {
      throw new StartProblem(`${(error as Error).message.split('. ')[0]!.replace(/\.$/, '')}.`, SEE_HELP);
    }
  })();
  if (values.help) return 'help';
  for (const name of ['host', 'data', 'functions'] as const)
    if (values[name] === '') throw new StartProblem(`--${name} must not be empty.`, SEE_HELP);
  return {
    port: number('port', values.port, 0, 65_535) ?? DEFAULT_PORT,
    host: values.host,
    data: values.data ?? '.platform',
    functions: values.functions,
    rateLimit: number('rate-limit', values['rate-limit'], 1, 1_000_000),
    json: values.json ?? false,
    role: role(values.role, env.DATABASE_URL),
    databaseUrl: env.DATABASE_URL || undefined,
    concurrency: number('concurrency', values.concurrency, 0, 64),
    allowPrivate: values['allow-private'],
    appOrigins: values['app-origin'],
    oauthDemoPort: values['no-oauth-demo'] ? null : number('oauth-demo-port', values['oauth-demo-port'], 0, 65_534),
    limits: definedOnly({
      time: number('time-limit', values['time-limit'], 1, RUN_TIME_LIMIT),
      result: number('result-limit', values['result-limit'], 1, RESULT_LIMIT),
      entries: number('entries-limit', values['entries-limit'], 1, ENTRIES_LIMIT),
      data: number('data-limit', values['data-limit'], 1, DATA_LIMIT),
    }),
    specOnly: values['spec-only'],
    v3Profile: profile(values['v3-profile']),
    clock: time(values.clock),
    smtpUrl: env.SMTP_URL || undefined,
    authToken: env.PLATFORM_AUTH_TOKEN || undefined,
  };
}

function number(name: string, text: string | undefined, from: number, to: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (!(value >= from && value <= to))
    throw new StartProblem(`--${name} must be an integer from ${from} to ${to}.`, `Replace “${text}”.`);
  return value;
}

/** Removes properties that are undefined. */
const definedOnly = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

function role(name: string | undefined, databaseUrl: string | undefined): Options['role'] {
  if (name === undefined || name === 'platform') return 'platform';
  if (name !== 'worker') throw new StartProblem('--role must be platform or worker.', `Replace “${name}”.`);
  if (!databaseUrl)
    throw new StartProblem('A worker needs a platform’s Postgres database.', 'Set DATABASE_URL to its URL.');
  return 'worker';
}

function profile(text: string | undefined): ProfileName | undefined {
  const found = PROFILE_NAMES.find((name) => name === text);
  if (text !== undefined && !found)
    throw new StartProblem(`--v3-profile must be ${PROFILE_NAMES.join(' or ')}.`, `Replace “${text}”.`);
  return found;
}

function time(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const found = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? new Date(text)
    : new Date(NaN);
  if (Number.isNaN(found.getTime()))
    throw new StartProblem('--clock must be a time such as 2026-03-29T00:00:00Z.', `Replace “${text}”.`);
  return found;
}

async function work({ databaseUrl, ...options }: Options, stopped: Promise<number>): Promise<number> {
  const worker = await startWorker({ ...options, databaseUrl: databaseUrl! });
  try {
    process.stdout.write('The worker is ready.\n');
    return await stopped;
  } finally {
    await worker.close();
  }
}

async function serve({ json, ...options }: Options): Promise<number> {
  let stop!: (code: number) => void;
  const stopped = new Promise<number>((resolve) => (stop = resolve));
  const onSignal = (): void => stop(0);
  // Registered before the platform starts, so that a signal during startup also leads to a clean exit.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, onSignal);
  try {
    return options.role === 'worker'
      ? await work({ json, ...options }, stopped)
      : await servePlatform({ json, ...options }, stopped, stop);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, onSignal);
  }
}

async function servePlatform(
  { json, ...options }: Options,
  stopped: Promise<number>,
  stop: (code: number) => void,
): Promise<number> {
  const onLost = (): void => {
    console.error(
      'Another process took over the data folder, perhaps because this machine slept. The platform is stopping so that nothing is written twice.',
    );
    stop(1);
  };
  const platform = await startPlatform({ ...options, onLost });
  try {
    const { baseUrl, authToken, apps, oauthDemo } = platform;
    process.stdout.write(
      json ? `${JSON.stringify({ baseUrl, authToken, apps, oauthDemo })}\n` : greeting(platform, options),
    );
    return await stopped;
  } finally {
    await platform.close();
  }
}

function greeting(
  { baseUrl, authToken, apps, oauthDemo }: Platform,
  { data, host, databaseUrl, specOnly }: PlatformOptions,
): string {
  const lines = apps.map(
    ({ id, name, actions }) => `  ${id}  ${name}: ${actions.map((action) => action.name).join(', ')}`,
  );
  const open =
    host === undefined || host === '127.0.0.1'
      ? []
      : [`The platform is listening on ${host}: anyone who can reach this machine and has the token can use it.`];
  return [
    `The local platform is ready at ${baseUrl} (data: ${databaseUrl ? 'DATABASE_URL' : data}).`,
    ...(specOnly ? ['This platform serves only what the specification shows (--spec-only).'] : []),
    ...open,
    `Auth-token: ${authToken}`,
    'Apps:',
    ...lines,
    ...(oauthDemo ? [`OAuth2 demo services: ${oauthDemo.code} and ${oauthDemo.implicit} (faults: /faults)`] : []),
    'Press Ctrl+C to stop.',
    '',
  ].join('\n');
}
