/** Chooses the environment and the app of a command. */
import * as v from 'valibot';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { Unreadable } from '../../platform-api/lists/unreadable.ts';
import type { Connection } from '../../rest/index.ts';
import { plural } from '../../shared/format.ts';
import type { CliContext } from '../command/context.ts';
import { invalidArgument, parseId } from '../command/usage.ts';
import {
  allEnvironments,
  chosen,
  type ChosenEnvironment,
  type Config,
  environmentNotFound,
  LOCAL,
  PlatformUrl,
  readConfig,
} from './environments.ts';
import { configFile } from './home.ts';
import { accessOfOthers } from './json-file.ts';
import type { Project } from './project.ts';
import { findToken } from './tokens.ts';

/**
 * In this order: `--url`, `--env`, `PLATFORM_URL`, `PLATFORM_ENV`, the project’s, the default one, the only one that was
 * added, and `local` if none was.
 * @throws CodedError `NO_ENVIRONMENT`, `ENVIRONMENT_NOT_FOUND`, `CONFIG_INVALID`, `ARGUMENT_INVALID`
 */
export async function chosenEnvironment(context: CliContext, project: Project): Promise<ChosenEnvironment> {
  const { host, options } = context;
  const { PLATFORM_URL, PLATFORM_ENV } = host.env;
  if (options.url !== undefined && options.env !== undefined)
    throw invalidArgument('--url and --env can’t be used together.');
  const config = await readConfig(host.env);
  const file = configFile(host.env);
  if ((await accessOfOthers(file)) === 'write')
    context.warn(`Other users of this machine can change ${file}. Run chmod 600 on it.`);
  if (options.url !== undefined) return unnamed(options.url, '--url', config);
  if (options.env === undefined && PLATFORM_URL) return unnamed(PLATFORM_URL, 'PLATFORM_URL', config);
  const all = allEnvironments(config);
  const [only = LOCAL, ...others] = Object.keys(config.environments);
  const chosenNames = [options.env, PLATFORM_ENV || undefined, project.environment, config.default];
  const name = chosenNames.find((each) => each !== undefined) ?? (others.length === 0 ? only : undefined);
  if (name === undefined) throw noEnvironment();
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!found) throw environmentNotFound(name, Object.keys(all));
  return chosen(name, found);
}

const noEnvironment = (): CodedError =>
  new CodedError({
    code: 'NO_ENVIRONMENT',
    message: 'No environment is chosen.',
    hint: 'Choose one with --env, or a default one with platform-devtools environments default.',
  });

/** A URL that is given is production if any environment with this URL is. */
function unnamed(given: string, option: string, config: Config): ChosenEnvironment {
  const url = v.safeParse(PlatformUrl, given);
  if (!url.success) throw invalidArgument(`${option} can’t be used: ${url.issues[0].message}`);
  const known = Object.entries(config.environments).filter(([, each]) => each.url === url.output);
  const first = known.find(([, { production }]) => production) ?? known[0];
  return first ? chosen(...first) : chosen(url.output, { url: url.output, production: false });
}

export const connectionOf = async (environment: ChosenEnvironment, context: CliContext): Promise<Connection> => ({
  baseUrl: environment.baseUrl,
  token: (await findToken(environment, context)).token,
  onUnreadable: (list, unreadable) => context.warn(unreadableText(list, unreadable)),
});

function unreadableText(list: string, unreadable: readonly Unreadable[]): string {
  const named = unreadable.slice(0, 5).map(({ item, why }) => `${item} (${why})`);
  const more = unreadable.length > named.length ? `, and ${unreadable.length - named.length} more` : '';
  return `${plural(unreadable.length, 'item')} of the ${list} couldn’t be read: ${named.join(', ')}${more}.`;
}

/** @throws CodedError `NO_APP`, `ARGUMENT_INVALID` */
export function appOf(given: string | undefined, { app }: Project): number {
  if (given !== undefined) return parseId(given, '--app');
  if (app !== undefined) return app;
  throw new CodedError({
    code: 'NO_APP',
    message: 'No app is chosen.',
    hint: 'Add --app with its ID, or “app” to platform-devtools.json. List the apps with platform-devtools apps.',
  });
}
