/** Starts the local platform or a worker, says where it is, and serves until its signal is aborted. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Platform, startPlatform, startWorker, type StartProblem } from '../../local-platform/index.ts';
import { homeFolder } from '../../local-platform/installation.ts';
import type { CliContext } from '../command/context.ts';
import { EXIT } from '../command/exit-codes.ts';
import { oneLine, printableJson } from '../command/text.ts';
import { type Place, placeOf, requireWithin } from '../files.ts';
import type { ServeOptions } from './options.ts';

/** A pending start would keep the process alive for longer, in milliseconds. */
const EXIT_DELAY = 500;

/** Resolves with the exit code once it has stopped, or with nothing if it was interrupted before it was ready. */
export async function serve(options: ServeOptions, context: CliContext): Promise<number | void> {
  try {
    return await (options.role === 'worker' ? serveWorker(options, context) : servePlatform(options, context));
  } catch (error) {
    if (!context.signal.aborted || error !== context.signal.reason) throw error;
    setTimeout(() => process.exit(), EXIT_DELAY).unref();
  }
}

async function serveWorker({ databaseUrl, ...options }: ServeOptions, { host, signal }: CliContext): Promise<number> {
  const worker = await startWorker({ ...options, databaseUrl: databaseUrl!, signal });
  try {
    host.out('The worker is ready.\n');
    await aborted(signal);
    return 0;
  } finally {
    await worker.close();
  }
}

async function servePlatform(options: ServeOptions, context: CliContext): Promise<number> {
  const { host, json, signal } = context;
  if (options.data !== undefined && options.data !== 'memory') await requireOwnFolder(placeOf(options.data, host.cwd));
  const onLost = ({ message, hint }: StartProblem): void => {
    host.error(`${oneLine(`${message} ${hint}`)}\n`);
    // Whatever else this process did could change the folder of another one.
    process.exit(EXIT.failed);
  };
  const say = (sentence: string): void => host.error(`${oneLine(sentence)}\n`);
  const home = homeFolder(host.env);
  const platform = await startPlatform({ ...options, home, onLost, onWait: say, onReplaced: say, signal });
  try {
    const { baseUrl, authToken, apps, oauthDemo } = platform;
    host.tokens.forget(authToken);
    host.out(json ? `${printableJson({ baseUrl, authToken, apps, oauthDemo })}\n` : greeting(platform, options));
    await aborted(signal);
    return 0;
  } finally {
    await platform.close();
  }
}

/** What a repository has there must not lead elsewhere. @throws CodedError `FILES_NOT_WRITTEN` */
async function requireOwnFolder({ path, within }: Place): Promise<void> {
  const names = await readdir(path).catch(() => []);
  for (const name of ['', ...names]) await requireWithin(join(path, name), within);
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

function greeting(
  { baseUrl, authToken, apps, oauthDemo }: Platform,
  { data, host, databaseUrl, specOnly }: ServeOptions,
): string {
  const lines = apps.map(({ id, name, actions }) =>
    oneLine(`  ${id}  ${name}: ${actions.map((action) => action.name).join(', ')}`),
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
