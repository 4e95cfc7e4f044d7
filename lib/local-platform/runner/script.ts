/** Bundles the scripts that start contexts. That of runs: the page runtime, and the few globals that a page would have. */
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from '../installation.ts';

const ENTRY = `
import { world } from './context/world${MODULE_EXTENSION}';
import { installServerRuntime } from '../../actions/server${MODULE_EXTENSION}';
import { start } from './context/main${MODULE_EXTENSION}';
start(host, world, installServerRuntime);
`;

const scripts = new Map<string, Promise<string>>();

/** The script for runs. */
export const runtimeScript = (): Promise<string> => contextScript(ENTRY, import.meta.url);

/**
 * Builds a script once per process. A failed build is retried. The script expects a variable `host` in its scope
 * (context/host.ts).
 * @param entry TypeScript
 * @param base what its imports are relative to
 */
export function contextScript(entry: string, base: string): Promise<string> {
  let script = scripts.get(entry);
  if (!script) {
    script = build(entry, base);
    scripts.set(entry, script);
    script.catch(() => scripts.delete(entry));
  }
  return script;
}

async function build(contents: string, base: string): Promise<string> {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', base)), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2024',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}
