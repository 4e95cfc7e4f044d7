/** Knows whether this code runs from the repository, as TypeScript, or from the npm package, as JavaScript. */
import { join, resolve } from 'node:path';
import envPaths from 'env-paths';
import { VERSION } from './version.ts';

const NAME = 'platform-devtools';
/** The repository’s root, or the package’s: `lib` and `dist` have the same depth. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** What the file of a module ends with. */
export const MODULE_EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
export const IS_PACKAGE = MODULE_EXTENSION === '.js';

/** The file of a module, for code that reads or bundles it. `path` has no extension. */
export const moduleFile = (path: string, base: string): URL => new URL(`${path}${MODULE_EXTENSION}`, base);

/**
 * Where something is cached between starts. The package’s own folder can be read-only, and other users can share it, so
 * each user has a folder for each version.
 */
export function cacheFolder(name: string): string {
  if (!IS_PACKAGE) return join(ROOT, 'node_modules/.cache', name);
  return join(envPaths(NAME, { suffix: '' }).cache, VERSION, name);
}

/** The user’s configuration: `PLATFORM_DEVTOOLS_HOME`, or the system’s folder, such as ~/.config/platform-devtools. */
export const homeFolder = ({ PLATFORM_DEVTOOLS_HOME }: NodeJS.ProcessEnv): string =>
  PLATFORM_DEVTOOLS_HOME || envPaths(NAME, { suffix: '' }).config;
