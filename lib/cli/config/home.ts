/** The files of the user’s configuration folder. */
import { join } from 'node:path';
import { homeFolder } from '../../local-platform/installation.ts';

export const configFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'config.json');
export const tokensFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'tokens.json');
export const trustFile = (env: NodeJS.ProcessEnv): string => join(homeFolder(env), 'trust.json');
