/** Builds the extension for a real browser. */
import { resolve } from 'node:path';
import { build } from 'wxt';

const ROOT = resolve(import.meta.dirname, '../..');

export type Target = 'chrome' | 'firefox';

/**
 * Builds the extension and returns the path of the output folder.
 * @param outDir relative to the project’s root; concurrent builds need different folders
 */
export async function buildExtension(target: Target, outDir = '.output'): Promise<string> {
  const mode = process.env.NODE_ENV;
  // With a test runner’s NODE_ENV, JSX would include source positions, so the build would differ from the shipped one.
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

const noop = () => undefined;
const silent = {
  level: 0,
  debug: noop,
  log: noop,
  info: noop,
  success: noop,
  warn: (...args: unknown[]) => console.error(...args),
  error: console.error,
  fatal: console.error,
};
