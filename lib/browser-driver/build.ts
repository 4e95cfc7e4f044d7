/** Owns building the extension for those who drive it in a real browser. */
import { resolve } from 'node:path';
import { build } from 'wxt';

const ROOT = resolve(import.meta.dirname, '../..');

export type Target = 'chrome' | 'firefox';

/**
 * Builds the extension and answers the folder of the build.
 * @param outDir relative to the project's root; one of the caller's own, so that two builds do not write over each other
 */
export async function buildExtension(target: Target, outDir = '.output'): Promise<string> {
  const mode = process.env.NODE_ENV;
  // A test runner's own would make it another build than the one that is shipped, with the place of every element in it.
  process.env.NODE_ENV = 'production';
  try {
    await build({
      root: ROOT,
      browser: target,
      manifestVersion: 3,
      mode: 'production',
      outDir,
      outDirTemplate: '{{browser}}-mv3',
      logger: silent,
    });
  } finally {
    if (mode === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = mode;
  }
  return resolve(ROOT, outDir, `${target}-mv3`);
}

const quiet = () => undefined;
const silent = {
  level: 0,
  debug: quiet,
  log: quiet,
  info: quiet,
  success: quiet,
  warn: (...args: unknown[]) => console.error(...args),
  error: console.error,
  fatal: console.error,
};
