/** Bundles the agent that runs in the page: the same one as in the extension. */
import { fileURLToPath } from 'node:url';
import { moduleFile } from '../../local-platform/installation.ts';

const INSTALL = fileURLToPath(moduleFile('../../extension/inspector/agent/install', import.meta.url));

let built: Promise<string> | undefined;

/** The text of a script that installs the agent. Built once. */
export function agentSource(): Promise<string> {
  built ??= bundle();
  built.catch(() => (built = undefined));
  return built;
}

async function bundle(): Promise<string> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { installAgent } from ${JSON.stringify(INSTALL)}; installAgent();`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
  });
  return outputFiles[0]!.text;
}
