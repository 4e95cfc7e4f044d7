/** Checks what the commands need: Node, browser, configuration, environment, platform, token, and folders. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findBrowser } from '../../browser-driver/find-browser.ts';
import { cacheFolder } from '../../local-platform/installation.ts';
import { makeFolder } from '../../local-platform/make-folder.ts';
import { CodedError, type ErrorValue, toErrorValue } from '../../platform-api/index.ts';
import { isLoopback } from '../../platform-api/loopback.ts';
import { type Connection, listApps, listFunctions, slow, unreachable } from '../../rest/index.ts';
import type { CliContext } from '../command/context.ts';
import { proxyIgnored, proxyOf } from '../command/proxy.ts';
import { type ChosenEnvironment, readConfig } from '../config/environments.ts';
import { configFile, tokensFile } from '../config/home.ts';
import { accessOfOthers } from '../config/json-file.ts';
import { writableKeychain } from '../config/keychain.ts';
import { findToken, placeText } from '../config/tokens.ts';
import { startBrowser } from '../run/browser.ts';

export type CheckName =
  | 'node'
  | 'browser'
  | 'configuration'
  | 'project'
  | 'keychain'
  | 'cache'
  | 'environment'
  | 'proxy'
  | 'token'
  | 'platform'
  | 'access'
  | 'endpoints'
  | 'clock';

export interface Check {
  name: CheckName;
  state: 'ok' | 'problem' | 'skipped';
  message: string;
  hint?: string | undefined;
}

type Result = Omit<Check, 'name'>;

const ok = (message: string): Result => ({ state: 'ok', message });
const skipped = (message: string): Result => ({ state: 'skipped', message });
const problem = ({ message, hint }: Pick<ErrorValue, 'message' | 'hint'>): Result => ({
  state: 'problem',
  message,
  ...(hint !== undefined && { hint }),
});

/** Never throws. A check that needs another one which failed is skipped. None starts once the signal is aborted. */
export async function examine(context: CliContext): Promise<Check[]> {
  const checks: Check[] = [];
  const check = async (name: CheckName, work: () => Promise<Result>): Promise<boolean> => {
    if (context.signal.aborted) return false;
    const result = await work().catch((error: unknown) => problem(toErrorValue(error)));
    checks.push({ name, ...result });
    return result.state === 'ok';
  };
  await check('node', async () => ok(`Node ${process.versions.node}`));
  await check('browser', () => checkBrowser(context.signal));
  await check('configuration', () => checkConfiguration(context));
  await check('project', async () => ok(`The folder of the project is ${(await context.project()).folder}.`));
  await check('keychain', () => checkKeychain(context));
  await check('cache', checkCache);
  await checkEnvironment(context, check);
  return checks;
}

type Run = (name: CheckName, work: () => Promise<Result>) => Promise<boolean>;

async function checkEnvironment(context: CliContext, check: Run): Promise<void> {
  let environment: ChosenEnvironment | undefined;
  await check('environment', async () => {
    environment = await context.environment();
    return ok(`${environment.name}: ${environment.baseUrl}${environment.isProduction ? ' (production)' : ''}`);
  });
  const chosen = environment;
  await check('proxy', async () => checkProxy(chosen, context.host.env));
  let token: string | undefined;
  await check('token', async () => {
    if (!chosen) return skipped('No environment is chosen.');
    const found = await findToken(chosen, context);
    token = found.token;
    return ok(`The token is from ${placeText(found.place, context.host.env)}.`);
  });
  let response: Response | undefined;
  const isReachable = await check('platform', async () => {
    if (!chosen) return skipped('No environment is chosen.');
    response = await answerOf(chosen, context.signal);
    return ok(`${chosen.baseUrl} responds.`);
  });
  await check('clock', async () => checkClock(response));
  const connection = chosen && isReachable && token !== undefined ? { baseUrl: chosen.baseUrl, token } : null;
  const hasAccess = await check('access', () => checkAccess(connection, context.signal));
  await check('endpoints', () => checkEndpoints(hasAccess ? connection : null, context.signal));
}

async function checkBrowser(signal: AbortSignal): Promise<Result> {
  const started = await startBrowser({ signal });
  try {
    return ok(`${await started.browser.version()} starts: ${findBrowser('chromium')}`);
  } finally {
    await started.close();
  }
}

async function checkConfiguration({ host: { env } }: CliContext): Promise<Result> {
  const { environments } = await readConfig(env);
  const exposed = (file: string, what: string): Result =>
    problem({ message: `Other users of this machine can ${what} ${file}.`, hint: `Run chmod 600 ${file}.` });
  if ((await accessOfOthers(tokensFile(env))) !== 'none') return exposed(tokensFile(env), 'read');
  if ((await accessOfOthers(configFile(env))) === 'write') return exposed(configFile(env), 'change');
  const count = Object.keys(environments).length;
  return ok(`${configFile(env)} has ${count === 1 ? '1 environment' : `${count} environments`}.`);
}

const checkKeychain = async ({ host }: CliContext): Promise<Result> =>
  (await writableKeychain(host))
    ? ok(`New tokens go to ${placeText('keychain', host.env)}.`)
    : skipped(`No keychain can be used here. New tokens go to ${placeText('file', host.env)}.`);

async function checkCache(): Promise<Result> {
  const folder = cacheFolder('node');
  const file = join(folder, `${randomUUID()}.check`);
  try {
    await makeFolder(folder);
    await writeFile(file, '');
    await rm(file);
    return ok(`${folder} can be written.`);
  } catch (error) {
    return problem({
      message: `Couldn’t write to ${folder}: ${(error as Error).message}`,
      hint: 'Check the folder, and the space on the disk.',
    });
  }
}

function checkProxy(chosen: ChosenEnvironment | undefined, env: NodeJS.ProcessEnv): Result {
  if (!chosen) return skipped('No environment is chosen.');
  if (isLoopback(new URL(chosen.baseUrl).hostname)) return skipped('Requests on this machine use no proxy.');
  const proxy = proxyOf(env);
  if (!proxy) return skipped('HTTPS_PROXY isn’t set.');
  return proxy.isUsed
    ? ok(`Requests go through ${new URL(proxy.url).host} (${proxy.name}), except to the hosts in NO_PROXY.`)
    : problem(proxyIgnored(proxy));
}

const TIME_LIMIT = 10_000;

/** Of any status, without the token. @throws CodedError `PLATFORM_UNREACHABLE`, `PLATFORM_SLOW` */
async function answerOf({ baseUrl }: ChosenEnvironment, signal: AbortSignal): Promise<Response> {
  const limit = AbortSignal.timeout(TIME_LIMIT);
  const { host } = new URL(baseUrl);
  try {
    const response = await fetch(`${baseUrl}/v1/apps`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    await response.body?.cancel();
    return response;
  } catch (cause) {
    throw limit.aborted ? slow(host, TIME_LIMIT) : unreachable(host, cause);
  }
}

/** Times in requests and logs would be confusing, and a token could be seen as expired. */
const LARGEST_DIFFERENCE = 60_000;

function checkClock(response: Response | undefined): Result {
  const theirs = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return skipped('The platform’s time is unknown.');
  const difference = Math.round((Date.now() - theirs) / 1000);
  const seconds = `${Math.abs(difference)} s`;
  if (Math.abs(difference) * 1000 <= LARGEST_DIFFERENCE)
    return ok(Math.abs(difference) <= 1 ? 'Both clocks agree.' : `Both clocks agree within ${seconds}.`);
  return problem({
    message: `The clock of this machine is ${seconds} ${difference > 0 ? 'ahead of' : 'behind'} the platform’s.`,
    hint: 'Set the clock of this machine.',
  });
}

async function checkAccess(connection: Connection | null, signal: AbortSignal): Promise<Result> {
  if (!connection) return skipped('There’s no token to try, or no platform that responds.');
  const apps = await listApps(connection, { signal });
  return ok(`The platform accepts the token for ${apps.length === 1 ? '1 app' : `${apps.length} apps`}.`);
}

async function checkEndpoints(connection: Connection | null, signal: AbortSignal): Promise<Result> {
  if (!connection) return skipped('The platform hasn’t accepted a token.');
  try {
    await listFunctions(connection, { signal });
    return ok('The platform has the endpoint for function packages. The others weren’t tried.');
  } catch (error) {
    if (!(error instanceof CodedError) || error.value.status !== 404) throw error;
    return skipped('GET /v1/functions responded with 404: the platform may have only the specified endpoints.');
  }
}
