/** `environments`: the platforms that the user connects to, and their tokens. */
import * as v from 'valibot';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { CliContext } from '../command/context.ts';
import type { AddCommand } from '../command/program.ts';
import { table } from '../command/text.ts';
import { invalidArgument } from '../command/usage.ts';
import {
  allEnvironments,
  changeConfig,
  type Config,
  EnvironmentName,
  environmentNotFound,
  EnvironmentSettings,
  namesOf,
  readConfig,
} from '../config/environments.ts';
import { tokensFile } from '../config/home.ts';
import { accessOfOthers } from '../config/json-file.ts';
import { findToken, parseToken, placeText, type RemovedToken, removeToken, storeToken } from '../config/tokens.ts';
import { collect } from './platform.ts';

export const addEnvironments: AddCommand = (program, run) => {
  const environments = program
    .command('environments')
    .description('List the environments: the platforms that you connect to')
    .action(run(list));
  environments
    .command('add <name> <url>')
    .description('Add an environment, or change its settings')
    .option('--production', 'ask before anything that changes it')
    .option('--no-production', 'stop asking')
    .option('--namespace <name>', 'the global object of its pages (default: Platform)')
    .option('--page-url <url>', 'another URL where it serves its apps’ pages (repeatable)', collect)
    .action(run(add));
  environments.command('default <name>').description('Use it when no other is chosen').action(run(makeDefault));
  environments.command('remove <name>').description('Remove an environment and its token').action(run(remove));
  environments
    .command('login')
    .description('Store a token for the chosen environment: asked for, or from --token-file or standard input')
    .action(run(login));
  environments.command('logout').description('Remove the stored token of the chosen environment').action(run(logout));
};

async function list(context: CliContext): Promise<void> {
  const config = await readConfig(context.host.env);
  const names = Object.entries(allEnvironments(config));
  const found = names.map(([name, { url, production }]) => ({
    name,
    url,
    production,
    default: name === config.default,
  }));
  context.print({ environments: found }, () =>
    table([
      ['NAME', 'URL', ''],
      ...found.map(({ name, url, production, default: isDefault }) => [
        name,
        url,
        [production && 'production', isDefault && 'default'].filter(Boolean).join(', '),
      ]),
    ]),
  );
}

/** Settings that aren’t given stay as they are. */
async function add(
  context: CliContext,
  name: string,
  url: string,
  { production, namespace, pageUrl }: { production?: boolean; namespace?: string; pageUrl?: string[] },
): Promise<void> {
  const key = v.safeParse(EnvironmentName, name);
  if (!key.success) throw invalidArgument(`“${name}” can’t be used: ${key.issues[0].message}`);
  const config = await readConfig(context.host.env);
  const before = Object.hasOwn(config.environments, name) ? config.environments[name] : undefined;
  const parsed = v.safeParse(EnvironmentSettings, {
    ...before,
    url,
    ...(production !== undefined && { production }),
    ...(namespace !== undefined && { namespace }),
    ...(pageUrl && { pageUrls: pageUrl }),
  });
  if (!parsed.success) throw invalidArgument(parsed.issues[0].message);
  const settings = parsed.output;
  const withIt = (to: Config): Config => ({ ...to, environments: { ...to.environments, [name]: settings } });
  const all = allEnvironments(config);
  const formerUrl = Object.hasOwn(all, name) ? all[name]!.url : settings.url;
  const isMoved = formerUrl !== settings.url;
  const texts = [
    before ? `Changed the settings of ${name}.` : `Added ${name}.`,
    before?.production && production === undefined ? 'It’s still production.' : '',
    isMoved ? await releaseToken(formerUrl, withIt(config), context) : '',
    before && !isMoved ? '' : `Log in with platform-devtools environments login --env ${name}`,
  ];
  await changeConfig(context.host.env, withIt);
  context.print({ environment: { name, ...settings } }, () => `${texts.filter(Boolean).join(' ')}\n`);
}

async function requireAdded(context: CliContext, name: string): Promise<void> {
  const all = allEnvironments(await readConfig(context.host.env));
  if (!Object.hasOwn(all, name)) throw environmentNotFound(name, Object.keys(all));
}

async function makeDefault(context: CliContext, name: string): Promise<void> {
  await requireAdded(context, name);
  await changeConfig(context.host.env, (config) => ({ ...config, default: name }));
  context.print({ default: name }, () => `${name} is the default environment now.\n`);
}

async function remove(context: CliContext, name: string): Promise<void> {
  const config = await readConfig(context.host.env);
  const found = Object.hasOwn(config.environments, name) ? config.environments[name] : undefined;
  if (!found) throw environmentNotFound(name, Object.keys(config.environments));
  const withoutIt = ({ environments: { [name]: _removed, ...environments }, ...others }: Config): Config => ({
    ...others,
    default: others.default === name ? undefined : others.default,
    environments,
  });
  const ofToken = await releaseToken(found.url, withoutIt(config), context);
  await changeConfig(context.host.env, withoutIt);
  context.print({ removed: name }, () => `${[`Removed ${name}.`, ofToken].filter(Boolean).join(' ')}\n`);
}

/** Removes the token of a URL, unless one of the environments has this URL. Resolves with a sentence about it, or none. */
async function releaseToken(url: string, config: Config, context: CliContext): Promise<string> {
  const names = namesOf(url, config);
  if (names.length > 0) return `A stored token of ${url} stays for ${names.join(', ')}.`;
  const removed = await removeToken(url, context.host);
  if (removed.keychain === null) context.warn(KEYCHAIN_UNKNOWN);
  return isRemoved(removed) ? `The token of ${url} was removed.` : '';
}

const KEYCHAIN_UNKNOWN = 'The system’s keychain can’t be used here, and may still have a token.';

const isRemoved = ({ keychain, file }: RemovedToken): boolean => keychain === true || file;

async function login(context: CliContext): Promise<void> {
  const environment = await context.environment();
  const token = parseToken(await readToken(context, environment.name), 'The input');
  context.host.tokens.add(token);
  const { env } = context.host;
  const place = await storeToken(environment.baseUrl, token, context.host);
  const file = tokensFile(env);
  if (place === 'file' && (await accessOfOthers(file)) !== 'none')
    context.warn(`Other users of this machine can read ${file}. Run chmod 600 on it.`);
  const isFirst = place === 'keychain' ? '' : ` A token in ${placeText('keychain', env)} would be used first.`;
  context.print(
    { environment: environment.name, storedIn: place },
    () => `Stored the token in ${placeText(place, env)}.${isFirst}\n`,
  );
}

async function readToken(context: CliContext, name: string): Promise<string> {
  const { host, options, signal } = context;
  if (options.tokenFile !== undefined) return (await findToken(await context.environment(), context)).token;
  if (!host.isTerminal.in) return host.readInput();
  if (!host.isTerminal.error)
    throw new CodedError({
      code: 'CONFIRMATION_NEEDED',
      message: 'There’s no terminal to ask for the token.',
      hint: 'Pipe the token to standard input, or use --token-file.',
    });
  const { secretFromTerminal } = await import('../command/prompts.ts');
  return secretFromTerminal(`Token for ${name}:`, signal);
}

async function logout(context: CliContext): Promise<void> {
  const { env } = context.host;
  const { name, baseUrl } = await context.environment();
  const others = namesOf(baseUrl, await readConfig(env)).filter((other) => other !== name);
  const token = await removeToken(baseUrl, context.host);
  if (token.keychain === null) context.warn(KEYCHAIN_UNKNOWN);
  const names = [name, ...others].join(', ');
  context.print({ environment: name, removed: isRemoved(token) }, () =>
    isRemoved(token) ? `Removed the stored token of ${names}.\n` : `No token of ${name} was found.\n`,
  );
}
