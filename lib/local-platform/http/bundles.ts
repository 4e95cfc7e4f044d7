/**
 * Bundles and serves the pages’ scripts and styles, except function packages and screens. Builds them on the first
 * request.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { moduleFile, ROOT } from '../installation.ts';

export const RUNTIME = 'platform-core:2.js';

const JAVASCRIPT = 'text/javascript';

const FILES: Record<string, { file: URL; type: string }> = {
  'page.css': { file: new URL('page.css', import.meta.url), type: 'text/css' },
  'sso-callback.js': { file: new URL('routes/sso-callback.page.js', import.meta.url), type: JAVASCRIPT },
};

/** The keys are the names that the scripts are served under. `entry` is a module, relative to `lib`. */
const SCRIPTS: Record<string, { entry: string; options: BuildOptions }> = {
  [RUNTIME]: { entry: 'actions/page', options: { format: 'iife' } },
  'platform-oauth2:0.1.js': { entry: 'oauth2/script', options: { format: 'iife', minify: true } },
  'platform-oauth2:0.1.mjs': { entry: 'oauth2/index', options: { format: 'esm', minify: true } },
};

export interface Bundle {
  text: string;
  type: string;
}

/**
 * Returns a function that reads a file of `/v1/packages/`, or null if there is no such file. A failed build is retried
 * on the next request.
 */
export function createBundles(): (name: string) => Promise<Bundle | null> {
  const built = new Map<string, Promise<Record<'script' | 'map', Bundle>>>();
  return async (name) => {
    if (Object.hasOwn(FILES, name)) return { text: await readFile(FILES[name]!.file, 'utf8'), type: FILES[name]!.type };
    const script = name.replace(/\.map$/, '');
    if (!Object.hasOwn(SCRIPTS, script)) return null;
    const files = built.get(script) ?? bundle(script);
    built.set(script, files);
    files.catch(() => built.delete(script));
    return (await files)[script === name ? 'script' : 'map'];
  };
}

async function bundle(name: string): Promise<Record<'script' | 'map', Bundle>> {
  const { build } = await import('esbuild');
  const { entry, options } = SCRIPTS[name]!;
  const { outputFiles = [] } = await build({
    entryPoints: [fileURLToPath(moduleFile(`../../${entry}`, import.meta.url))],
    // The source map has paths that are relative to it.
    absWorkingDir: ROOT,
    outfile: 'bundle.js',
    bundle: true,
    write: false,
    target: 'es2022',
    charset: 'utf8',
    sourcemap: 'external',
    sourceRoot: `${name.split(':')[0]}:///`,
    legalComments: 'none',
    logLevel: 'silent',
    ...options,
  });
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  // Without `./`, a name with a colon would be parsed as a URL with a scheme.
  return {
    script: { text: `${text('.js')}//# sourceMappingURL=./${name}.map\n`, type: JAVASCRIPT },
    map: { text: text('.map'), type: 'application/json' },
  };
}
