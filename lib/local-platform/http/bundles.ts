/** Owns the scripts and styles that debug pages load besides function packages: bundled at the first request. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const RUNTIME_ENTRY = fileURLToPath(new URL('../../actions/page.ts', import.meta.url));
const STYLE = new URL('page.css', import.meta.url);

export const RUNTIME = 'platform-core:2.js';

export interface Bundle {
  text: string;
  type: string;
}

/** Answers a file of `/v1/packages/`, or null. A failed build is tried again at the next request. */
export function createBundles(): (name: string) => Promise<Bundle | null> {
  let runtime: Promise<Map<string, Bundle>> | undefined;
  return async (name) => {
    if (name === 'page.css') return { text: await readFile(STYLE, 'utf8'), type: 'text/css' };
    if (name !== RUNTIME && name !== `${RUNTIME}.map`) return null;
    runtime ??= bundleRuntime().catch((error: unknown) => {
      runtime = undefined;
      throw error;
    });
    return (await runtime).get(name) ?? null;
  };
}

async function bundleRuntime(): Promise<Map<string, Bundle>> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [RUNTIME_ENTRY],
    outfile: 'platform-core.js',
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    sourcemap: 'external',
    sourceRoot: 'platform-core:///',
    legalComments: 'none',
    logLevel: 'silent',
  });
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))!.text;
  // The `./` matters: without it the name would read as an address with the scheme `platform-core`.
  return new Map([
    [RUNTIME, { text: `${text('.js')}//# sourceMappingURL=./${RUNTIME}.map\n`, type: 'text/javascript' }],
    [`${RUNTIME}.map`, { text: text('.map'), type: 'application/json' }],
  ]);
}
