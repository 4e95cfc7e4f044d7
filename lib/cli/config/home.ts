/** The folder of the user’s configuration, and its files. */
import { join } from 'node:path';
import envPaths from 'env-paths';

/** `PLATFORM_DEVTOOLS_HOME`, or the system’s folder for configuration, such as ~/.config/platform-devtools. */
export const homeFolder = ({ PLATFORM_DEVTOOLS_HOME }: NodeJS.ProcessEnv): string =>
  PLATFORM_DEVTOOLS_HOME || envPaths('platform-devtools', { suffix: '' }).config;

export const configFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'config.json');
export const tokensFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'tokens.json');
export const trustFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'trust.json');
