/** Bundles the script that starts every run’s context: the page runtime, and the few globals that a page would have. */
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from '../installation.ts';

const ENTRY = `
import { world } from './context/world${MODULE_EXTENSION}';
import { installServerRuntime } from '../../actions/server${MODULE_EXTENSION}';
import { start } from './context/main${MODULE_EXTENSION}';
start(host, world, installServerRuntime);
`;

let script: Promise<string> | undefined;

/**
 * Builds the script once per process. A failed build is retried. The script expects a variable `host` in its scope
 * (context/host.ts).
 */
export function runtimeScript(): Promise<string> {
  script ??= build().catch((error: unknown) => {
    script = undefined;
    throw error;
  });
  return script;
}

async function build(): Promise<string> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('.', import.meta.url)), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2024',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}
