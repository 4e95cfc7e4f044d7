/** Reads and changes the environments that the user has added. */
import * as v from 'valibot';
import { BaseUrl, Namespace, PageUrl } from '../../platform-api/base-url.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { LOCAL_PORT } from '../../platform-api/limits.ts';
import { nearestName } from '../../shared/edit-distance.ts';
import { configFile } from './home.ts';
import { changeJsonFile, type JsonFile, readJsonFile } from './json-file.ts';

export const EnvironmentName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,40}$/, 'A name has at most 40 letters, digits, dots, dashes, and underscores.'),
  // The keys that a record of Valibot leaves out.
  v.notValues(['__proto__', 'constructor', 'prototype'], 'This name is reserved. Choose another one.'),
);

/** A base URL without the version. It’s what environments and tokens are compared by. */
export const PlatformUrl = v.pipe(
  BaseUrl,
  v.transform((url) => url.replace(/(\/+v1)+$/, '')),
);

export const EnvironmentSettings = v.strictObject({
  url: PlatformUrl,
  production: v.optional(v.boolean(), false),
  namespace: v.optional(Namespace),
  pageUrls: v.optional(v.array(PageUrl)),
});
export type EnvironmentSettings = v.InferOutput<typeof EnvironmentSettings>;

const Config = v.strictObject({
  default: v.optional(EnvironmentName),
  environments: v.optional(v.record(EnvironmentName, EnvironmentSettings), {}),
});
export type Config = v.InferOutput<typeof Config>;

/** The platform of `platform-devtools platform`. Every user has it. */
export const LOCAL = 'local';
export const LOCAL_URL = `http://localhost:${LOCAL_PORT}`;

export interface ChosenEnvironment {
  /** Its URL if it has no name. */
  name: string;
  baseUrl: string;
  isProduction: boolean;
  /** The name of the global object of its pages. */
  namespace: string | undefined;
  pageUrls: string[];
}

const configOf = (env: NodeJS.ProcessEnv): JsonFile<Config> => ({
  path: configFile(env),
  schema: Config,
  code: 'CONFIG_INVALID',
  empty: { environments: {} },
});

/** @throws CodedError `CONFIG_INVALID`, `FILE_NOT_READ` */
export const readConfig = (env: NodeJS.ProcessEnv): Promise<Config> => readJsonFile(configOf(env));

/** @throws CodedError as `readConfig`, and `FILES_NOT_WRITTEN` */
export const changeConfig = (env: NodeJS.ProcessEnv, change: (config: Config) => Config): Promise<void> =>
  changeJsonFile(configOf(env), change);

/** With the local platform, unless the user has an environment of that name. */
export const allEnvironments = ({ environments }: Config): Record<string, EnvironmentSettings> => ({
  [LOCAL]: { url: LOCAL_URL, production: false },
  ...environments,
});

/** The names of the environments with this base URL. */
export const namesOf = (baseUrl: string, config: Config): string[] =>
  Object.entries(allEnvironments(config)).flatMap(([name, { url }]) => (url === baseUrl ? [name] : []));

export function environmentNotFound(name: string, names: readonly string[]): CodedError {
  const meant = nearestName(name, names);
  return new CodedError({
    code: 'ENVIRONMENT_NOT_FOUND',
    message: `There’s no environment “${name}”.${meant ? ` Did you mean “${meant}”?` : ''}`,
    hint: 'List the environments with platform-devtools environments.',
  });
}

export const chosen = (
  name: string,
  { url, production, namespace, pageUrls = [] }: EnvironmentSettings,
): ChosenEnvironment => ({
  name,
  baseUrl: url,
  isProduction: production,
  namespace,
  pageUrls,
});
